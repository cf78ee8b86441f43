// Names come from students' files. Terminals and spreadsheets get them as plain text, regardless of their content.
#include "report/class_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/columns.hpp"
#include "base/csv_row.hpp"
#include "report/mark_words.hpp"
#include "report/report.hpp"

namespace grader {
namespace {

std::string verdict_of(const Mark& mark) {
  if (mark.attempts == 0) return "nothing handed in";
  return mark.counted == 0 ? "not graded" : words(mark.verdict);
}

}  // namespace

std::string marks_text(const std::vector<Mark>& marks, const Style& style) {
  const bool asked = std::any_of(marks.begin(), marks.end(),
                                 [](const Mark& mark) { return mark.answers || mark.answer_points; });
  const bool added =
      std::any_of(marks.begin(), marks.end(), [](const Mark& mark) { return mark.added != 0; });
  std::vector<Align> alignment = {Align::left, Align::left, Align::right, Align::right, Align::right};
  std::vector<std::string> head = {"Student", "Result", "Points", "Late", "Mark"};
  if (added) {
    alignment.push_back(Align::right);
    head.insert(head.end() - 1, "By hand");
  }
  if (asked) {
    alignment.push_back(Align::right);
    head.push_back("Answers");
  }
  Columns columns(alignment);
  columns.add(head);
  std::map<std::string, int> namesakes;
  for (const Mark& mark : marks) ++namesakes[mark.name];
  for (const Mark& mark : marks) {
    std::string name = cut_to(printable(mark.name.empty() ? mark.student : mark.name), 30);
    if (!mark.name.empty() && namesakes[mark.name] > 1)
      name += fmt::format(" ({})", cut_to(printable(mark.student), 30));
    const std::string attempt =
        mark.attempts > 1 ? fmt::format(", attempt {} of {}", mark.counted, mark.attempts) : "";
    const bool counts = mark.counted != 0;
    std::vector<std::string> line = {
        name, verdict_of(mark) + (counts ? attempt : ""), counts ? points_text(mark.points) : "",
        counts && mark.share < 1 ? fmt::format("× {}", points_text(mark.share)) : "",
        counts || mark.attempts == 0 ? points_text(mark.mark()) : ""};
    if (added) line.insert(line.end() - 1, mark.added != 0 ? added_text(mark) : "");
    if (asked) line.push_back(answers_text(mark));
    columns.add(std::move(line));
  }
  return columns.text(0, style.width);
}

std::string marks_csv(const std::vector<Mark>& marks) {
  const bool by_hand = std::any_of(marks.begin(), marks.end(),
                                   [](const Mark& mark) { return mark.added != 0 || !mark.comment.empty(); });
  const bool asked =
      std::any_of(marks.begin(), marks.end(), [](const Mark& mark) { return mark.answers.has_value(); });
  const bool counted = std::any_of(marks.begin(), marks.end(),
                                   [](const Mark& mark) { return mark.answer_points.has_value(); });
  std::string out =
      "student,name,number,group,attempts,counted,received_at,verdict,points,share,mark,max_points";
  if (by_hand) out += ",added,comment";
  if (asked) out += ",right_answers,questions";
  if (counted) out += ",answer_points";
  out += "\r\n";
  for (const Mark& mark : marks) {
    const bool counts = mark.counted != 0 || mark.attempts == 0;
    const std::string verdict = mark.attempts == 0  ? "not_handed_in"
                                : mark.counted == 0 ? "not_graded"
                                                    : to_string(mark.verdict);
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", csv_cell(mark.student), csv_cell(mark.name),
                       csv_cell(mark.number), csv_cell(mark.group), mark.attempts, mark.counted,
                       mark.received_at, verdict, counts ? points_text(mark.points) : "",
                       counts ? points_text(mark.share) : "", counts ? points_text(mark.mark()) : "",
                       points_text(mark.max_points));
    if (by_hand) out += fmt::format(",{},{}", points_text(mark.added), csv_cell(mark.comment));
    if (asked)
      out += mark.answers ? fmt::format(",{},{}", mark.answers->right, mark.answers->questions) : ",,";
    if (counted) out += "," + points_text(mark.answer_points.value_or(0));
    out += "\r\n";
  }
  return out;
}

}  // namespace grader
