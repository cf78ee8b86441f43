// Tests that a student reads the report on the student's own grading, without hidden cases, other students or foreign
// markup.
#include "report/feedback.hpp"

#include <gmock/gmock.h>

#include "grade/score.hpp"

namespace grader {
namespace {

using testing::HasSubstr;
using testing::Not;

struct FeedbackTest : testing::Test {
  FeedbackTest() {
    lab.id = "lab1.1";
    lab.title = "Products & sums";
    attempt.hand_in.student = mark.student = "ada";
    mark.attempts = mark.counted = 1;
    mark.points = 4;
    mark.max_points = 10;
    Grading& g = attempt.grading;
    g.lab = "lab1.1";
    g.origin = Origin::folder;
    g.submission = "/srv/hand-ins/ada";
    g.verdict = Verdict::wrong_answer;
    g.points = 4;
    g.max_points = 10;
    add("n8", Visibility::visible, "SEEN");
    add("n9", Visibility::after_due_date, "LATER");
    add("n10", Visibility::hidden, "");
  }
  void add(const std::string& id, Visibility visibility, const std::string& message) {
    CaseResult one;
    one.id = id;
    one.visibility = visibility;
    one.verdict = Verdict::wrong_answer;
    one.message = message;
    attempt.grading.cases.push_back(one);
  }
  std::string text(bool past_due = false) const { return feedback_text({lab, attempt, mark, past_due}); }
  std::string page(bool past_due = false) const { return feedback_page({lab, attempt, mark, past_due}); }

  Lab lab;
  GradedAttempt attempt;
  Mark mark;
};

TEST_F(FeedbackTest, ShowsWhatItsStudentMaySeeAndWhen) {
  for (const std::string& before : {text(), page()}) {
    EXPECT_THAT(before, HasSubstr("SEEN"));
    EXPECT_THAT(before, Not(HasSubstr("LATER")));
    EXPECT_THAT(before, HasSubstr("n10"));
    EXPECT_THAT(before, Not(HasSubstr("/srv/hand-ins")));
  }
  EXPECT_THAT(page(true), HasSubstr("LATER"));
}

TEST_F(FeedbackTest, SaysWhatTheLateRuleLeftAndWhatIsWrongWithTheFiles) {
  mark.share = 0.5;
  mark.received_at = "2030-01-02T03:04:05Z";
  attempt.notes = {"k.cu was not handed in."};
  attempt.grading.notes = attempt.notes;
  for (const std::string& shown : {text(), page()}) {
    EXPECT_THAT(shown, HasSubstr("Handed in late (2030-01-02 03:04 UTC): 50 % of the points"));
    EXPECT_THAT(shown, HasSubstr("k.cu was not handed in."));
  }
}

TEST_F(FeedbackTest, SaysFirstWhereThePointsWereLost) {
  for (const int id : {1, 2}) {
    Part part;
    part.id = id;
    part.points = 5;
    lab.parts.push_back(part);
  }
  for (const char* const id : {"n7", "n8", "n10"}) {
    Case known;
    known.id = id;
    lab.cases.push_back(known);
  }
  lab.cases[0].points = 3;
  lab.cases[2].parts = {2};
  attempt.grading.cases.erase(attempt.grading.cases.begin() + 1);
  CaseResult right;
  right.id = "n7";
  right.verdict = Verdict::passed;
  attempt.grading.cases.push_back(right);
  score(lab, attempt.grading);
  mark.points = attempt.grading.points;
  EXPECT_TRUE(
      text().starts_with("6.75 of 10 points. These are lost:\n"
                         "Part 1: 1.25 of 5: 1.25 in case n8.\n"
                         "Part 2: 2 of 5: 1 in case n8, 1 in hidden case n10.\n"))
      << text();
  EXPECT_THAT(page(), HasSubstr("<li>Part 2: 2 of 5: 1 in case n8, 1 in hidden case n10."));
}

TEST_F(FeedbackTest, SaysWhatTheAnswersAdded) {
  attempt.grading.verdict = Verdict::passed;
  attempt.grading.points = mark.points = 10;
  mark.max_points = 12;
  mark.answers = {3, 5};
  mark.answer_points = 1.2;
  EXPECT_TRUE(
      text().starts_with("Right answers about your program: 3 of 5: +1.2 points.\nMark: 11.2 of 12.\n"))
      << text();
  mark.answers.reset();
  mark.answer_points = 0;
  EXPECT_TRUE(text().starts_with("Right answers about your program: none: +0 points.\nMark: 10 of 12.\n"))
      << text();
}

TEST_F(FeedbackTest, SaysWhatAPersonAdded) {
  attempt.grading.verdict = Verdict::passed;
  attempt.grading.points = mark.points = 10;
  mark.share = 0.5;
  mark.added = -1;
  mark.comment = "See <me>.";
  EXPECT_TRUE(
      text().starts_with("Handed in late: 50 % of the points count, 5 of 10.\n"
                         "By hand: -1 points. See <me>.\nMark: 4 of 10.\n"))
      << text();
  EXPECT_THAT(page(), HasSubstr("<li>By hand: -1 points. See &lt;me&gt;."));
  EXPECT_THAT(page(), HasSubstr("<dt>mark</dt><dd>4</dd>"));
}

TEST_F(FeedbackTest, ThePageTakesNothingOfAStudentAsMarkup) {
  const std::string hostile = "</pre><script>alert(1)</script>\" onmouseover='x'\x1b[2J\xe2\x80\xae";
  mark.student = mark.name = hostile;
  attempt.notes = {hostile};
  attempt.grading.diagnostics = hostile;
  CaseResult& one = attempt.grading.cases[0];
  one.message = one.next_step = one.output_excerpt = hostile;
  const std::string shown = page();
  EXPECT_THAT(shown, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(shown, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(shown, Not(HasSubstr("onmouseover='")));
  EXPECT_THAT(shown, Not(HasSubstr("\x1b")));
  EXPECT_THAT(shown, Not(HasSubstr("\xe2\x80\xae")));
}

}  // namespace
}  // namespace grader
