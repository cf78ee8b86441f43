/// @file
/// Text in aligned columns, and text of others made safe to print. Used by every printer of the grader.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace grader {

enum class Align { left, right };

/// Lines of cells; each column is as wide as its widest cell,
/// by what a terminal shows (UTF-8, colour sequences).
class Columns {
 public:
  explicit Columns(std::vector<Align> alignment);
  /// One line. Cells beyond the columns are dropped, missing ones are empty.
  void add(std::vector<std::string> cells);
  /// @param indent  blanks before each line
  /// @param width   columns of the terminal; with `elastic`, what does not fit is taken from that column,
  ///        whose cells are wrapped
  /// @param elastic number of the column that may be wrapped; negative: none
  std::string text(int indent, int width, int elastic = -1) const;

 private:
  std::vector<Align> alignment_;
  std::vector<std::vector<std::string>> lines_;
};

/// "1 block", "2 blocks". @param many the word for several where it is not `one` with an s: "accesses"
std::string how_many(std::uint64_t count, const std::string& one, const std::string& many = {});

/// Text cut to so many columns of a terminal,
/// with "…" at its end when something was cut. It must hold no colour sequences.
std::string cut_to(const std::string& utf8, int columns);

/// Wraps text behind a prefix ("Next: "); the lines after the first stand below the text's beginning. Blanks
/// in the prefix, which may hold colour sequences, are kept.
std::string hanging(const std::string& prefix, const std::string& text, int width);

/// Text of students' programs and files without what would steer the reader's terminal or mislead the reader:
/// control characters, marks of writing direction, characters of no width and bytes that are no UTF-8 become
/// "?" (tabs become blanks), and line breaks a blank unless `keep_lines`.
std::string printable(const std::string& text, bool keep_lines = false);

/// The lines of a text without their ends; "\r\n" counts as one.
std::vector<std::string> split_lines(const std::string& text);

/// The text without blanks, tabs and carriage returns at its ends.
std::string_view trimmed(std::string_view text);

/// The text with its ASCII letters small.
std::string lower(std::string text);

/// The text with `to` in every place of `from`, which is not empty. What was put there is not looked at again.
std::string replace_all(std::string text, const std::string& from, const std::string& to);

}  // namespace grader
