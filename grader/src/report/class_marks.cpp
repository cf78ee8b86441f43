// Names come from students' files: terminals and spreadsheets get them as plain text, whatever they contain.
#include "report/class_marks.hpp"

#include <fmt/format.h>

#include "base/columns.hpp"
#include "report/csv.hpp"
#include "report/report.hpp"

namespace grader {
namespace {

std::string verdict_of(const Mark& mark) {
  if (mark.attempts == 0) return "nothing handed in";
  return mark.counted == 0 ? "not graded" : words(mark.verdict);
}

}  // namespace

std::string marks_text(const std::vector<Mark>& marks, const Style& style) {
  Columns columns({Align::left, Align::left, Align::right, Align::right, Align::right});
  columns.add({"Student", "Result", "Points", "Late", "Mark"});
  for (const Mark& mark : marks) {
    const std::string name = cut_to(printable(mark.name.empty() ? mark.student : mark.name), 30);
    const std::string attempt =
        mark.attempts > 1 ? fmt::format(", attempt {} of {}", mark.counted, mark.attempts) : "";
    const bool counts = mark.counted != 0;
    columns.add({name, verdict_of(mark) + (counts ? attempt : ""), counts ? points_text(mark.points) : "",
                 counts && mark.share < 1 ? fmt::format("× {}", points_text(mark.share)) : "",
                 mark.attempts == 0 ? "0"
                 : counts           ? points_text(mark.mark())
                                    : ""});
  }
  return columns.text(0, style.width);
}

std::string marks_csv(const std::vector<Mark>& marks) {
  std::string out =
      "student,name,number,group,attempts,counted,received_at,verdict,points,share,mark,max_points\r\n";
  for (const Mark& mark : marks) {
    const bool counts = mark.counted != 0 || mark.attempts == 0;
    const std::string verdict = mark.attempts == 0  ? "not_handed_in"
                                : mark.counted == 0 ? "not_graded"
                                                    : to_string(mark.verdict);
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\r\n", csv_cell(mark.student), csv_cell(mark.name),
                       csv_cell(mark.number), csv_cell(mark.group), mark.attempts, mark.counted,
                       mark.received_at, verdict, counts ? points_text(mark.points) : "",
                       counts ? points_text(mark.share) : "", counts ? points_text(mark.mark()) : "",
                       points_text(mark.max_points));
  }
  return out;
}

}  // namespace grader
