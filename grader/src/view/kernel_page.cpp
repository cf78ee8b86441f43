#include "view/kernel_page.hpp"

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/markup.hpp"
#include "view/film_page.hpp"
#include "view/texts.hpp"

namespace grader {

std::string kernel_page(const std::string& trace, const std::string& title) {
  // In JSON, "<" occurs only inside strings, where it can be escaped. So no text in the JSON can close the
  // element.
  const std::string safe = replace_all(trace, "<", "\\u003c");
  const std::string body =
      replace_all(kernel_html, "<h1 id=title></h1>", "<h1>" + foreign_text(title) + "</h1>");
  return fmt::format(
      "{}\n<style>\n{}</style>\n{}"
      "<script type=application/json id=trace>{}</script>\n<script>\n{}{}{}{}</script>\n",
      page_head(foreign_text(title), fmt::format("{}\n", page_maker)), kernel_css, body, safe,
      kernel_trace_js, kernel_draw_js, kernel_grid_js, kernel_js);
}

}  // namespace grader
