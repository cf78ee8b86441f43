#include "grade/score.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace grader {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Two parts of 2 and 3 points. Case a proves both. Case b, with three times the weight, proves only part 2.
Lab small_lab() {
  Lab lab;
  lab.parts = {{1, "Copy", 2, {}}, {2, "Kernel", 3, {}}};
  lab.cases.resize(2);
  lab.cases[0].id = "a";
  lab.cases[0].parts = {1, 2};
  lab.cases[1].id = "b";
  lab.cases[1].parts = {2};
  lab.cases[1].points = 3;
  return lab;
}

Grading graded(const Lab& lab, Verdict a, Verdict b, std::vector<Todo> todo = {}) {
  Grading grading;
  grading.todo = std::move(todo);
  grading.cases.resize(2);
  grading.cases[0].id = "a";
  grading.cases[0].verdict = a;
  grading.cases[1].id = "b";
  grading.cases[1].verdict = b;
  score(lab, grading);
  return grading;
}

TEST(Score, AllPassedGivesAllPoints) {
  const Grading grading = graded(small_lab(), Verdict::passed, Verdict::passed);
  EXPECT_EQ(grading.points, 5);
  EXPECT_EQ(grading.max_points, 5);
  EXPECT_EQ(grading.verdict, Verdict::passed);
  EXPECT_EQ(exit_code(grading), 0);
  EXPECT_THAT(grading.notes, IsEmpty());
}

TEST(Score, APartThatIsGivenAtALevelDoesNotCountThere) {
  Lab lab = small_lab();
  lab.parts[0].levels = {2};
  EXPECT_EQ(graded(lab, Verdict::passed, Verdict::passed).max_points, 3);  // level 1
  Grading solution;
  solution.origin = Origin::solution;
  score(lab, solution);
  EXPECT_EQ(solution.parts.size(), 2u);
}

TEST(Score, ACaseThatDecidesAPartWithholdsItsPointsIfItFails) {
  Lab lab = small_lab();
  lab.cases[0].decides = {2};
  const Grading other_way = graded(lab, Verdict::requirement_failed, Verdict::passed);
  EXPECT_EQ(other_way.parts[0].points, 0) << "its only case failed";
  EXPECT_EQ(other_way.parts[1].points, 0);
  EXPECT_EQ(other_way.parts[1].max_points, 3);
  EXPECT_DOUBLE_EQ(graded(lab, Verdict::wrong_answer, Verdict::passed).parts[1].points, 3 * 3.0 / 4.0)
      << "a result that is not right yet";
}

TEST(Score, AWrongAnswerWithACauseComesBeforeARightOneByLuck) {
  Grading grading = graded(small_lab(), Verdict::wrong_answer, Verdict::finding);
  EXPECT_EQ(grading.verdict, Verdict::finding) << "nobody knows why the first is wrong";
  grading.cases[0].findings.resize(1);
  score(small_lab(), grading);
  EXPECT_EQ(grading.verdict, Verdict::wrong_answer);
}

TEST(Score, APartThatOnlyAGpuCanJudgeHasNoPointsWithoutOne) {
  Lab lab = small_lab();
  lab.parts[1].on_gpu = {2, "how fast it is"};
  const Grading here = graded(lab, Verdict::passed, Verdict::passed);
  EXPECT_EQ(here.max_points, 3);
  EXPECT_EQ(here.points, 3);
  EXPECT_THAT(here.notes, ElementsAre("2 of the 3 points of part 2 are not judged here: how fast it is."));
  Grading on_gpu = here;
  on_gpu.backend = Backend::gpu;
  score(lab, on_gpu);
  EXPECT_EQ(on_gpu.max_points, 5);
}

TEST(Score, APartEarnsTheWeightOfItsPassedCases) {
  const Grading grading = graded(small_lab(), Verdict::passed, Verdict::wrong_answer);
  EXPECT_EQ(grading.parts[0].points, 2);
  EXPECT_DOUBLE_EQ(grading.parts[1].points, 3 * 1.0 / 4.0);
  EXPECT_EQ(grading.max_points, 5);
  EXPECT_EQ(grading.cases[0].points, 1);
  EXPECT_EQ(grading.cases[1].points, 0);
  EXPECT_EQ(grading.cases[1].max_points, 3);
  EXPECT_EQ(grading.verdict, Verdict::wrong_answer);
  EXPECT_EQ(exit_code(grading), 1);
}

