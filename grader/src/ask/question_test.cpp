// Tests, without a program, how questions are drawn and mixed: choices, seeds, and answers as students type
// them.
#include "ask/question.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "ask/quiz.hpp"

namespace grader {
namespace {

TEST(Question, HasFourDifferentChoicesOfWhichOneIsRight) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Draw draw(seed);
    const auto question = with_choices("kind", {"How many?", "3", {"3", "4", "4", "6", "1"}, {}}, draw);
    ASSERT_TRUE(question);
    const std::set<std::string> different(question->choices.begin(), question->choices.end());
    EXPECT_EQ(different, (std::set<std::string>{"1", "3", "4", "6"}));
    EXPECT_EQ(question->choices[question->right], "3");
  }
}

TEST(Question, ThatHasTooFewWrongChoicesIsNotAsked) {
  Draw draw(1);
  EXPECT_FALSE(with_choices("kind", {"How many?", "3", {"3", "4", "4", "5"}, {}}, draw));
}

TEST(Question, PutsTheRightChoiceInEachPlace) {
  std::set<std::size_t> places;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Draw draw(seed);
    places.insert(with_choices("kind", {"How many?", "3", {"4", "5", "6"}, {}}, draw)->right);
  }
  EXPECT_EQ(places.size(), 4u);
}

TEST(Question, HasWrongNumbersEnoughForEachAnswer) {
  for (std::uint64_t right = 0; right < 100; ++right) {
    Draw draw(right);
    EXPECT_TRUE(with_choices("kind", {"How many?", std::to_string(right), numbers_near(right, {}), {}}, draw))
        << right;
  }
}

TEST(Draw, FollowsFromItsSeedAlone) {
  Draw one(7), same(7), other(8);
  const std::uint64_t first = one.next();
  EXPECT_EQ(first, same.next());
  EXPECT_NE(first, other.next());
}

class QuizTest : public testing::Test {
 protected:
  Quiz quiz{
      "lab9.1", "n8", {"8"}, 1, std::vector<Question>(3, {"kind", "How many?", {"1", "2", "3", "4"}, 2}), {}};
};

TEST_F(QuizTest, CountsRightAnswers) {
  quiz.answers = parse_answers("3,1,3", quiz);
  EXPECT_EQ(quiz.right(), 2u);
}

TEST_F(QuizTest, RefusesAnswersThatChooseNothing) {
  for (const char* text : {"", "1", "1,2", "1,2,5", "0,1,2", "1,2,3,4", "1;2;3", "1,2,x", "11,2"})
    EXPECT_THROW(parse_answers(text, quiz), Error) << text;
}

TEST_F(QuizTest, DoesNotTellMachinesTheAnswersBeforeItIsAnswered) {
  EXPECT_FALSE(to_json(quiz)["questions"][0].contains("answer"));
  EXPECT_FALSE(to_json(quiz).contains("right"));
  quiz.answers = {2, 2, 2};
  EXPECT_EQ(to_json(quiz)["questions"][0]["answer"], 3);
  EXPECT_EQ(to_json(quiz)["right"], 3);
}

TEST(Seed, IsOfTheStudentAndOfTheFiles) {
  Lab lab;
  lab.id = "lab9.1";
  Submission submission;
  submission.lab = &lab;
  submission.sha256 = "1";
  Submission other = submission;
  other.sha256 = "2";
  EXPECT_EQ(seed_of("ada", submission), seed_of("ada", submission));
  EXPECT_NE(seed_of("ada", submission), seed_of("bob", submission));
  EXPECT_NE(seed_of("ada", submission), seed_of("ada", other));
}

}  // namespace
}  // namespace grader
