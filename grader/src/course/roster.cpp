// `Head` lists the known columns.
#include "course/roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/columns.hpp"
#include "course/csv_file.hpp"
#include "course/moodle_columns.hpp"

namespace grader {
namespace {

/// The places of the known columns; negative: the file lacks the column.
struct Head {
  int id = -1, number = -1, email = -1, name = -1, first = -1, last = -1, group = -1, extension = -1,
      deadline = -1;

  explicit Head(const CsvFile::Row& row) {
    namespace moodle = moodle_columns;
    const auto find = [&](std::initializer_list<const char*> ours, moodle::Names moodles = {}) {
      const int column = column_of(row, ours);
      return column >= 0 ? column : column_of(row, moodles);
    };
    id = find({"id", "username", "login", "student"}, moodle::username);
    if (id < 0) id = column_of(row, moodle::id_number);
    number = find({"number", "user id", "participant", "sid"}, moodle::identifier);
    email = find({"email", "e-mail"}, moodle::email);
    if (id < 0) id = email;  // Moodle's list of participants may have no column of user names
    name = find({"name"}, moodle::full_name);
    // Canvas's list of marks has the name in "Student" and the number in "ID".
    if (const int student = find({"student"}); name < 0 && student != id) name = student;
    first = column_of(row, moodle::first_name);
    last = column_of(row, moodle::last_name);
    group = find({"group", "section"}, moodle::group);
    extension = find({"extension hours"});
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
  if (const std::size_t blank = identifier.rfind(' '); blank != std::string::npos)
    return identifier.substr(blank + 1);
  // In German and Portuguese, no blank follows the word.
  for (const std::string word : {"Teilnehmer/in", "Participante"})
    if (identifier.starts_with(word)) return identifier.substr(word.size());
  return identifier;
}

std::map<std::string, Student> read_roster(const fs::path& file) {
  CsvFile csv(file);
  CsvFile::Row row;
  if (!csv.next(row)) csv.fail(1, "is empty; expected a head such as id,name,group");
  const Head head(row);
  if (head.id < 0)
    csv.fail(row.line, "has no column \"id\" (nor username, login, student or email)",
             "name the column that has the names of folders and archives: id");
  std::map<std::string, Student> students;
  while (csv.next(row)) {
    const auto cell = [&](int column) { return row.cell(column); };
    Student student;
    student.id = cell(head.id);
    student.name = cell(head.name);
    if (student.id.empty() && student.name == "Points Possible")
      continue;  // a line that Canvas adds, and that describes no student
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
