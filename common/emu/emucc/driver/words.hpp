/// @file
/// Command-line words inside other text: response files, environment variables, lists with commas.
#pragma once
#include <string>
#include <vector>

namespace emucc {

/// Parts of a text between any of the separators, none of them empty.
std::vector<std::string> split(const std::string& text, const char* separators);

/// Words as a shell reads them, without its expansions:
/// blanks separate, quotes keep together, backslashes escape.
std::vector<std::string> shell_words(const std::string& text);

/// The flags that nvcc passes on from an option value such as -Xcompiler's: commas and blanks separate, unless quoted
/// or after a backslash; then the result is read like a shell's words.
std::vector<std::string> flags_of(const std::string& value);

inline void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace emucc
