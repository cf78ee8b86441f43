// Tests which part is called wrong if a failed case proves several parts.
#include "report/report_parts.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

using testing::ElementsAre;

/// A lab with three parts. Case "all" proves them together; case "two" proves only the second.
Lab a_lab() {
  Lab lab;
  lab.parts = {{1, "copy", 2, {}}, {2, "launch", 2, {}}, {3, "kernel", 2, {}}};
  Case all, two;
  all.id = "all";
  all.parts = {1, 2, 3};
  two.id = "two";
  two.parts = {2};
  lab.cases = {all, two};
  return lab;
}

Grading graded(Verdict all, Verdict two) {
  Grading g;
  g.cases.resize(2);
  g.cases[0].id = "all";
  g.cases[0].verdict = all;
  g.cases[1].id = "two";
  g.cases[1].verdict = two;
  g.parts = {{1, "copy", 0, 2, false}, {2, "launch", 0, 2, false}, {3, "kernel", 0, 2, false}};
  return g;
}

std::vector<PartState> states(const Grading& g) {
  std::vector<PartState> out;
  for (const PartReport& report : part_reports(a_lab(), g)) out.push_back(report.state);
  return out;
}

TEST(Parts, ACaseThatNeedsThemAllBlamesNone) {
  const Grading g = graded(Verdict::wrong_answer, Verdict::unsupported);
  EXPECT_THAT(states(g), ElementsAre(PartState::suspect, PartState::suspect, PartState::suspect));
  EXPECT_EQ(part_to_help_with(a_lab(), g), 1);
}

TEST(Parts, ACaseOfItsOwnBlamesOne) {
  Grading g = graded(Verdict::wrong_answer, Verdict::crash);
  EXPECT_THAT(states(g), ElementsAre(PartState::suspect, PartState::suspect, PartState::suspect))
      << "nothing passes: it may be anything";
  g.cases.push_back(g.cases[0]);
  g.cases.back().verdict = Verdict::passed;
  EXPECT_THAT(states(g), ElementsAre(PartState::suspect, PartState::wrong, PartState::suspect));
  EXPECT_EQ(part_to_help_with(a_lab(), g), 2);
  EXPECT_EQ(part_reports(a_lab(), g)[1].failed->id, "two");
}

TEST(Parts, WhereTheOthersAreDoneTheLastIsWrong) {
  Grading g = graded(Verdict::wrong_answer, Verdict::passed);
  g.parts[0].points = g.parts[1].points = 2;
  EXPECT_THAT(states(g), ElementsAre(PartState::done, PartState::done, PartState::wrong));
}

TEST(Parts, APartThatNoCaseCouldJudgeIsNotWrong) {
  Grading g = graded(Verdict::todo, Verdict::todo);
  g.parts[1].todo = true;
  g.todo = {{2, "a.cu", 7}};
  EXPECT_THAT(states(g), ElementsAre(PartState::not_judged, PartState::to_do, PartState::not_judged));
  EXPECT_EQ(part_to_help_with(a_lab(), g), 2);
  EXPECT_THAT(states(graded(Verdict::compile_error, Verdict::compile_error)),
              ElementsAre(PartState::not_judged, PartState::not_judged, PartState::not_judged));
  EXPECT_EQ(part_to_help_with(a_lab(), graded(Verdict::grader_fault, Verdict::grader_fault)), 0);
}

TEST(Parts, APartWithUnjudgedCasesIsRightSoFar) {
  Grading g = graded(Verdict::todo, Verdict::passed);
  g.parts[0].todo = true;
  g.parts[1].points = 1;
  EXPECT_THAT(states(g), ElementsAre(PartState::to_do, PartState::right_so_far, PartState::not_judged));
  EXPECT_EQ(part_to_help_with(a_lab(), g), 1);
}

TEST(Parts, AreInTheOrderOfTheHandout) {
  Grading g = graded(Verdict::todo, Verdict::todo);
  std::swap(g.parts[0], g.parts[2]);
  g.todo = {{3, "a.cu", 1}, {1, "b.cu", 1}};
  EXPECT_EQ(part_reports(a_lab(), g).front().result.id, 1);
  EXPECT_EQ(todo_in_order(a_lab(), g).front().part, 1);
}

}  // namespace
}  // namespace grader
