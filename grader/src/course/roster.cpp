// Head lists the known columns.
#include "course/roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/columns.hpp"
#include "course/csv_file.hpp"

namespace grader {
namespace {

/// Numbers of the known columns; negative: missing.
struct Head {
  int id = -1, number = -1, email = -1, name = -1, first = -1, last = -1, group = -1, extension = -1,
      deadline = -1;

  explicit Head(const CsvFile::Row& row) {
    const auto find = [&](std::initializer_list<const char*> names) {
      for (const char* const word : names)
        if (const int column = column_of(row, word); column >= 0) return column;
      return -1;
    };
    id = find({"id", "username", "login", "student"});
    number = find({"number", "user_id", "identifier", "participant", "sid"});
    email = find({"email", "email_address", "e-mail"});
    name = find({"name", "full_name"});
    // Canvas's list of marks has "Student" for the name and "ID" for its number.
    if (const int student = find({"student"}); name < 0 && student != id) name = student;
    first = find({"first_name"});
    last = find({"last_name", "surname"});
    group = find({"group", "groups", "section"});
    extension = find({"extension_hours"});
    deadline = find({"deadline"});
  }
};

double hours(const CsvFile& csv, const CsvFile::Row& row, const std::string& text) {
  if (text.empty()) return 0;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value) || value < 0 || value > 1e5)
    csv.fail(row.line, fmt::format("extension_hours is \"{}\"; expected a number of hours", printable(text)));
  return value;
}

}  // namespace

std::string participant_number(const std::string& identifier) {
  const std::size_t blank = identifier.rfind(' ');
  return blank == std::string::npos ? identifier : identifier.substr(blank + 1);
}

std::map<std::string, Student> read_roster(const fs::path& file) {
  CsvFile csv(file);
  CsvFile::Row row;
  if (!csv.next(row)) csv.fail(1, "is empty; expected a head such as id,name,group");
  const Head head(row);
  if (head.id < 0)
    csv.fail(row.line, "has no column \"id\" (nor username, login or student)",
             "name the column with what folders and archives are called: id");
  std::map<std::string, Student> students;
  while (csv.next(row)) {
    const auto cell = [&](int column) { return row.cell(column); };
    Student student;
    student.id = cell(head.id);
    student.name = cell(head.name);
    if (student.id.empty() && student.name == "Points Possible")
      continue;  // a line that Canvas adds, without a student
    if (student.id.empty()) csv.fail(row.line, "a student has no id");
    student.number = participant_number(cell(head.number));
    student.email = cell(head.email);
    if (student.name.empty()) {
      student.name = cell(head.first);
      if (const std::string last = cell(head.last); !last.empty())
        student.name += (student.name.empty() ? "" : " ") + last;
    }
    student.group = cell(head.group);
    student.extension_hours = hours(csv, row, cell(head.extension));
    if (const std::string moment = cell(head.deadline); !moment.empty()) {
      student.deadline = seconds_of(moment);
      if (!student.deadline)
        csv.fail(row.line,
                 fmt::format(
                     "deadline is \"{}\"; expected a time with its zone, such as 2030-01-31T23:59:00+01:00",
                     printable(moment)));
    }
    if (!students.emplace(student.id, student).second)
      csv.fail(row.line, fmt::format("\"{}\" is listed twice", printable(student.id)));
  }
  if (students.empty()) csv.fail(row.line, "lists no student below its head");
  return students;
}

}  // namespace grader
