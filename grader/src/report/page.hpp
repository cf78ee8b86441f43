/// @file
/// Functions that all pages of a class use. Each page is one HTML file, which needs no network and no server.
/// It works on a phone, on paper, with only the keyboard, and without its script. Text from students is
/// inserted only through foreign_text().
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// @param title, body markup; foreign text in them must have passed through foreign_text() @param head more elements
///         for the page's head
std::string page(const std::string& title, const std::string& body, const std::string& head = {});

/// A table's cell: its markup, and a sort key if the table is not sorted by the text itself.
struct PageCell {
  std::string markup;
  std::optional<double> key = {};
};
struct PageTable {
  std::string id, caption;         ///< the caption is for screen readers only
  std::vector<std::string> heads;  ///< markup
  std::vector<bool> is_number;     ///< for each column, whether it is right-aligned and sorted as numbers
  std::vector<std::vector<PageCell>> rows;  ///< the first cell heads its row
  bool sortable = false;
  std::string filter = {};    ///< label of the field that filters its rows; empty: none
  std::string filtered = {};  ///< the noun for filtered rows: "students"
};
std::string table_markup(const PageTable& table);

/// A bar, with its value above it.
struct Bar {
  std::string label;
  int value = 0;
};
/// @param words the content, for readers who can't see it
std::string bars_svg(const std::vector<Bar>& bars, const std::string& axis, const std::string& words);

/// One line of values on a logarithmic axis of seconds, with marks.
struct TimeLine {
  std::string label;
  std::vector<double> values;
  std::optional<double> reference, limit;
};
/// Draws the lines; empty if there are no values.
std::string times_svg(const std::vector<TimeLine>& lines, const std::string& words);

/// A line with the ranks after each moment, and its name at the end. Rank 0 means not on the board yet.
struct RankLine {
  std::string label;
  std::vector<int> ranks;
};
std::string ranks_svg(const std::vector<RankLine>& lines, const std::vector<std::string>& moments,
                      const std::string& words);

}  // namespace grader