TEST(Score, ACaseThatCanNotRunHereNeitherGivesNorCosts) {
  const Grading grading = graded(small_lab(), Verdict::unsupported, Verdict::passed);
  EXPECT_EQ(grading.parts[0].max_points, 0);
  EXPECT_EQ(grading.parts[1].points, 3);
  EXPECT_EQ(grading.max_points, 3);
  EXPECT_EQ(grading.verdict, Verdict::passed);
  EXPECT_THAT(grading.notes, ElementsAre(HasSubstr("Not graded here, and not counted: part 1,")));
}

TEST(Score, NothingThatCouldRunIsTheEnvironmentsFailure) {
  const Grading grading = graded(small_lab(), Verdict::unsupported, Verdict::unsupported);
  EXPECT_EQ(grading.max_points, 0);
  EXPECT_EQ(grading.verdict, Verdict::unsupported);
  EXPECT_EQ(exit_code(grading), 3);
  EXPECT_THAT(grading.notes, ElementsAre(HasSubstr("parts 1, 2, since no case that proves them")));
}

TEST(Score, AFaultOfTheKitIsNoGrade) {
  const Grading grading = graded(small_lab(), Verdict::passed, Verdict::grader_fault);
  EXPECT_FALSE(is_graded(grading));
  EXPECT_EQ(grading.points, 0);
  EXPECT_EQ(grading.max_points, 0);
  EXPECT_EQ(grading.parts[0].points, 0);
  EXPECT_EQ(grading.parts[0].max_points, 0);
  EXPECT_EQ(grading.verdict, Verdict::grader_fault);
  EXPECT_EQ(exit_code(grading), 4);
  EXPECT_THAT(grading.notes,
              ElementsAre(AllOf(HasSubstr("the kit is at fault in case b"), HasSubstr("grades it again"))));
}

TEST(Score, AFaultOfTheKitHidesNoMistakeOfTheOtherCases) {
  const Grading grading = graded(small_lab(), Verdict::wrong_answer, Verdict::grader_fault);
  EXPECT_EQ(grading.verdict, Verdict::wrong_answer);
  EXPECT_FALSE(is_graded(grading));
  EXPECT_EQ(grading.max_points, 0);
  EXPECT_EQ(exit_code(grading), 1);
}

TEST(Score, AFaultInEveryCaseIsNoPassOfAnything) {
  const Grading grading = graded(small_lab(), Verdict::grader_fault, Verdict::grader_fault);
  EXPECT_EQ(grading.max_points, 0);
  EXPECT_EQ(exit_code(grading), 4);
  EXPECT_THAT(grading.notes, SizeIs(1)) << "and not that the parts could not run here";
}

TEST(Score, ABlankIsMarkedAtItsPart) {
  const Grading grading = graded(small_lab(), Verdict::todo, Verdict::todo, {{2, "k.cu", 7}});
  EXPECT_FALSE(grading.parts[0].todo);
  EXPECT_TRUE(grading.parts[1].todo);
  EXPECT_EQ(grading.points, 0);
  EXPECT_EQ(grading.verdict, Verdict::todo);
}

TEST(Score, ABlankThatIsNeverReachedGetsANote) {
  const Grading grading = graded(small_lab(), Verdict::passed, Verdict::passed, {{2, "k.cu", 7}});
  EXPECT_EQ(grading.points, 5);
  EXPECT_FALSE(grading.parts[1].todo);
  EXPECT_THAT(grading.notes, ElementsAre(HasSubstr("LAB_TODO(2) is still at k.cu:7")));
}

