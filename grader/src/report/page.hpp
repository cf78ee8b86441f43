/// @file
/// Shared by the pages of a class: one HTML file each, which needs no network and no server, works on a phone,
/// printed, with the keyboard only, and without its script. Foreign text is inserted only through foreign_text().
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// @param title, body markup: foreign text in them has gone through foreign_text()  @param head more elements for its
///         head
std::string page(const std::string& title, const std::string& body, const std::string& head = {});

/// A table's cell: its markup, and its sort key if that is not its text.
struct PageCell {
  std::string markup;
  std::optional<double> key = {};
};
struct PageTable {
  std::string id, caption;                  ///< the caption is for screen readers only
  std::vector<std::string> heads;           ///< markup
  std::vector<bool> is_number;              ///< for each column: right-aligned, and sorted as numbers
  std::vector<std::vector<PageCell>> rows;  ///< the first cell heads its row
  bool sortable = false;
  std::string filter = {};    ///< label of the field that filters its rows; empty: none
  std::string filtered = {};  ///< the noun for filtered rows: "students"
};
std::string table_markup(const PageTable& table);

/// A bar for each, with its value above it.
struct Bar {
  std::string label;
  int value = 0;
};
/// @param words the content, for readers who can't see it
std::string bars_svg(const std::vector<Bar>& bars, const std::string& axis, const std::string& words);

/// Values on a logarithmic axis of seconds, one line each, with marks.
struct TimeLine {
  std::string label;
  std::vector<double> values;
  std::optional<double> reference, limit;
};
/// Empty without values.
std::string times_svg(const std::vector<TimeLine>& lines, const std::string& words);

/// Ranks after each moment, a line each with its name at the end; 0: not on the board yet.
struct RankLine {
  std::string label;
  std::vector<int> ranks;
};
std::string ranks_svg(const std::vector<RankLine>& lines, const std::vector<std::string>& moments,
                      const std::string& words);

}  // namespace grader
