#include "base/csv_row.hpp"

namespace grader {
namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \r\t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \r\t") - begin + 1);
}

}  // namespace

CsvRow read_csv_row(std::string_view text, std::size_t& at, char separator) {
  CsvRow row;
  std::string cell;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' && quoted && at + 1 < text.size() && text[at + 1] == '"') {
      cell += text[++at];
    } else if (c == '"' && (quoted || trimmed(cell).empty())) {
      quoted = !quoted;
    } else if (c == separator && !quoted) {
      row.cells.push_back(trimmed(cell));
      cell.clear();
    } else if (c == '\n' && !quoted) {
      ++at;
      break;
    } else {
      row.lines += c == '\n' ? 1 : 0;
      cell += c;
    }
  }
  row.cells.push_back(trimmed(cell));
  row.whole = !quoted;
  return row;
}

}  // namespace grader
