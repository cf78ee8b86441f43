/// @file
/// Finds the library headers that a source certainly includes, so that they can be precompiled.
///
/// In the source itself only the lines before its first declaration count; in the user's headers that those lines
/// include, every unconditional include counts. So the precompiled header contains only headers that the program
/// includes, and a program that forgets a header fails as it would without.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lex/align.hpp"

namespace emucc {

struct IncludeSearch {
  std::vector<std::string> folders;  ///< of -I and -isystem, in order
  std::function<bool(const std::string&)>
      is_precompilable;  ///< a library header, by its name between the brackets
  FileLoader load = load_file;
};

/// Names of library headers, without brackets, each once, in the order in which the compiler reads them.
std::vector<std::string> sure_includes(const std::string& source, const IncludeSearch& search);

/// True if preprocessed code uses one of C++17's special functions of cmath, which the precompiled headers lack
/// (cuemu/without_special_functions.h): its name is called, or follows `::`. A user function of such a name only
/// costs the precompiled header.
bool uses_special_function(std::string_view code);

}  // namespace emucc
