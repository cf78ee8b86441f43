// Tests that records fit a terminal and a spreadsheet, regardless of the students' names.
#include "report/record_list.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/columns.hpp"

namespace grader {
namespace {

using testing::HasSubstr;
using testing::Not;

RecordSummary record(std::int64_t id, const std::string& student, double points) {
  RecordSummary r;
  r.id = id;
  r.started_at = "2030-01-02T03:04:05Z";
  r.lab = "lab1.1";
  r.origin = student.empty() ? "student" : "folder";
  r.backend = "emu";
  r.verdict = "requirement_failed";
  r.points = points;
  r.max_points = 14;
  r.student = student;
  r.course = student.empty() ? "" : "/class";
  r.attempt = student.empty() ? 0 : 1;
  return r;
}

TEST(RecordList, FitsEightyColumns) {
  const std::vector<RecordSummary> records = {
      record(10000, "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine", 12.33), record(9, "", 3),
      record(8, "evil\x1b[2J\xe2\x80\xae", 0)};
  for (const std::string& text : {records_text(records, Style{}), history_text(records, Style{})}) {
    for (const std::string& line : split_lines(text)) EXPECT_LE(display_width(line), 80) << line;
    EXPECT_THAT(text, HasSubstr("12.33/14"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\xe2\x80\xae")));
  }
}

TEST(RecordList, AHistoryShowsTheBestSoFarAndLateAttempts) {
  std::vector<RecordSummary> records = {record(1, "ada", 3), record(2, "ada", 7), record(3, "ada", 5)};
  records[2].received_at = "2030-01-03T00:00:00Z";
  records[2].due_at = "2030-01-02T00:00:00Z";
  records[2].attempt = 3;
  const std::vector<std::string> lines = split_lines(history_text(records, Style{}));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0], "ada, lab1.1 level 1");
  EXPECT_THAT(lines[2], HasSubstr(" 3/14     3"));
  EXPECT_THAT(lines[4], HasSubstr(" 5/14     7"));
  EXPECT_THAT(lines[4], HasSubstr("3, late"));
  EXPECT_THAT(lines[3], Not(HasSubstr("late")));
}

TEST(RecordList, AHistoryIsOneOfEachStudent) {
  const std::string text =
      history_text({record(1, "ada", 3), record(2, "bob", 9), record(3, "ada", 5)}, Style{});
  EXPECT_LT(text.find("5/14"), text.find("bob"));
  EXPECT_THAT(text, HasSubstr("9/14     9"));
}

TEST(RecordList, CsvIsQuotedAndHasNoFormulas) {
  const std::string csv = records_csv({record(1, "=cmd(),\"x\"", 3)});
  EXPECT_THAT(csv, HasSubstr(",\"'=cmd(),\"\"x\"\"\","));
  const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  const std::vector<std::string> lines = split_lines(csv);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(commas(lines[0]) + 1, commas(lines[1])) << "one more inside of quotes";
}

}  // namespace
}  // namespace grader
