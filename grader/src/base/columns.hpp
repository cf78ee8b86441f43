/// @file
/// Aligns text in columns, and makes foreign text safe to print. Every printer of the grader uses it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace grader {

enum class Align { left, right };

/// A table of text. Each column is as wide as its widest cell on a terminal (UTF-8, colour sequences).
class Columns {
 public:
  explicit Columns(std::vector<Align> alignment);
  /// Adds one row. Cells beyond the last column are dropped, and missing cells are empty.
  void add(std::vector<std::string> cells);
  /// @param indent  blanks before each line
  /// @param width   columns of the terminal. If a line is wider, the column `elastic` becomes narrower, and
  ///   its cells are wrapped
  /// @param elastic number of the column that may be wrapped; negative if there is none
  std::string text(int indent, int width, int elastic = -1) const;

 private:
  std::vector<Align> alignment_;
  std::vector<std::vector<std::string>> lines_;
};

/// "1 block", "2 blocks". @param many the plural if it is not `one` with an s: "accesses"
std::string how_many(std::uint64_t count, const std::string& one, const std::string& many = {});

/// The text, truncated to this many columns of a terminal; a truncated text ends with "…". The text must not contain
/// colour sequences.
std::string cut_to(const std::string& utf8, int columns);

/// Wraps text after a prefix ("Next: "), and indents the lines after the first to its width. The prefix may
/// contain colour sequences, and its blanks are kept.
std::string hanging(const std::string& prefix, const std::string& text, int width);

/// Text of students' programs and files, without characters that control the reader's terminal or mislead the
/// reader. Control characters, direction marks, zero-width characters and bytes that are not UTF-8 become
/// "?". Tabs become blanks, and line breaks become a blank unless `keep_lines` is set.
std::string printable(const std::string& text, bool keep_lines = false);

/// The lines of a text without their line ends; "\r\n" counts as one line end.
std::vector<std::string> split_lines(const std::string& text);

/// The text without blanks, tabs and carriage returns at its ends.
std::string_view trimmed(std::string_view text);

/// The text with its ASCII letters in lower case.
std::string lower(std::string text);

/// The text with every occurrence of `from`, which must not be empty, replaced by `to`. Replacements are not searched
/// again.
std::string replace_all(std::string text, const std::string& from, const std::string& to);

}  // namespace grader
