// Tests the leaderboard's students, nicknames and times, and that it never shows real names.
#include "course/leaderboard.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "base/test_folder.hpp"
#include "course/nicknames.hpp"
#include "course/secret.hpp"

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

GradedAttempt attempt(const std::string& student, int number, const std::string& at, double time_s,
                      Verdict verdict = Verdict::passed) {
  GradedAttempt out;
  out.hand_in.student = student;
  out.hand_in.attempt = number;
  out.hand_in.received_at = at;
  out.grading.lab = "lab1.1";
  out.grading.verdict = verdict;
  out.grading.points = verdict == Verdict::passed ? 10 : 4;
  out.grading.max_points = 10;
  CaseResult one;
  one.id = "n8";
  one.verdict = verdict;
  if (time_s > 0) one.times[Measure{Measure::Kind::kernel}] = time_s;
  out.grading.cases = {one};
  return out;
}

Lab lab() {
  Lab out;
  out.id = "lab1.1";
  Case one;
  one.id = "n8";
  out.cases = {one};
  return out;
}

const std::map<std::string, std::string> names = {{"ada", "A"}, {"bob", "B"}, {"cleo", "C"}};

std::vector<std::string> order(const Leaderboard& board) {
  std::vector<std::string> out;
  for (const Placing& one : board.placings) out.push_back(one.nickname);
  return out;
}

TEST(Leaderboard, ShowsNoTimeOfAHiddenCase) {
  Lab with_hidden = lab();
  with_hidden.cases.push_back(with_hidden.cases[0]);
  with_hidden.cases[1].id = "n9";
  with_hidden.cases[1].visibility = Visibility::hidden;
  GradedAttempt right = attempt("ada", 1, "2030-01-01T00:00:00Z", 4e-3);
  right.grading.cases.push_back(right.grading.cases[0]);
  right.grading.cases[1].id = "n9";
  right.grading.cases[1].times[Measure{Measure::Kind::kernel}] = 1;
  EXPECT_EQ(leaderboard(with_hidden, {}, {right}, names, nullptr).case_id, "n8");
}

TEST(Leaderboard, ShowsReferencesWithAllPointsAsLinesToBeat) {
  const std::vector<Reference> references = {
      {"Ref2", attempt("", 1, "", 3e-3).grading},
      {"Ref1", attempt("", 1, "", 1e-3).grading},
      {"Wrong", attempt("", 1, "", 1e-6, Verdict::wrong_answer).grading}};
  const Leaderboard board =
      leaderboard(lab(), {}, {attempt("ada", 1, "2030-01-01T00:00:00Z", 2e-3)}, names, nullptr, references);
  ASSERT_EQ(board.lines.size(), 2u);
  EXPECT_EQ(board.lines[0].name, "Ref1");
  EXPECT_EQ(board.lines[1].name, "Ref2");
  EXPECT_DOUBLE_EQ(board.lines[1].time_s, 3e-3);
  EXPECT_THAT(order(board), ElementsAre("A")) << "a reference is no student";
}

TEST(Leaderboard, RanksTheBestOfThoseWithAllPointsByTime) {
  const Grading reference = attempt("", 1, "", 1e-3).grading;
  const Leaderboard board = leaderboard(
      lab(), {},
      {attempt("ada", 1, "2030-01-01T00:00:00Z", 4e-3), attempt("ada", 2, "2030-01-04T00:00:00Z", 1.1e-3),
       attempt("bob", 1, "2030-01-02T00:00:00Z", 2e-3), attempt("bob", 2, "2030-01-05T00:00:00Z", 9e-3),
       attempt("cleo", 1, "2030-01-03T00:00:00Z", 1e-6, Verdict::wrong_answer)},
      names, &reference);
  EXPECT_TRUE(board.timed);
  EXPECT_EQ(board.students, 3u);
  ASSERT_THAT(order(board), ElementsAre("A", "B"));
  EXPECT_EQ(board.placings[0].attempt, 2);
  EXPECT_NEAR(board.placings[0].to_reference, 1.1, 1e-9);
  EXPECT_EQ(board.placings[0].threshold, 1u);  // of 2, 1.2 and 1
  EXPECT_EQ(board.placings[1].threshold, 0u);
  ASSERT_EQ(board.history.size(), 3u);  // bob's second attempt changed nothing
  EXPECT_THAT(board.history[0].ranks, ElementsAre(1, 0));
  EXPECT_THAT(board.history[1].ranks, ElementsAre(2, 1));
  EXPECT_THAT(board.history[2].ranks, ElementsAre(1, 2));
}

