#include "author/lazy.hpp"

#include <gtest/gtest.h>

#include "catalog/test_kit.hpp"

namespace grader {
namespace {

std::string text_of(const LazyAnswer& answer) {
  for (const SubmissionFile& file : answer.submission.files)
    if (file.name == answer.file) return file.text;
  return {};
}

TEST(Lazy, AnswersEachBlankWithoutThought) {
  TestKit kit;
  const std::vector<LazyAnswer> answers = lazy_answers(kit.kit, kit.lab());
  ASSERT_FALSE(answers.empty());
  bool empty = false, neighbour = false;
  for (const LazyAnswer& answer : answers) {
    const std::string text = text_of(answer);
    EXPECT_EQ(text.find("LAB_TODO"), std::string::npos) << text;
    EXPECT_NE(text, TestKit::solution) << answer.kind;
    EXPECT_TRUE(answer.submission.todo.empty());
    if (answer.kind == "left empty" && answer.level == 1) {
      empty = true;
      EXPECT_EQ(text.find("v[i] *= 2;"), std::string::npos) << text;
      EXPECT_NE(text.find("launch(blocks);"), std::string::npos) << text;
    }
    neighbour = neighbour || answer.kind == "the neighbour's answer";
  }
  EXPECT_TRUE(empty);
  EXPECT_TRUE(neighbour) << "level 2 has two blanks";
}

TEST(Lazy, RefusesALevelThatIsNotTheSolutionWithBlanks) {
  TestKit kit;
  kit.write("solutions/lab1.1-scale/scale.cu", "another program\n");
  EXPECT_THROW(lazy_answers(kit.kit, kit.lab()), Error);
}

}  // namespace
}  // namespace grader
