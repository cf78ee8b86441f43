/// @file
/// Finds command-line words in other text: response files, environment variables, lists with commas.
#pragma once
#include <string>
#include <vector>

namespace emucc {

/// Returns the non-empty parts of a text between any of the separators.
std::vector<std::string> split(const std::string& text, const char* separators);

/// Divides a text into words as a shell does, but without a shell's expansions. Blanks separate words,
/// quotation marks keep blanks in a word, and a backslash quotes the next character.
std::vector<std::string> shell_words(const std::string& text);

/// Returns the flags that nvcc passes on from the value of an option such as -Xcompiler. Commas and blanks
/// separate flags, unless they are quoted or follow a backslash. The result is then divided like a shell's
/// words.
std::vector<std::string> flags_of(const std::string& value);

inline void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace emucc
