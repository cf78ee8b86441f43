// Tests that the checker's report is mapped to the submission, merged over cases, and never trusted.
#include "check/findings.hpp"

#include "base/test_folder.hpp"

namespace grader {
namespace {

using testing::ElementsAre;

constexpr const char* report = R"json({"version": 1, "new field": 3, "findings": [
  {"rule": "race", "group": "races", "error": true, "kernel": "product", "array": "tile",
   "headline": "two threads touch tile[0][0]",
   "parties": [{"what": "write by thread (0,0,0)", "file": "./tiled.cu", "line": 2, "column": 3, "end_column": 7,
                "text": ""},
               {"what": "read by thread (1,0,0)", "file": "/usr/include/x.h", "line": 9, "text": "its own"}],
   "notes": ["a note"], "first": "in the 2nd turn", "hint": "a barrier", "count": 30720, "blocks": 4}
]})json";

class FindingsTest : public testing::Test {
 protected:
  FindingsTest() { submission.files = {{"tiled.cu", "int a;\n  tile = 1; \r\n"}}; }

  TestFolder folder;
  Submission submission;
};

Finding race(unsigned first, unsigned second, std::uint64_t count = 1) {
  Finding finding;
  finding.rule = "race";
  finding.array = "tile";
  finding.parties = {{"write", "a.cu", first, 0, 0, "", 0}, {"read", "a.cu", second, 0, 0, "", 0}};
  finding.count = count;
  return finding;
}

TEST_F(FindingsTest, AreReadAndFittedToTheSubmission) {
  const auto findings = read_findings(report, submission.files);
  ASSERT_TRUE(findings);
  ASSERT_EQ(findings->size(), 1u);
  const Finding& found = findings->front();
  EXPECT_EQ(found.rule, "race");
  EXPECT_EQ(found.array, "tile");
  EXPECT_EQ(found.first, "in the 2nd turn");
  EXPECT_EQ(found.count, 30720u);
  EXPECT_EQ(found.parties[0].file, "tiled.cu");
  EXPECT_EQ(found.parties[0].text, "tile = 1;") << "from the submission, not from the report";
  EXPECT_EQ(found.parties[0].indent, 2u);
  EXPECT_EQ(found.parties[1].text, "its own") << "a file that is not the student's";
}

TEST_F(FindingsTest, OtherTextsAreNoReport) {
  EXPECT_FALSE(read_findings(std::nullopt, submission.files));
  for (const char* text : {"", "no JSON", "[]", R"({"findings": [{}]})", R"({"findings": [{"rule": 3}]})"})
    EXPECT_FALSE(read_findings(text, submission.files)) << text;
}

TEST_F(FindingsTest, AreOneWhateverCameFirst) {
  EXPECT_TRUE(same_finding(race(3, 5), race(5, 3)));
  EXPECT_FALSE(same_finding(race(3, 5), race(3, 6)));
  Finding other = race(3, 5);
  other.array = "other";
  EXPECT_FALSE(same_finding(race(3, 5), other));
}

TEST_F(FindingsTest, OfSeveralCasesArePutTogether) {
  Grading grading;
  grading.cases.resize(2);
  grading.cases[0].id = "small";
  grading.cases[1].id = "large";
  Finding leak;
  leak.rule = "leak";
  leak.error = false;
  grading.cases[0].findings = {leak, race(3, 5, 10)};
  grading.cases[1].findings = {race(5, 3, 20)};
  const std::vector<SeenFinding> all = findings_of(grading);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].finding.rule, "race") << "errors before warnings";
  EXPECT_EQ(all[0].finding.count, 30u);
  EXPECT_THAT(all[0].cases, ElementsAre("small", "large"));
  EXPECT_TRUE(any_error(grading.cases[0].findings));
  EXPECT_FALSE(any_error({leak}));
}

}  // namespace
}  // namespace grader
