#include "base/csv_row.hpp"

#include "base/columns.hpp"

namespace grader {

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
      row.cells.emplace_back(trimmed(cell));
      cell.clear();
    } else if (c == '\n' && !quoted) {
      ++at;
      break;
    } else {
      row.lines += c == '\n' ? 1 : 0;
      cell += c;
    }
  }
  row.cells.emplace_back(trimmed(cell));
  row.whole = !quoted;
  return row;
}

std::string csv_cell(std::string text) {
  if (!text.empty() && std::string("=+-@\t\r").find(text.front()) != std::string::npos) text.insert(0, "'");
  text = printable(text, true);  // names may contain terminal escapes or bidirectional controls
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  return "\"" + replace_all(text, "\"", "\"\"") + "\"";
}

}  // namespace grader
