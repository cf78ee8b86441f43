// Spreadsheets write a byte order mark and CR LF, and separate cells by semicolons where the comma is the
// decimal point.
#include "course/csv_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.hpp"
#include "base/csv_row.hpp"
#include "base/files.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_csv = 4 << 20;
constexpr std::size_t most_columns = 1000;

}  // namespace

CsvFile::CsvFile(const fs::path& file) : file_(file), text_(read_file(file, largest_csv)) {
  if (const unsigned line = first_line_not_utf8(text_); line != 0)
    fail(line, "is no UTF-8 text", "save it as CSV in UTF-8");
  if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
  const std::string head = text_.substr(0, text_.find('\n'));
  for (const char mark : {'\t', ';', ','})  // the last separator found
    if (head.find(mark) != std::string::npos) separator_ = mark;
}

bool CsvFile::next(Row& row) {
  do {
    if (at_ >= text_.size()) return false;
    row = read_row();
  } while (row.cells.size() == 1 && row.cells[0].empty());
  return true;
}

void CsvFile::fail(unsigned line, const std::string& what, const std::string& next) const {
  throw Error(ErrorKind::usage, fmt::format("{}:{}: {}.", shown(file_), line, what), next);
}

CsvFile::Row CsvFile::read_row() {
  Row row{{}, line_};
  CsvRow read = read_csv_row(text_, at_, separator_);
  if (!read.whole) fail(line_, "a quote has no end");
  if (read.cells.size() > most_columns) fail(line_, fmt::format("more than {} columns", most_columns));
  row.cells = std::move(read.cells);
  line_ += static_cast<unsigned>(read.lines);
  return row;
}

int column_of(const CsvFile::Row& head, std::initializer_list<const char*> names) {
  const auto plain = [](std::string text) {
    text = lower(std::move(text));
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
  };
  for (const char* const name : names)
    for (std::size_t i = 0; i < head.cells.size(); ++i)
      if (plain(head.cells[i]) == plain(name)) return static_cast<int>(i);
  return -1;
}

}  // namespace grader
