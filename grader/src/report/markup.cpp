#include "report/markup.hpp"

#include "base/columns.hpp"

namespace grader {

std::string element_text(const std::string& text) {
  return replace_all(replace_all(replace_all(text, "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
}

std::string foreign_text(const std::string& text) {
  return replace_all(replace_all(element_text(printable(text, true)), "\"", "&quot;"), "'", "&#39;");
}

}  // namespace grader