TEST(Score, ACompileErrorWithoutCasesLosesAll) {
  Lab lab = small_lab();
  lab.cases[1].backends = {Backend::gpu};
  Grading grading;
  grading.backend = Backend::emu;
  grading.verdict = Verdict::compile_error;
  score(lab, grading);
  EXPECT_EQ(grading.verdict, Verdict::compile_error);
  EXPECT_EQ(grading.points, 0);
  EXPECT_EQ(grading.max_points, 5);
  EXPECT_EQ(exit_code(grading), 1);
}

TEST(Score, ACaseWithoutPartsProvesAll) {
  Lab lab = small_lab();
  lab.cases[0].parts.clear();
  EXPECT_EQ(graded(lab, Verdict::wrong_answer, Verdict::unsupported).points, 0);
  EXPECT_EQ(graded(lab, Verdict::passed, Verdict::unsupported).points, 5);
}

TEST(Score, WeightsOfZeroDoNotDivide) {
  Lab lab = small_lab();
  lab.cases[0].points = lab.cases[1].points = 0;
  EXPECT_EQ(graded(lab, Verdict::passed, Verdict::passed).points, 5);
  EXPECT_EQ(graded(lab, Verdict::crash, Verdict::crash).points, 0);
}

TEST(Score, ScoringTwiceChangesNothing) {
  Grading grading = graded(small_lab(), Verdict::passed, Verdict::crash);
  const double points = grading.points;
  score(small_lab(), grading);
  EXPECT_EQ(grading.points, points);
  EXPECT_EQ(grading.parts.size(), 2u);
}

TEST(Score, ALargerCaseThatStopsDoesNotHideWhyASmallerOneIsWrong) {
  EXPECT_EQ(graded(small_lab(), Verdict::requirement_failed, Verdict::time_out).verdict,
            Verdict::requirement_failed);
  EXPECT_EQ(graded(small_lab(), Verdict::time_out, Verdict::requirement_failed).verdict, Verdict::time_out);
  EXPECT_EQ(graded(small_lab(), Verdict::passed, Verdict::time_out).verdict, Verdict::time_out);

  Grading grading = graded(small_lab(), Verdict::wrong_answer, Verdict::crash);
  EXPECT_EQ(grading.verdict, Verdict::crash) << "nobody knows why the first is wrong";
  grading.cases[0].mismatch.emplace().pattern = "partial-sum";
  score(small_lab(), grading);
  EXPECT_EQ(grading.verdict, Verdict::wrong_answer);
  grading.cases[0].mismatch->pattern = "box";  // names the place, not the cause
  score(small_lab(), grading);
  EXPECT_EQ(grading.verdict, Verdict::crash);
  grading.cases[0].mismatch->pattern = "partial-sum";
  grading.cases[0].visibility = Visibility::hidden;
  score(small_lab(), grading);
  EXPECT_EQ(grading.verdict, Verdict::crash) << "nothing is said of a hidden case";
}

TEST(Score, TheVerdictThatBlocksAllOthersComesFirst) {
  EXPECT_EQ(more_telling(Verdict::wrong_answer, Verdict::todo), Verdict::todo);
  EXPECT_EQ(more_telling(Verdict::todo, Verdict::compile_error), Verdict::compile_error);
  EXPECT_EQ(more_telling(Verdict::crash, Verdict::wrong_answer), Verdict::crash);
  EXPECT_EQ(more_telling(Verdict::crash, Verdict::todo), Verdict::todo);
  EXPECT_EQ(more_telling(Verdict::requirement_failed, Verdict::wrong_answer), Verdict::wrong_answer);
  EXPECT_EQ(more_telling(Verdict::passed, Verdict::requirement_failed), Verdict::requirement_failed);
  EXPECT_EQ(more_telling(Verdict::unsupported, Verdict::passed), Verdict::passed);
  EXPECT_EQ(more_telling(Verdict::grader_fault, Verdict::requirement_failed), Verdict::requirement_failed);
  EXPECT_EQ(more_telling(Verdict::passed, Verdict::grader_fault), Verdict::grader_fault);
  EXPECT_EQ(more_telling(Verdict::unsupported, Verdict::grader_fault), Verdict::grader_fault);
}

}  // namespace
}  // namespace grader
