/// @file
/// Words of a command line that come inside other text:
/// response files, environment variables, lists with commas.
#pragma once
#include <string>
#include <vector>

namespace emucc {

/// Parts of a text between any of the separators, none of them empty.
std::vector<std::string> split(const std::string& text, const char* separators);

/// Words as a shell reads them, without its expansions:
/// blanks separate, quotes keep together, backslashes escape.
std::vector<std::string> shell_words(const std::string& text);

/// What nvcc hands on of an option's value with several flags in it, as -Xcompiler's: commas and blanks
/// separate unless quoted or behind a backslash, and a shell reads what comes out.
std::vector<std::string> flags_of(const std::string& value);

inline void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace emucc
