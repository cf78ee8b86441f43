#include "report/csv.hpp"

#include "base/columns.hpp"

namespace grader {

std::string csv_cell(std::string text) {
  if (!text.empty() && std::string("=+-@\t\r").find(text.front()) != std::string::npos) text.insert(0, "'");
  text = printable(text, true);  // names may hold terminal escapes or bidirectional controls
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  return "\"" + replace_all(text, "\"", "\"\"") + "\"";
}

}  // namespace grader
