/// @file
/// Finds the library headers that a source certainly includes, so that they can be precompiled.
///
/// In the source itself, only the lines before the first declaration are searched. In the user's headers that
/// these lines include, every unconditional include counts. So the precompiled header contains only headers
/// that the program includes, and a program that lacks an include fails as it would without a precompiled
/// header.
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

/// Returns the names of library headers without brackets and without duplicates, in the order in which the
/// compiler reads them.
std::vector<std::string> sure_includes(const std::string& source, const IncludeSearch& search);

/// True if preprocessed code may use one of C++17's special functions of cmath. The precompiled headers lack
/// these (cuemu/without_special_functions.h). Code uses a function if it calls the name or writes it after
/// `::`. If a user's function has such a name, the source is compiled without a precompiled header, which
/// costs only time.
bool uses_special_function(std::string_view code);

}  // namespace emucc
