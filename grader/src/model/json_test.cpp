// Tests that written values, including hostile text, are read back unchanged, and that invalid gradings are rejected
// with a sentence.
#include "model/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"

namespace grader {
namespace {

Grading full_grading() {
  Grading g;
  g.lab = "lab1.1";
  g.level = 2;
  g.origin = Origin::folder;
  g.submission = "/home/ada/lab1.1";
  g.sources_sha256 = "ab12";
  g.backend = Backend::gpu;
  g.device = "NVIDIA H200";
  g.started_at = "2030-01-02T03:04:05Z";
  g.verdict = Verdict::wrong_answer;
  g.points = 6.5;
  g.max_points = 10;
  g.todo = {{4, "matrixmul.cu", 41}};
  g.parts = {{1, "Allocate", 2, 2, false}, {4, "Free \"everything\"", 0, 1, true}};
  CaseResult c;
  c.id = "n8";
  c.visibility = Visibility::after_due_date;
  c.verdict = Verdict::wrong_answer;
  c.points = 0;
  c.max_points = 1;
  c.message = "56 of 64 elements are wrong.";
  c.next_step = "look at row and column";
  c.place = {"a.cu", 9};
  c.mismatch = Mismatch{56, 64, {{{0, 1}, "17", "23"}}, "transposed", "Rows and columns are swapped."};
  c.wall_s = 0.25;
  c.times = {{{Measure::Kind::h2d}, 1e-6}, {{Measure::Kind::kernel}, 0.5}};
  c.output_excerpt = "line\nline";
  Finding finding;
  finding.rule = "race";
  finding.error = false;
  finding.headline = "two threads touch tile[0]";
  finding.kernel = "product";
  finding.array = "tile";
  finding.parties = {{"write by thread (0,0,0)", "a.cu", 12, 5, 17, "tile[t] = 1;", 4}};
  finding.notes = {"a note"};
  finding.first = "in the 2nd turn";
  finding.hint = "a barrier";
  finding.count = 30720;
  finding.blocks = 4;
  c.findings = {finding};
  c.checker_silent = true;
  c.element = "P[0][1]";
  g.check = true;
  g.cases = {c};
  g.diagnostics = "a.cu:1: warning: x";
  g.notes = {"one", "two"};
  g.time_source = "cupti";
  g.build_s = 1;
  g.run_s = 2;
  g.total_s = 3.125;
  return g;
}

TEST(Json, GradingIsReadBackWhole) {
  const Grading g = full_grading();
  const nlohmann::json first = to_json(g);
  // The grading passes through text, so that the test covers doubles and strings, too.
  const Grading back = grading_from_json(parse_json(json_text(first), "test"));
  EXPECT_EQ(to_json(back), first);
  EXPECT_EQ(back.cases.at(0).mismatch->first.at(0).index, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(back.todo.at(0).file, "matrixmul.cu");
  EXPECT_EQ(back.cases.at(0).visibility, Visibility::after_due_date);
  EXPECT_TRUE(back.check);
  const Finding& finding = back.cases.at(0).findings.at(0);
  EXPECT_FALSE(finding.error);
  EXPECT_EQ(finding.parties.at(0).end_column, 17u);
  EXPECT_EQ(finding.parties.at(0).indent, 4u);
  EXPECT_EQ(finding.count, 30720u);
}

TEST(Json, EveryVerdictIsReadBack) {
  for (int i = 0; i <= static_cast<int>(Verdict::grader_fault); ++i) {
    Grading g;
    g.verdict = static_cast<Verdict>(i);
    EXPECT_EQ(grading_from_json(to_json(g)).verdict, g.verdict);
  }
}

TEST(Json, TableIsReadBackWhole) {
  Table t;
  t.lab = "lab1.1";
  t.spec = {"sizes",
            "Time by size",
            {{"Matrix size", Axis::Kind::argument, {"8", "128"}, {"8"}, {"8×8", "128×128"}},
             {"TILE", Axis::Kind::macro, {"4"}, {}, {}}},
            {{"ratio", "Ratio", {Measure::Kind::ratio, "kernel"}, "1"}},
            "128",
            7};
  t.backend = Backend::gpu;
  t.device = "d";
  t.time_source = "cupti";
  t.measured_at = "2030-01-02T03:04:05Z";
  t.machine = "a GPU and its driver";
  t.command = "grader table lab1.1";
  t.fingerprint = "0123";
  t.notes = {"CUB: does not compile"};
  t.spec.search = true;
  t.rows = {{{"8", "4"}, "8×8", {{{1, 3, 2}}}, ""}, {{"128", "4"}, "128×128", {{}}, "out of time"}};
  const nlohmann::json first = to_json(t);
  EXPECT_EQ(first["rows"][0]["cells"][0]["median"], 2.0);
  EXPECT_TRUE(first["rows"][1]["cells"][0]["median"].is_null());
  EXPECT_EQ(to_json(table_from_json(parse_json(json_text(first), "test"))), first);
}

TEST(Json, MeasuresAndAxesKeepTheirWords) {
  Table t;
  t.spec.axes = {{"TILE", Axis::Kind::macro, {"4"}, {}, {}}, {"Size", Axis::Kind::argument, {"8"}, {}, {}}};
  t.spec.columns = {{"peer:cub", "CUB", {Measure::Kind::peer, "cub"}, "s"}};
  nlohmann::json json = to_json(t);
  EXPECT_EQ(json["axes"][0]["is_macro"], true);
  EXPECT_EQ(json["axes"][1]["is_macro"], false);
  EXPECT_EQ(json["columns"][0]["measure"], "peer:cub");
  json["columns"][0]["measure"] = "watts";
  EXPECT_THROW(table_from_json(json), Error);

  Grading g = full_grading();
  json = to_json(g);
  EXPECT_EQ(json["cases"][0]["times"], (nlohmann::json{{"h2d", 1e-6}, {"kernel", 0.5}}));
  json["cases"][0]["times"]["watts"] = 3;
  EXPECT_EQ(grading_from_json(json).cases[0].times.size(), 2u) << "what a newer grader measured is left out";
}

TEST(Json, BytesThatAreNoUtf8DoNotStopIt) {
  Grading g = full_grading();
  g.cases[0].output_excerpt = "caf\xe9 \xff";
  const std::string text = json_text(to_json(g));
  EXPECT_NE(text.find("caf\xEF\xBF\xBD"), std::string::npos);
  EXPECT_NO_THROW(grading_from_json(parse_json(text, "test")));
}

TEST(Json, UnknownNamesAreIgnoredAndMissingOnesAreDefaults) {
  const Grading g =
      grading_from_json({{"lab", "lab0"}, {"level", 1}, {"verdict", "passed"}, {"from_the_future", 3}});
  EXPECT_EQ(g.lab, "lab0");
  EXPECT_EQ(g.origin, Origin::student);
}

TEST(Json, OtherValuesAreRefused) {
  EXPECT_THROW(grading_from_json({{"lab", 3}, {"level", 1}, {"verdict", "passed"}}), Error);
  EXPECT_THROW(grading_from_json({{"lab", "l"}, {"level", 1}, {"verdict", "splendid"}}), Error);
  EXPECT_THROW(grading_from_json({{"level", 1}}), Error);
  EXPECT_THROW(table_from_json(nlohmann::json::array()), Error);
  EXPECT_THROW(parse_json("{\"lab\":", "record 7"), Error);
}

TEST(Json, OfWholeNumbersAlone) {
  EXPECT_EQ(json_of_whole_numbers(R"({"a":[1,-2,{"b":"1.5"}]})")["a"][1], -2);
  EXPECT_TRUE(json_of_whole_numbers(R"({"a":[1,{"b":3e32}]})").is_null());
  EXPECT_TRUE(json_of_whole_numbers("{").is_null());
}

TEST(Json, ErrorsHaveAForm) {
  const nlohmann::json json = to_json(Error(ErrorKind::usage, "No such lab.", "grader list"));
  EXPECT_EQ(json["error"], "No such lab.");
  EXPECT_EQ(json["next"], "grader list");
  EXPECT_EQ(json["kind"], "usage");
}

}  // namespace
}  // namespace grader
