// Tests that the page of a class lists all students, and that no student's text becomes markup, a script, or a
// formula in the CSV.
#include "report/class_page.hpp"

#include <gmock/gmock.h>

#include "report/class_marks.hpp"

namespace grader {
namespace class_page_test {

using testing::HasSubstr;
using testing::Not;

Mark mark(const std::string& student, double points, Verdict verdict = Verdict::passed) {
  Mark out;
  out.student = student;
  out.attempts = out.counted = 1;
  out.points = points;
  out.max_points = 10;
  out.verdict = verdict;
  out.received_at = "2030-01-02T03:04:05Z";
  return out;
}

GradedAttempt attempt(const std::string& student, const std::string& message = "") {
  GradedAttempt out;
  out.hand_in.student = student;
  out.grading.lab = "lab1.1";
  out.grading.verdict = message.empty() ? Verdict::passed : Verdict::wrong_answer;
  PartResult part;
  part.id = 1;
  part.title = "The <kernel>";
  part.points = message.empty() ? 10 : 4;
  part.max_points = 10;
  out.grading.parts = {part};
  if (!message.empty()) {
    CaseResult failed;
    failed.id = "n8";
    failed.verdict = Verdict::wrong_answer;
    failed.message = message;
    Finding finding;
    finding.rule = "race";
    failed.findings = {finding};
    out.grading.cases = {failed};
  }
  return out;
}

Lab lab() {
  Lab out;
  out.id = "lab1.1";
  out.title = "Products & sums";
  return out;
}

std::string shown(const std::vector<GradedAttempt>& attempts, const std::vector<Mark>& marks) {
  const Lab its = lab();
  return class_page({.lab = its, .attempts = attempts, .marks = marks, .made_at = "2030-01-03T00:00:00Z"});
}

TEST(ClassPage, HoldsEverybodyAndWhatFails) {
  Mark absent;
  absent.student = "eve";
  const std::string page = shown({attempt("ada"), attempt("bob", "24 of 25 elements are wrong.")},
                                 {mark("ada", 10), mark("bob", 4, Verdict::wrong_answer), absent});
  EXPECT_THAT(page, HasSubstr("<title>lab1.1: Products &amp; sums</title>"));
  EXPECT_THAT(page, HasSubstr("<dd>2 of 3</dd>"));  // handed in
  EXPECT_THAT(page, HasSubstr("<dt>median</dt><dd>7</dd>"));
  EXPECT_THAT(page, HasSubstr("nothing handed in"));
  EXPECT_THAT(page, HasSubstr("Case n8: 24 of 25 elements are wrong."));
  EXPECT_THAT(page, HasSubstr("<th scope=row>race<td class=n>1"));
  EXPECT_THAT(page, HasSubstr("70 %"));                  // of part 1
  EXPECT_THAT(page, HasSubstr("4 to 5: 1; 5 to 6: 0"));  // the distribution in words
  EXPECT_THAT(page, HasSubstr("2030-01-02 03:04"));
  EXPECT_THAT(page, Not(HasSubstr("<button type=button>Group")));  // no student has a group
}

TEST(ClassPage, ListsAttemptsThatAPersonMustInspect) {
  GradedAttempt cheat = attempt("bob", "The program launched no kernel."), fast = attempt("cleo");
  cheat.grading.cases[0].verdict = Verdict::requirement_failed;
  CaseResult hidden;
  hidden.id = "n10";
  hidden.verdict = Verdict::requirement_failed;
  cheat.grading.cases.push_back(hidden);
  fast.grading.notes = {"Not checked to the end: out of time.", "Another note."};
  CaseResult quick;
  quick.id = "n9";
  quick.times[{Measure::Kind::kernel}] = 1e-6;
  fast.grading.cases = {quick};
  fast.grading.backend = Backend::gpu;
  Grading reference = fast.grading;
  reference.cases[0].times[{Measure::Kind::kernel}] = 4e-6;
  const Lab its = lab();
  const std::vector<GradedAttempt> attempts = {cheat, fast};
  const std::vector<Mark> marks = {mark("bob", 0, Verdict::requirement_failed), mark("cleo", 10)};
  const std::string page = class_page({.lab = its,
                                       .attempts = attempts,
                                       .marks = marks,
                                       .made_at = "2030-01-03T00:00:00Z",
                                       .reference = &reference});
  EXPECT_THAT(page, HasSubstr("<li>bob, attempt 1: case n8: The program launched no kernel."));
  EXPECT_THAT(page, HasSubstr("<li>bob, attempt 1: case n10: requirement not met"));
  EXPECT_THAT(page, HasSubstr("<li>cleo, attempt 1: Not checked to the end: out of time."));
  EXPECT_THAT(page, Not(HasSubstr("<li>cleo, attempt 1: Another note.")));
  EXPECT_THAT(page, HasSubstr("<li>cleo, attempt 1: case n9: its kernels take 1"));
}

TEST(ClassPage, ListsNoneForTimesOfEmulation) {
  GradedAttempt fast = attempt("cleo");
  CaseResult quick;
  quick.id = "n9";
  quick.times[{Measure::Kind::kernel}] = 1e-6;
  fast.grading.cases = {quick};
  Grading reference = fast.grading;
  reference.cases[0].times[{Measure::Kind::kernel}] = 4e-6;
  const Lab its = lab();
  const std::vector<GradedAttempt> attempts = {fast};
  const std::vector<Mark> marks = {mark("cleo", 10)};
  EXPECT_THAT(class_page({.lab = its,
                          .attempts = attempts,
                          .marks = marks,
                          .made_at = "2030-01-03T00:00:00Z",
                          .reference = &reference}),
              Not(HasSubstr("its kernels take")));
}

TEST(ClassPage, ShowsPointsAndCommentsByHand) {
  Mark its = mark("ada", 8);
  its.added = 0.5;
  its.comment = "Good <names>.";
  const std::string page = shown({attempt("ada")}, {its});
  EXPECT_THAT(page, HasSubstr("+0.5 Good &lt;names&gt;."));
  EXPECT_THAT(marks_csv({its}), HasSubstr("8,1,8.5,10,0.5,Good <names>.\r\n"));
  EXPECT_THAT(marks_text({its}, Style{}), HasSubstr("+0.5"));
}

TEST(ClassPage, CountsWhoPassedWithoutKnowing) {
  Mark knows = mark("ada", 10), guesses = mark("bob", 10), fails = mark("cleo", 4, Verdict::wrong_answer);
  knows.answers = {3, 5};
  guesses.answers = {2, 5};
  fails.answers = {1, 5};
  const std::vector<GradedAttempt> all = {attempt("ada"), attempt("bob"), attempt("cleo", "Wrong.")};
  const std::string page = shown(all, {knows, guesses, fails});
  EXPECT_THAT(page, HasSubstr("<dt>passed without knowing</dt><dd>1 of 3 asked</dd>"));
  EXPECT_THAT(page, HasSubstr(">3 of 5<"));
  EXPECT_THAT(page, HasSubstr("<span class=bad>2 of 5</span>"));
  EXPECT_THAT(page, Not(HasSubstr("<span class=bad>1 of 5</span>")));
  const std::string csv = marks_csv({knows, mark("dora", 10)});
  EXPECT_THAT(csv, HasSubstr("max_points,right_answers,questions\r\n"));
  EXPECT_THAT(csv, HasSubstr(",10,3,5\r\n"));
  EXPECT_THAT(csv, HasSubstr(",10,,\r\n"));
  EXPECT_THAT(marks_text({knows}, Style{}), HasSubstr("3 of 5"));
}

TEST(ClassPage, ShowsPointsForAnswers) {
  Mark one = mark("ada", 10), not_asked = mark("bob", 10);
  one.answers = {3, 5};
  one.answer_points = 0.6;
  not_asked.answer_points = 0;
  EXPECT_THAT(shown({attempt("ada"), attempt("bob")}, {one, not_asked}),
              AllOf(HasSubstr(">3 of 5: +0.6<"), HasSubstr(">none: +0<")));
  const std::string csv = marks_csv({one, not_asked});
  EXPECT_THAT(csv, HasSubstr(",right_answers,questions,answer_points\r\n"));
  EXPECT_THAT(csv, HasSubstr(",10.6,10,3,5,0.6\r\n"));
  EXPECT_THAT(csv, HasSubstr(",10,10,,,0\r\n"));
}

TEST(ClassPage, WithoutAnswersThereIsNoColumnForThem) {
  EXPECT_THAT(shown({attempt("ada")}, {mark("ada", 10)}), Not(HasSubstr("nswers")));
  EXPECT_THAT(marks_csv({mark("ada", 10)}), Not(HasSubstr("right_answers")));
}

TEST(ClassPage, TakesNothingFromAStudentAsMarkup) {
  const std::string hostile = "</script><script>alert(1)</script>\" onmouseover='x'\x1b[2J\xe2\x80\xae";
  GradedAttempt one = attempt(hostile, hostile);
  one.notes = {hostile};
  one.grading.cases[0].id = hostile;
  one.grading.cases[0].findings[0].rule = hostile;
  Mark its = mark(hostile, 4, Verdict::wrong_answer);
  its.name = its.group = its.number = hostile;
  const std::string page = shown({one}, {its});
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("\" onmouse")));
  EXPECT_THAT(page, Not(HasSubstr("onmouseover='")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, Not(HasSubstr("\xe2\x80\xae")));
}

TEST(ClassMarks, AsCsvAreQuotedAndNoFormula) {
  Mark one = mark("=cmd|'/c calc'!A1", 4);
  one.name = "Lovelace, \"Ada\"";
  const std::string csv = marks_csv({one});
  EXPECT_THAT(
      csv,
      HasSubstr(
          "\r\n'=cmd|'/c calc'!A1,\"Lovelace, \"\"Ada\"\"\",,,1,1,2030-01-02T03:04:05Z,passed,4,1,4,10\r\n"));
}

TEST(ClassMarks, AsTextTellNamesakesApart) {
  Mark one = mark("aschmidt", 10), other = mark("aschmidt2", 10), ada = mark("ada", 10);
  one.name = other.name = "Anna Schmidt";
  ada.name = "Ada";
  const std::string text = marks_text({one, other, ada}, Style{});
  EXPECT_THAT(text, testing::AllOf(HasSubstr("Anna Schmidt (aschmidt) "),
                                   HasSubstr("Anna Schmidt (aschmidt2)"), Not(HasSubstr("(ada)"))));
}

TEST(ClassMarks, AsTextFitATerminal) {
  Mark absent;
  absent.student = "eve";
  Mark late = mark(std::string(100, 'x'), 10);
  late.share = 0.5;
  late.attempts = 3;
  Style style;
  style.width = 80;
  const std::string text = marks_text({late, absent}, style);
  EXPECT_THAT(text, HasSubstr("passed, attempt 1 of 3"));
  EXPECT_THAT(text, HasSubstr("nothing handed in"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80) << line;
}

}  // namespace class_page_test
}  // namespace grader
