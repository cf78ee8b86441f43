// Tests new words for old gradings: recorded words are replaced if the record has the facts, and kept otherwise.
#include "report/reworded.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

struct Reworded : testing::Test {
  Reworded() {
    lab.id = grading.lab = "lab0";
    Case c;
    c.id = "first";
    lab.cases = {c};
    CaseResult result;
    result.id = "first";
    result.message = result.next_step = "old words";
    grading.cases = {result};
  }
  CaseResult& result() { return grading.cases.front(); }
  std::vector<std::string> as_recorded() { return reword(lab, grading); }
  static Finding race() {
    Finding finding;
    finding.rule = "race";
    finding.headline = "two threads touch y[0]";
    finding.hint = "a barrier";
    return finding;
  }

  Lab lab;
  Grading grading;
};

TEST_F(Reworded, AnEndGetsWordsFromItsFacts) {
  result().verdict = Verdict::time_out;
  result().ended = RunEnd{"time_out", 0, 7};
  EXPECT_THAT(as_recorded(), ElementsAre());
  EXPECT_THAT(result().message, HasSubstr("was stopped after 7 s"));
  EXPECT_THAT(result().next_step, HasSubstr("a loop that never ends"));
}

TEST_F(Reworded, AFindingIsTheVerdictAlsoWhereTheOutputIsRight) {
  result().verdict = Verdict::finding;
  result().findings = {race()};
  EXPECT_THAT(as_recorded(), ElementsAre());
  EXPECT_EQ(result().message, "race: two threads touch y[0].");
  EXPECT_EQ(result().next_step, "a barrier");
  result().right_before_check = true;
  as_recorded();
  EXPECT_EQ(result().message, "the output is right, but under the checker: race: two threads touch y[0].");
}

TEST_F(Reworded, AWrongResultGetsTheFindingThatExplainsIt) {
  result().verdict = Verdict::wrong_answer;
  result().mismatch = Mismatch{3, 4, {}, "", ""};
  EXPECT_THAT(as_recorded(), ElementsAre());
  EXPECT_EQ(result().message, "3 of 4 elements are wrong.");
  result().findings = {race()};
  result().cause = 0;
  result().right_in_step = true;
  as_recorded();
  EXPECT_THAT(result().message, StartsWith("3 of 4 elements are wrong. The checker found why: race: two "
                                           "threads touch y[0]. With the lanes of each warp in step"));
}

TEST_F(Reworded, ACaseThatDidNotRunHereLacksNothing) {
  result().verdict = Verdict::unsupported;
  EXPECT_THAT(as_recorded(), ElementsAre());
  EXPECT_EQ(result().message, "old words");
}

TEST_F(Reworded, WordsWithoutFactsStay) {
  result().verdict = Verdict::crash;  // an old grader did not store how a run ended
  EXPECT_THAT(as_recorded(), ElementsAre("first"));
  EXPECT_EQ(result().message, "old words");
  result().ended = RunEnd{"signalled", 11};
  lab.cases.clear();
  EXPECT_THAT(as_recorded(), ElementsAre("first")) << "the lab has no such case any more";
  result().cause = 4;
  lab.cases.resize(1);
  lab.cases.front().id = "first";
  EXPECT_THAT(as_recorded(), ElementsAre()) << "a damaged record";
  result().verdict = Verdict::passed;
  result().message.clear();
  result().ended.reset();
  EXPECT_THAT(as_recorded(), ElementsAre());
}

}  // namespace
}  // namespace grader