TEST(Leaderboard, ItsSecondRankingIsByWhatTheKernelsDo) {
  const auto counted = [](const std::string& student, int number, const KernelCounts& counts,
                          Verdict verdict = Verdict::passed) {
    GradedAttempt out = attempt(student, number, "2030-01-01T00:00:00Z", 1e-3 * number, verdict);
    out.grading.cases[0].counts = counts;
    return out;
  };
  std::map<std::string, std::string> more = names;
  more["dan"] = "D";
  more["eve"] = "E";
  std::vector<GradedAttempt> attempts = {counted("ada", 1, {100, 0, 9}),
                                         counted("ada", 2, {200, 0, 0}),  // ada's first attempt is her best
                                         counted("bob", 1, {100, 0, 8}),
                                         counted("cleo", 1, {90, 700, 1}),
                                         counted("dan", 1, {1, 0, 0}, Verdict::wrong_answer),
                                         counted("eve", 1, {100, 0, 9})};
  const Grading solution = counted("", 1, {100, 0, 8}).grading;
  const auto ranks = [](const Leaderboard& board) {
    std::string out;
    for (const CountedPlacing& one : board.counted->placings)
      out += fmt::format("{}{} ", one.rank, one.nickname);
    return out;
  };
  const Leaderboard board = leaderboard(lab(), {}, attempts, more, &solution);
  ASSERT_TRUE(board.counted);
  EXPECT_EQ(board.counted->case_id, "n8");
  EXPECT_EQ(ranks(board), "1C 2B 3A 3E ");
  ASSERT_EQ(board.counted->lines.size(), 1u);
  EXPECT_EQ(board.counted->lines[0].name, "solution");
  const std::vector<Reference> references = {{"Ref1", counted("", 1, {300, 0, 0}).grading},
                                             {"Wrong", counted("", 1, {}, Verdict::wrong_answer).grading}};
  const Leaderboard lined = leaderboard(lab(), {}, attempts, more, &solution, references);
  ASSERT_EQ(lined.counted->lines.size(), 1u);
  EXPECT_EQ(lined.counted->lines[0].name, "Ref1") << "the class's own references take the solution's place";

  // An older grader's grading has no counts. Its student is ranked by time only.
  attempts.push_back(attempt("dan", 2, "2030-01-01T00:00:00Z", 1e-3));
  EXPECT_EQ(ranks(leaderboard(lab(), {}, attempts, more, &solution)), "1C 2B 3A 3E ");
  EXPECT_FALSE(leaderboard(lab(), {}, {attempts.back()}, more, &solution).counted);
  // So does a student whose counts are of a case that the author has replaced since.
  GradedAttempt replaced = counted("dan", 3, {1, 0, 0});
  replaced.grading.cases[0].id = "old";
  attempts.push_back(replaced);
  EXPECT_EQ(ranks(leaderboard(lab(), {}, attempts, more, &solution)), "1C 2B 3A 3E ");
  Lab hidden = lab();
  hidden.cases[0].visibility = Visibility::hidden;
  EXPECT_FALSE(leaderboard(hidden, {}, attempts, more, &solution).counted);
}

