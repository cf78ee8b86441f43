/// @file
/// Finds the library headers that a source is sure to include, so that they can be precompiled.
///
/// Of the source itself only the lines before its first declaration count; of the user's headers that those
/// lines include, every unconditional include counts. So the precompiled header holds nothing that the
/// program does not include, and a program that forgets a header fails as it would without.
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
      is_precompilable;  ///< a header of the library's, by the name between the brackets
  FileLoader load = load_file;
};

/// Names of library headers, without brackets, each once, in the order in which the compiler meets them.
std::vector<std::string> sure_includes(const std::string& source, const IncludeSearch& search);

/// Whether preprocessed code uses one of C++17's special functions of <cmath>, which are not in what is precompiled
/// (cuemu/without_special_functions.h): its name is called, or stands behind `::`. A user's own function of such a name costs the
/// precompiled header, and nothing else.
bool uses_special_function(std::string_view code);

}  // namespace emucc
