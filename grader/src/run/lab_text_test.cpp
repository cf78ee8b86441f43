#include "run/lab_text.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace lab_text_test {

TEST(LabText, IsWhatTheLabsCheckPrints) {
  std::string printed =
      "first\nCUDA error at src/a.cu:31: cudaMemcpy(a, b, n)\n  1 cudaErrorInvalidValue: invalid argument\n"
      "  Likely cause: the direction is wrong.\nlast\n";
  const auto error = take_cuda_error(printed);
  ASSERT_TRUE(error);
  EXPECT_EQ(words_of(error->place), "src/a.cu:31");
  EXPECT_EQ(error->call, "cudaMemcpy(a, b, n)");
  EXPECT_EQ(error->error, 1);
  EXPECT_EQ(error->text, "invalid argument");
  EXPECT_EQ(error->cause, "the direction is wrong.");
  EXPECT_EQ(printed, "first\nlast\n");
}

TEST(LabText, NeedsNoMoreThanAPlace) {
  std::string printed = "CUDA error at a.cu:3\n  Likely cause: an index out of range.\n";
  const auto error = take_cuda_error(printed);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->call, "");
  EXPECT_EQ(error->cause, "an index out of range.");
  EXPECT_EQ(printed, "");
}

TEST(LabText, OtherTextStays) {
  for (const std::string text : {"", "matrixmul.cu:12: invalid argument\n", "a CUDA error at a.cu:3\n"}) {
    std::string printed = text;
    EXPECT_FALSE(take_cuda_error(printed)) << text;
    EXPECT_EQ(printed, text);
  }
}

TEST(LabText, SaysWhichPartIsBlank) {
  const auto todo =
      find_todo("noise\npart 2 is still to do (matrixmul.cu:30)\npart 3 is still to do (x.cu:1)\n");
  ASSERT_TRUE(todo);
  EXPECT_EQ(todo->part, 2);
  EXPECT_EQ(words_of(todo->place), "matrixmul.cu:30");
  EXPECT_FALSE(find_todo("all is still to do\n"));
}

}  // namespace lab_text_test
}  // namespace grader