TEST(Leaderboard, ItsHistoryFollowsTheFirstOfALargeClass) {
  std::vector<GradedAttempt> attempts;
  std::map<std::string, std::string> nicknames;
  for (int i = 0; i < 20; ++i) {  // each a little faster than all earlier ones
    const std::string student = fmt::format("s{:02}", i);
    nicknames[student] = student;
    attempts.push_back(attempt(student, 1, fmt::format("2030-01-{:02}T00:00:00Z", i + 1), 1e-3 * (30 - i)));
  }
  const Leaderboard board = leaderboard(lab(), {}, attempts, nicknames, nullptr);
  EXPECT_EQ(board.placings.size(), 20u);
  ASSERT_EQ(board.history.size(), 20u);
  EXPECT_THAT(board.history[0].ranks, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      << "s00 ends as the last";
  EXPECT_THAT(board.history[9].ranks, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2));
  EXPECT_THAT(board.history[19].ranks, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
}

TEST(Leaderboard, WithoutTimesWhoWasFirstIsFirst) {
  const Leaderboard board = leaderboard(
      lab(), {}, {attempt("ada", 1, "2030-01-02T00:00:00Z", 0), attempt("bob", 1, "2030-01-01T00:00:00Z", 0)},
      names, nullptr);
  EXPECT_FALSE(board.timed);
  EXPECT_THAT(order(board), ElementsAre("B", "A"));
}

TEST(Leaderboard, LeavesOutWhoHasNoNicknameAndWhoWasTooLate) {
  ClassFile course;
  course.deadline = seconds_of("2030-01-01T12:00:00Z");
  course.late.last_day = 0;
  const Leaderboard board = leaderboard(
      lab(), course,
      {attempt("ada", 1, "2030-01-02T00:00:00Z", 1e-3), attempt("dan", 1, "2030-01-01T00:00:00Z", 1e-3)},
      names, nullptr);
  EXPECT_THAT(board.placings, IsEmpty());
  EXPECT_THAT(leaderboard(lab(), {}, {}, names, nullptr).placings, IsEmpty());
}

TEST(Nicknames, RevealNoNameAndAreAllDifferent) {
  ClassFile course;
  course.students["ada"] = {.id = "ada", .name = "Ada Lovelace"};
  course.students["bob"] = {.id = "bob", .name = "Bob", .nickname = "Babbage"};
  course.students["eve"] = {.id = "eve", .name = "Eve", .nickname = ""};
  const std::vector<std::string> students = {"ada", "bob", "cleo", "dan", "eve", "finn"};
  const auto out = nicknames(
      course, students,
      {{"ada", "Warp Drive\r"}, {"cleo", "warp drive"}, {"dan", "LOVELACE fan"}, {"finn", "  "}}, "secret");
  EXPECT_EQ(out.at("bob"), "Babbage");
  EXPECT_THAT(out.at("ada"), HasSubstr("Warp Drive"));
  EXPECT_EQ(out.count("eve"), 0u);
  EXPECT_THAT(out.at("dan"), Not(HasSubstr("LOVELACE")));
  std::set<std::string> all;
  for (const auto& [student, nickname] : out) {
    EXPECT_THAT(nickname, Not(IsEmpty()));
    EXPECT_TRUE(all.insert(nickname).second) << nickname;
  }
  EXPECT_EQ(nicknames(course, students, {}, "secret"), nicknames(course, students, {}, "secret"));
  EXPECT_NE(nicknames(course, students, {}, "secret"), nicknames(course, students, {}, "another"));
}

TEST(Nicknames, AreEnoughForAnyClass) {
  std::vector<std::string> students;
  for (int i = 0; i < 3000; ++i) students.push_back("s" + std::to_string(i));
  std::set<std::string> all;
  for (const auto& [student, nickname] : nicknames({}, students, {}, "x")) all.insert(nickname);
  EXPECT_EQ(all.size(), 3000u);
}

TEST(Nicknames, AreChosenInTheHandIn) {
  EXPECT_EQ(nickname_in({{"x.cu", ""}, {"sub/nickname.txt", "Second\nand more"}}), "Second");
  EXPECT_EQ(nickname_in({{"x.cu", ""}}), "");
}

TEST(Secret, IsDrawnOnceAndPrivate) {
  const TestFolder folder;
  const std::string secret = kept_secret(folder.path / "state/secret");
  EXPECT_EQ(secret.size(), 64u);
  EXPECT_EQ(kept_secret(folder.path / "state/secret"), secret);
  EXPECT_EQ(fs::status(folder.path / "state/secret").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(folder.names("state"), std::vector<std::string>{"secret"}) << "and no part of another";
}

}  // namespace
}  // namespace grader
