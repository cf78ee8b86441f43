/// @file
/// What the pages of a class share: one HTML file each, which needs no network and no server, can be read on a phone, printed,
/// used by keyboard alone, and works without its script, too. Text of others goes into it through foreign_text() alone.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// @param title, body markup: what is foreign in them has gone through foreign_text()  @param head more elements for its head
std::string page(const std::string& title, const std::string& body, const std::string& head = {});

/// A table's cell: what it shows, and what it is sorted by where that is not its text.
struct PageCell {
  std::string markup;
  std::optional<double> key = {};
};
struct PageTable {
  std::string id, caption;                  ///< the caption is read out, and not shown
  std::vector<std::string> heads;           ///< markup
  std::vector<bool> is_number;              ///< set to the right, and sorted as numbers; of each column
  std::vector<std::vector<PageCell>> rows;  ///< the first cell heads its row
  bool sortable = false;
  std::string filter = {};    ///< label of the field that filters its rows; empty: there is none
  std::string filtered = {};  ///< what is counted then: "students"
};
std::string table_markup(const PageTable& table);

/// A bar for each, with its value above it.
struct Bar {
  std::string label;
  int value = 0;
};
/// @param words what it shows, for those who don't see it
std::string bars_svg(const std::vector<Bar>& bars, const std::string& axis, const std::string& words);

/// Values on a logarithmic axis of seconds, one line for each, with marks.
struct TimeLine {
  std::string label;
  std::vector<double> values;
  std::optional<double> reference, limit;
};
/// Empty where there is no value.
std::string times_svg(const std::vector<TimeLine>& lines, const std::string& words);

/// Ranks after each moment, a line for each with its name at the end; 0: not yet there.
struct RankLine {
  std::string label;
  std::vector<int> ranks;
};
std::string ranks_svg(const std::vector<RankLine>& lines, const std::vector<std::string>& moments,
                      const std::string& words);

}  // namespace grader
