// The code here handles only texts. The command knows where the tables come from, and where the report is.
#include "report/lab_report.hpp"

#include <fmt/format.h>

#include "base/columns.hpp"
#include "handout/outline.hpp"

namespace grader {
namespace {

constexpr std::string_view table_mark = "<!-- table ", end_mark = "<!-- end of table -->", close = " -->";

}  // namespace

std::string new_report(const std::string& form, const Lab& lab, const std::string& handout) {
  std::string tables, questions, text = form;
  for (const TableSpec& table : lab.tables)
    tables += fmt::format("### {}\n\n{}{}{}\n{}\n\n", table.title, table_mark, table.id, close, end_mark);
  int count = 0;
  for (const std::string& question : handout_questions(handout))
    questions += fmt::format("{}. *{}*\n\n   (Your answer.)\n\n", ++count, question);
  text = replace_all(text, "{{lab}}", lab.id);
  text = replace_all(text, "{{title}}", lab.title);
  text = replace_all(text, "{{tables}}\n", tables.empty() ? "(This lab has no table.)\n" : tables);
  text = replace_all(text, "{{questions}}\n", questions.empty() ? "(The handout asks none.)\n" : questions);
  return text;
}

std::string fill_report(const std::string& report, const TableText& table,
                        std::vector<std::string>& missing) {
  std::string text;
  std::size_t from = 0;
  for (;;) {
    const std::size_t mark = report.find(table_mark, from);
    const std::size_t begin = mark == std::string::npos ? mark : report.find(close, mark);
    const std::size_t end = begin == std::string::npos ? begin : report.find(end_mark, begin);
    if (end == std::string::npos) return text + report.substr(from);
    const std::size_t id = mark + table_mark.size(), content = begin + close.size();
    const std::string name = report.substr(id, begin - id), measured = table(name);
    text += report.substr(from, content - from) + "\n";
    if (measured.empty()) {
      missing.push_back(name);
      text += report.substr(content, end - content).find_first_not_of(" \n") == std::string::npos
                  ? "(not measured yet)\n"
                  : report.substr(content + 1, end - content - 1);
    } else {
      text += "\n" + measured + "\n";
    }
    from = end;
  }
}

}  // namespace grader
