// Tests which cases are checked at which sizes, and which verdicts follow from findings.
#include "check/checking.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Case a_case(const std::string& id, std::optional<std::vector<std::string>> checked = {}) {
  Case c;
  c.id = id;
  c.args = {"512"};
  c.verify = Verify::gold;
  c.requirements = {Requirement::freed};
  c.checked = std::move(checked);
  return c;
}

Finding a_finding(const std::string& rule, bool error = true) {
  Finding finding;
  finding.rule = rule;
  finding.error = error;
  finding.headline = "two threads touch tile[0]";
  finding.hint = "a barrier";
  return finding;
}

CaseResult with(Verdict verdict) {
  CaseResult result;
  result.verdict = verdict;
  result.mismatch = Mismatch{};
  return result;
}

TEST(Checking, TakesTheCasesThatTheLabNamesAtTheirSizes) {
  Lab lab;
  lab.cases = {a_case("large"), a_case("small", {{"37"}}), a_case("same", {{"512"}})};
  const Lab checked = checking_lab(lab);
  ASSERT_EQ(checked.cases.size(), 2u);
  EXPECT_THAT(checked.cases[0].args, ElementsAre("37"));
  EXPECT_EQ(checked.cases[0].verify, Verify::oracle) << "the gold is of another size";
  EXPECT_THAT(checked.cases[0].requirements, IsEmpty());
  EXPECT_EQ(checked.cases[1].verify, Verify::gold);
  EXPECT_EQ(checking_lab(checked).cases.size(), 2u) << "as often as you like";
}

TEST(Checking, OneOfSeveralCasesWithTheSameProgramAndArgumentsIsEnough) {
  Lab lab;
  lab.cases = {a_case("hidden", {{"37"}}), a_case("other", {{"37"}}), a_case("itself", {{"512"}}),
               a_case("twin", {{"512"}}), a_case("tiles", {{"37"}})};
  lab.cases[0].visibility = Visibility::hidden;
  lab.cases[2].args = {"37"};
  lab.cases[2].checked = {{"37"}};
  lab.cases[4].macros = {{"BLOCK_SIZE", "6"}};
  std::vector<std::string> ids;
  for (const Case& c : checking_lab(lab).cases) ids.push_back(c.id);
  EXPECT_THAT(ids, ElementsAre("itself", "twin", "tiles"));
  EXPECT_EQ(checkable_lab(lab).cases.size(), 5u) << "each of them can be asked for by its name";
  EXPECT_TRUE(checked_alike(lab.cases[0], lab.cases[2]));
  EXPECT_FALSE(checked_alike(lab.cases[0], lab.cases[4])) << "another program";
}

TEST(Checking, ACaseRunsTheCheckerUnlessItSaysWhyNotOrHasNoResult) {
  Case c = a_case("small", {{"37"}});
  EXPECT_TRUE(c.asks_checker());
  EXPECT_FALSE(a_case("large").asks_checker()) << "nobody knows at which size";
  c.unchecked = "its race is the lesson of the next lab";
  EXPECT_FALSE(c.asks_checker());
  c.unchecked.clear();
  c.verify = Verify::none;
  EXPECT_FALSE(c.asks_checker());
}

TEST(Checking, ALabThatNamesNoneIsCheckedWithItsVisibleCases) {
  Lab lab;
  lab.cases = {a_case("visible"), a_case("hidden"), a_case("gpu")};
  lab.cases[1].visibility = Visibility::hidden;
  lab.cases[2].backends = {Backend::gpu};
  const Lab checked = checking_lab(lab);
  ASSERT_EQ(checked.cases.size(), 1u);
  EXPECT_EQ(checked.cases[0].id, "visible");
}

TEST(Checking, AFindingIsTheVerdictWhateverTheOutputWas) {
  for (const Verdict verdict : {Verdict::passed, Verdict::wrong_answer, Verdict::crash, Verdict::time_out}) {
    CaseResult result = with(verdict);
    judge_findings(result, {{}, {{a_finding("leak", false), a_finding("race"), a_finding("barrier")}}});
    EXPECT_EQ(result.verdict, Verdict::finding) << to_string(verdict);
    EXPECT_EQ(result.message, "2 mistakes, the first: race: two threads touch tile[0].");
    EXPECT_EQ(result.next_step, "a barrier");
    EXPECT_FALSE(result.mismatch);
    EXPECT_EQ(result.findings.size(), 3u);
  }
}

TEST(Checking, BlanksComeFirst) {
  CaseResult result = with(Verdict::todo);
  judge_findings(result, {{}, {{a_finding("race")}}});
  EXPECT_EQ(result.verdict, Verdict::todo);
}

TEST(Checking, AWarningFailsNothing) {
  CaseResult result = with(Verdict::passed);
  judge_findings(result, {{}, {{a_finding("leak", false)}}});
  EXPECT_EQ(result.verdict, Verdict::passed);
  EXPECT_EQ(result.findings.size(), 1u);
}

TEST(Checking, NoReportIsNoPass) {
  CaseResult result = with(Verdict::passed);
  judge_findings(result, {});
  EXPECT_EQ(result.verdict, Verdict::no_output);
  EXPECT_THAT(result.message, HasSubstr("left no report"));
  result = with(Verdict::crash);
  judge_findings(result, {});
  EXPECT_EQ(result.verdict, Verdict::crash) << "what ended the program is known";
}

TEST(Checking, BlindSpotsNameTheCommandThatSeesMore) {
  Lab lab;
  lab.id = "lab2.1";
  EXPECT_THAT(blind_spots("grader check lab2.1"), HasSubstr("grader check lab2.1 --backend emu"));
}

}  // namespace
}  // namespace grader
