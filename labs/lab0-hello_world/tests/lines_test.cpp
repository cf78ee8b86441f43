// Tests which printed lines are right, and the words for those that are not.
#include "../oracle/lines.hpp"

#include <gmock/gmock.h>

namespace lab {
namespace lines_test {

using testing::HasSubstr;
using testing::SizeIs;

class LinesTest : public testing::Test {
 protected:
  Judgement judged(const std::string& printed) const { return judge_lines(printed, expected_, {}); }
  bool right(const std::string& printed) const {
    return judged(printed).verdict == Judgement::Verdict::passed;
  }
  std::string pattern(const std::string& printed) const { return judged(printed).pattern; }

  const std::string expected_ =
      "Hello from block 0, thread 0\nHello from block 0, thread 1\nHello from block 1, thread 0\nHello from "
      "block 1, thread 1\n"
      "Hello from block 1, thread 2\n";
};

TEST_F(LinesTest, AnyOrderIsRight) {
  EXPECT_TRUE(right(expected_));
  EXPECT_TRUE(
      right("Hello from block 1, thread 2\nHello from block 1, thread 1\nHello from block 0, thread 1\n"
            "Hello from block 1, thread 0\nHello from block 0, thread 0"));
}

TEST_F(LinesTest, BlankLinesSpacesAndOtherOutputDoNotCount) {
  std::string printed = "Grid of 2 blocks\r\n\n";
  for (const char c : expected_) printed += c == '\n' ? "  \r\n\n" : std::string(1, c);
  EXPECT_TRUE(right(printed + "Check ok? Passed.\n"));
}

TEST_F(LinesTest, MissingAndSurplusLinesAreShown) {
  const Judgement v = judged(
      "Hello from block 0, thread 0\nHello from block 0, thread 1\nHello from block 1, thread 0\n"
      "Hello from block 1, thread 1\nHello from block 7, thread 7\n");
  EXPECT_EQ(v.verdict, Judgement::Verdict::wrong_answer);
  EXPECT_EQ(v.extent, "2 lines are missing or extra, of 5 expected.");
  EXPECT_EQ(v.wrong, 2u);
  EXPECT_EQ(v.total, 5u);
  ASSERT_THAT(v.first, SizeIs(2));
  EXPECT_EQ(v.first[0].expected, "Hello from block 1, thread 2");
  EXPECT_EQ(v.first[0].got, "");
  EXPECT_EQ(v.first[1].got, "Hello from block 7, thread 7");
}

TEST_F(LinesTest, ALineTwiceIsNotTheSetOfLines) {
  EXPECT_FALSE(right(expected_ + "Hello from block 0, thread 0\n"));
}

TEST_F(LinesTest, Patterns) {
  EXPECT_EQ(pattern(""), "no-lines");
  EXPECT_EQ(pattern("something else\n"), "no-lines");
  EXPECT_EQ(pattern(expected_ + expected_), "twice");
  EXPECT_EQ(pattern(expected_ + "Hello, it is me\nHello it is me\n"), "extra-lines");
  EXPECT_EQ(pattern("Hello from block 0, thread 0\nHello from block 0, thread 1\n"), "one-block-only");
  EXPECT_EQ(
      pattern("Hello from block 0, thread 0\nHello from block 1, thread 0\nHello from block 0, thread 1\n"
              "Hello from block 1, thread 1\nHello from block 2, thread 1\n"),
      "swapped-numbers");
  EXPECT_EQ(pattern("hello: block 0 thread 0\nhello: block 0 thread 1\nhello: block 1 thread 0\nhello: block "
                    "1 thread 1\n"
                    "hello: block 1 thread 2\n"),
            "wording");
  EXPECT_EQ(pattern("Hello from block 0, thread 0\nHello from block 1, thread 1\n"), "missing-lines");
}

TEST_F(LinesTest, TheLaunchDistinguishesTooFewThreadsFromSilentOnes) {
  const auto said = [&](const std::string& printed, std::size_t blocks, std::size_t threads) {
    JudgeRequest run;
    run.launches = {{"hello", {blocks, 1, 1}, {threads, 1, 1}}};
    return judge_lines(printed, expected_, run).says;
  };
  const std::string block0 = "Hello from block 0, thread 0\nHello from block 0, thread 1\n";
  EXPECT_THAT(said(block0, 1, 2),
              AllOf(HasSubstr("no line has 1 as number 1 of block"), HasSubstr("2 threads for 5")));
  EXPECT_THAT(said(block0, 2, 3), HasSubstr("Which condition"));
  JudgeRequest none;
  none.no_kernel = true;
  EXPECT_THAT(judge_lines("", expected_, none).says, HasSubstr("no kernel ran"));
}

TEST_F(LinesTest, APrintedTextCanNotControlTheTerminal) {
  const Judgement v = judged(expected_ + "Hello \x1b[2J" + std::string(1000, 'x') + "\n");
  const std::string shown = v.first.back().got;
  EXPECT_THAT(shown, HasSubstr("Hello \\x1b[2J"));
  EXPECT_LT(shown.size(), 130u);
}

TEST_F(LinesTest, AListThatNoOutputSatisfiesIsTheKitsFault) {
  const auto exits = testing::ExitedWithCode(2);
  EXPECT_EXIT(judge_lines("", "\n \n", {}), exits, "has no lines");
  EXPECT_EXIT(judge_lines(expected_, std::string("\x93NUMPY\x01\0v\0{'descr': '<f4'}\n", 24), {}), exits,
              "is not a list of lines");
  EXPECT_EXIT(judge_lines(expected_, expected_ + "0.5 0.25\n", {}), exits, "0.5 0.25");
}

}  // namespace lines_test
}  // namespace lab
