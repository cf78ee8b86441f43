/// @file
/// Distinguishes code from comments and strings in C++ text. This is enough to find calls and to compare
/// lines. There is no preprocessing, and types are unknown.
#pragma once
#include <string>
#include <vector>

namespace grader {

/// The kind of one byte of a source.
enum class TextKind : unsigned char {
  code,
  comment_start,  ///< the first '/' of a comment
  comment,
  string,  ///< string, raw string and character literals, with their quotes
  macro,   ///< the code of a `define` directive
};

/// The kind of each byte.
std::vector<TextKind> classify(const std::string& text);

/// A line of a text without its line end (LF or CRLF), and its offset in the text.
struct SourceLine {
  std::string text;
  std::size_t begin = 0;
};
std::vector<SourceLine> source_lines(const std::string& text);

}  // namespace grader
