// Tests the formats of other systems: cases and points under the systems' own names, no details of hidden
// cases, and no text that becomes markup.
#include "report/exports.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "grade/score.hpp"
#include "report/report.hpp"

namespace grader {
namespace exports_test {

using testing::HasSubstr;
using testing::Not;

CaseResult one(const std::string& id, Verdict verdict, Visibility visibility = Visibility::visible) {
  CaseResult out;
  out.id = id;
  out.verdict = verdict;
  out.visibility = visibility;
  out.max_points = 2;
  out.points = verdict == Verdict::passed ? 2 : 0;
  return out;
}

struct Exports : testing::Test {
  Lab lab;
  Grading grading;

  Exports() {
    lab.id = grading.lab = "lab1.1";
    grading.started_at = "2030-01-02T03:04:05Z";
    grading.verdict = Verdict::wrong_answer;
    grading.points = 2;
    grading.max_points = 6;
    grading.cases = {one("n8", Verdict::passed), one("n37", Verdict::wrong_answer),
                     one("secret", Verdict::wrong_answer, Visibility::hidden),
                     one("full", Verdict::unsupported)};
    grading.cases[0].times[Measure{Measure::Kind::kernel}] = 0.0025;
    grading.cases[1].message = "4 of 4 elements are wrong: <script> & \"x\" \x1b[2J";
    PartResult part;
    part.id = 3;
    part.points = 2;
    part.max_points = 6;
    grading.parts = {part};
  }
};

TEST_F(Exports, GradescopeHasATestForEachCaseThatRan) {
  const auto json = nlohmann::json::parse(gradescope_json(lab, grading));
  EXPECT_EQ(json["score"], 2);
  EXPECT_EQ(json["output_format"], "text") << "a report's columns, and kernel<<<1, 1>>>(), are no HTML";
  ASSERT_EQ(json["tests"].size(), 3u);
  EXPECT_EQ(json["tests"][0]["status"], "passed");
  EXPECT_EQ(json["tests"][1]["max_score"], 2);
  EXPECT_THAT(json["tests"][1]["output"], HasSubstr("elements are wrong"));
  EXPECT_EQ(json["tests"][2]["visibility"], "hidden");
  EXPECT_FALSE(json.contains("leaderboard"));  // not all cases pass
  grading.verdict = Verdict::passed;
  grading.backend = Backend::emu;
  EXPECT_FALSE(nlohmann::json::parse(gradescope_json(lab, grading)).contains("leaderboard"));
  grading.backend = Backend::gpu;
  EXPECT_EQ(nlohmann::json::parse(gradescope_json(lab, grading))["leaderboard"][0]["value"], 2.5);
}

TEST_F(Exports, GradescopesTestsAddUpToItsScore) {
  for (const char* const id : {"n8", "n37", "secret", "full"}) {
    Case known;
    known.id = id;
    lab.cases.push_back(known);
  }
  lab.cases[1].points = 3;
  lab.cases[2].parts = {2};
  for (const int id : {1, 2}) {
    Part part;
    part.id = id;
    part.points = 5;
    lab.parts.push_back(part);
  }
  score(lab, grading);
  const auto json = nlohmann::json::parse(gradescope_json(lab, grading));
  double sum = 0, most = 0;
  for (const auto& one : json["tests"]) {
    sum += one["score"].get<double>();
    most += one["max_score"].get<double>();
  }
  EXPECT_DOUBLE_EQ(sum, grading.points);
  EXPECT_DOUBLE_EQ(sum, json["score"].get<double>());
  EXPECT_DOUBLE_EQ(most, 10);
  EXPECT_DOUBLE_EQ(json["tests"][0]["score"].get<double>(), 5 * 1.0 / 4 + 5 * 1.0 / 5);
}

/// A program that sees a hidden input can encode it in its run time.
TEST_F(Exports, ShowNoTimeOfHiddenCases) {
  ReportOptions options;
  options.times = true;
  grading.total_s = 777.5;
  for (CaseResult& c : grading.cases) c.wall_s = c.visibility == Visibility::visible ? 1.25 : 555.5;
  for (const std::string& text : {gradescope_json(lab, grading), junit_xml(lab, grading),
                                  report_text(lab, grading, Style{}, options)}) {
    EXPECT_THAT(text, Not(HasSubstr("777"))) << text;
    EXPECT_THAT(text, Not(HasSubstr("555"))) << text;
    EXPECT_THAT(text, Not(HasSubstr("556"))) << text;
  }
  EXPECT_EQ(nlohmann::json::parse(gradescope_json(lab, grading))["execution_time"], 3 * 1.25);
  EXPECT_THAT(junit_xml(lab, grading), HasSubstr("name=\"n8\" time=\"1.250\""));
  EXPECT_THAT(report_text(lab, grading, Style{}, options), HasSubstr("1.25 s"));
}

TEST_F(Exports, AutolabHasTheParts) {
  EXPECT_EQ(autolab_line(grading), "{\"scores\":{\"part 3\":2.0}}\n");
}

TEST_F(Exports, JunitCountsAndEscapes) {
  const std::string xml = junit_xml(lab, grading);
  EXPECT_THAT(xml, HasSubstr("tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("name=\"n37\""));
  EXPECT_THAT(xml, HasSubstr("&lt;script&gt; &amp; &quot;x&quot;"));
  EXPECT_THAT(xml, Not(HasSubstr("\x1b")));
  EXPECT_THAT(xml, HasSubstr("timestamp=\"2030-01-02T03:04:05\""));
}

}  // namespace exports_test
}  // namespace grader
