// Spreadsheets write a byte order mark, end lines with CR LF, and take semicolons where commas are decimal.
#include "course/roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/columns.hpp"
#include "base/csv_row.hpp"
#include "base/files.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_roster = 4 << 20;
constexpr std::size_t most_columns = 1000;

struct Row {
  std::vector<std::string> cells;
  unsigned line = 0;  ///< where it begins
};

class Csv {
 public:
  explicit Csv(const fs::path& file) : file_(file), text_(read_file(file, largest_roster)) {
    if (const unsigned line = first_line_not_utf8(text_); line != 0)
      fail(line, "is no UTF-8 text", "save it as CSV in UTF-8");
    if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
    const std::string head = text_.substr(0, text_.find('\n'));
    for (const char mark : {'\t', ';', ','})  // the last one that is there
      if (head.find(mark) != std::string::npos) separator_ = mark;
  }

  /// The next row that is not empty. False at the end.
  bool next(Row& row) {
    do {
      if (at_ >= text_.size()) return false;
      row = read_row();
    } while (row.cells.size() == 1 && row.cells[0].empty());
    return true;
  }

  [[noreturn]] void fail(unsigned line, const std::string& what, const std::string& next = {}) const {
    throw Error(ErrorKind::usage, fmt::format("{}:{}: {}.", shown(file_), line, what), next);
  }

 private:
  Row read_row() {
    Row row{{}, line_};
    CsvRow read = read_csv_row(text_, at_, separator_);
    if (!read.whole) fail(line_, "a quote has no end");
    if (read.cells.size() > most_columns) fail(line_, fmt::format("more than {} columns", most_columns));
    row.cells = std::move(read.cells);
    line_ += static_cast<unsigned>(read.lines);
    return row;
  }

  const fs::path file_;
  std::string text_;
  char separator_ = ',';
  std::size_t at_ = 0;
  unsigned line_ = 1;
};

/// Numbers of the columns that mean something; negative: not there.
struct Head {
  int id = -1, name = -1, first = -1, last = -1, group = -1, extension = -1, deadline = -1;

  explicit Head(const Row& row) {
    const auto find = [&](std::initializer_list<const char*> names) {
      for (const char* const word : names)
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
          std::string cell = row.cells[i];
          std::transform(cell.begin(), cell.end(), cell.begin(),
                         [](unsigned char c) { return static_cast<char>(c == ' ' ? '_' : std::tolower(c)); });
          if (cell == word) return static_cast<int>(i);
        }
      return -1;
    };
    id = find({"id", "username", "login", "student"});
    name = find({"name", "full_name"});
    first = find({"first_name"});
    last = find({"last_name", "surname"});
    group = find({"group", "groups", "section"});
    extension = find({"extension_hours"});
    deadline = find({"deadline"});
  }
};

double hours(const Csv& csv, const Row& row, const std::string& text) {
  if (text.empty()) return 0;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value) || value < 0 || value > 1e5)
    csv.fail(row.line, fmt::format("extension_hours is \"{}\"; expected a number of hours", printable(text)));
  return value;
}

}  // namespace

std::map<std::string, Student> read_roster(const fs::path& file) {
  Csv csv(file);
  Row row;
  if (!csv.next(row)) csv.fail(1, "is empty; expected a head such as id,name,group");
  const Head head(row);
  if (head.id < 0)
    csv.fail(row.line, "has no column \"id\" (nor username, login or student)",
             "name the column with what folders and archives are called: id");
  std::map<std::string, Student> students;
  while (csv.next(row)) {
    const auto cell = [&](int column) {
      return column >= 0 && static_cast<std::size_t>(column) < row.cells.size()
                 ? row.cells[static_cast<std::size_t>(column)]
                 : std::string();
    };
    Student student;
    student.id = cell(head.id);
    if (student.id.empty()) csv.fail(row.line, "a student has no id");
    student.name = cell(head.name);
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
