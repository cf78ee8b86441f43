/// @file
/// Distinguishes code from comments and strings in C++ text, enough to find calls and to compare lines: no
/// preprocessing, no types.
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

/// One kind for each byte.
std::vector<TextKind> classify(const std::string& text);

/// A text's lines without their ends (LF or CRLF), with their offsets.
struct SourceLine {
  std::string text;
  std::size_t begin = 0;
};
std::vector<SourceLine> source_lines(const std::string& text);

}  // namespace grader
