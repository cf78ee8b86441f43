#include "course/comments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/columns.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "catalog/catalog.hpp"
#include "course/csv_file.hpp"

namespace grader {
namespace {

constexpr double most_points = 1000;

double points_in(const CsvFile& csv, const CsvFile::Row& row, const std::string& text) {
  if (text.empty()) return 0;
  const std::size_t sign = text[0] == '+' ? 1 : 0;
  const char* const end = text.data() + text.size();
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data() + sign, end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value) || std::abs(value) > most_points)
    csv.fail(row.line, fmt::format("points is \"{}\"; expected a number such as -1 or 0.5", printable(text)));
  return value;
}

}  // namespace

std::vector<Comment> read_comments(const fs::path& file) {
  CsvFile csv(file);
  CsvFile::Row row;
  if (!csv.next(row)) csv.fail(1, "is empty; expected the head student,points,comment");
  const int student = column_of(row, {"student", "id"}), points = column_of(row, {"points"}),
            text = column_of(row, {"comment"});
  if (student < 0 || (points < 0 && text < 0))
    csv.fail(row.line, "has no column \"student\" with \"points\" or \"comment\" beside it",
             "begin it with: student,points,comment");
  std::vector<Comment> out;
  while (csv.next(row)) {
    out.push_back({row.cell(student), points_in(csv, row, row.cell(points)), row.cell(text), row.line});
    if (out.back().student.empty()) csv.fail(row.line, "no student is named");
  }
  return out;
}

void need_known_students(const fs::path& file, const std::vector<Comment>& comments,
                         const std::set<std::string>& students) {
  for (const Comment& comment : comments) {
    if (students.count(comment.student) != 0) continue;
    const std::string near = did_you_mean(comment.student, {students.begin(), students.end()});
    throw Error(ErrorKind::usage,
                fmt::format("{}:{}: \"{}\" is no student of this class.{}", shown(file), comment.line,
                            printable(comment.student),
                            near.empty() ? "" : fmt::format(" Did you mean {}?", printable(near))),
                "name the student as the table of marks does; nothing was graded or written");
  }
}

}  // namespace grader
