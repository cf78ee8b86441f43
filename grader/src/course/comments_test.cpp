#include "course/comments.hpp"

#include "course/test_hand_ins.hpp"

namespace grader {
namespace comments_test {

using namespace class_testing;

struct Comments : testing::Test {
  TestFolder folder;
  const fs::path file = folder.path / "comments.csv";

  std::vector<Comment> read(const std::string& text) const {
    folder.write("comments.csv", text);
    return read_comments(file);
  }
  std::string refusal(const std::string& text) const {
    return error_of([&] { need_known_students(file, read(text), {"ada", "bob"}); });
  }
};

TEST_F(Comments, AreReadWithOrWithoutPoints) {
  const auto all =
      read("student;points;comment\nada;+0.5;\"Good names; clear\"\nada;-1;\nbob;;Look at line 3\n");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].student, "ada");
  EXPECT_EQ(all[0].points, 0.5);
  EXPECT_EQ(all[0].text, "Good names; clear");
  EXPECT_EQ(all[1].points, -1);
  EXPECT_EQ(all[2].points, 0);
  EXPECT_EQ(all[2].text, "Look at line 3");
}

TEST_F(Comments, ThatCanNotBeAreRefusedWithTheirPlace) {
  EXPECT_EQ(refusal("student,comment\nada,x\n"), "");
  EXPECT_THAT(refusal(""), HasSubstr("comments.csv:1: is empty"));
  EXPECT_THAT(refusal("name,comment\nada,x\n"), HasSubstr("has no column \"student\""));
  EXPECT_THAT(refusal("student\nada\n"), HasSubstr("has no column \"student\" with"));
  EXPECT_THAT(refusal("student,points\nada,1\nada,lots\n"),
              HasSubstr("comments.csv:3: points is \"lots\"; expected a number"));
  EXPECT_THAT(refusal("student,points\nada,nan\n"), HasSubstr("expected a number"));
  EXPECT_THAT(refusal("student,points\n,1\n"), HasSubstr("comments.csv:2: no student is named"));
  EXPECT_THAT(refusal("student,points\nadda,1\n"),
              HasSubstr("comments.csv:2: \"adda\" is no student of this class. Did you mean ada?"));
  EXPECT_THAT(refusal("student,points\n../ada\x1b[2J,1\n"),
              testing::AllOf(HasSubstr("is no student of this class"), testing::Not(HasSubstr("\x1b"))));
}

}  // namespace comments_test
}  // namespace grader
