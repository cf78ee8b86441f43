#include "base/test_folder.hpp"
#include "verify/verify.hpp"

namespace grader {
namespace verify_lines_test {

using testing::HasSubstr;
using testing::SizeIs;

class Lines : public testing::Test {
 protected:
  Lines() { folder_.write("expected.txt", expected_); }
  Verification verify(const std::string& printed) const {
    return verify_lines(printed, folder_.path / "expected.txt");
  }
  std::string pattern(const std::string& printed) const {
    return verify(printed).mismatch.value_or(Mismatch{}).pattern;
  }

  const std::string expected_ =
      "Hello from block 0, thread 0\nHello from block 0, thread 1\nHello from block 1, thread 0\nHello from "
      "block 1, thread 1\n"
      "Hello from block 1, thread 2\n";
  TestFolder folder_;
};

TEST_F(Lines, AnyOrderIsRight) {
  EXPECT_TRUE(verify(expected_).right);
  EXPECT_TRUE(
      verify("Hello from block 1, thread 2\nHello from block 1, thread 1\nHello from block 0, thread 1\n"
             "Hello from block 1, thread 0\nHello from block 0, thread 0")
          .right);
}

TEST_F(Lines, BlankLinesSpacesAndOtherOutputDoNotCount) {
  std::string printed = "Grid of 2 blocks\r\n\n";
  for (const char c : expected_) printed += c == '\n' ? "  \r\n\n" : std::string(1, c);
  EXPECT_TRUE(verify(printed + "Check ok? Passed.\n").right);
}

TEST_F(Lines, MissingAndSurplusLinesAreShown) {
  const Verification v = verify(
      "Hello from block 0, thread 0\nHello from block 0, thread 1\nHello from block 1, thread 0\n"
      "Hello from block 1, thread 1\nHello from block 7, thread 7\n");
  ASSERT_TRUE(v.mismatch);
  EXPECT_EQ(v.mismatch->wrong, 2u);
  EXPECT_EQ(v.mismatch->total, 5u);
  ASSERT_THAT(v.mismatch->first, SizeIs(2));
  EXPECT_EQ(v.mismatch->first[0].expected, "Hello from block 1, thread 2");
  EXPECT_EQ(v.mismatch->first[0].got, "");
  EXPECT_EQ(v.mismatch->first[1].got, "Hello from block 7, thread 7");
}

TEST_F(Lines, ALineTwiceIsNotTheSetOfLines) {
  EXPECT_FALSE(verify(expected_ + "Hello from block 0, thread 0\n").right);
}

TEST_F(Lines, Patterns) {
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

TEST_F(Lines, TheLaunchDistinguishesTooFewThreadsFromSilentOnes) {
  const auto said = [&](const std::string& printed, std::size_t blocks, std::size_t threads) {
    RunFacts run;
    run.launch = Launch{{blocks, 1, 1}, {threads, 1, 1}};
    return verify_lines(printed, folder_.path / "expected.txt", run).mismatch->explanation;
  };
  const std::string block0 = "Hello from block 0, thread 0\nHello from block 0, thread 1\n";
  EXPECT_THAT(said(block0, 1, 2),
              AllOf(HasSubstr("no line has 1 as number 1 of block"), HasSubstr("2 threads for 5")));
  EXPECT_THAT(said(block0, 2, 3), HasSubstr("Which condition"));
  RunFacts none;
  none.no_kernel = true;
  EXPECT_THAT(verify_lines("", folder_.path / "expected.txt", none).mismatch->explanation,
              HasSubstr("no kernel ran"));
}

TEST_F(Lines, APrintedTextCanNotControlTheTerminal) {
  const Verification v = verify(expected_ + "Hello \x1b[2J" + std::string(1000, 'x') + "\n");
  const std::string shown = v.mismatch->first.back().got;
  EXPECT_THAT(shown, HasSubstr("Hello \\x1b[2J"));
  EXPECT_LT(shown.size(), 130u);
}

TEST_F(Lines, AnEmptyOrMissingListIsTheKitsFault) {
  folder_.write("expected.txt", "\n \n");
  EXPECT_THAT([&] { verify(""); }, throws_error(ErrorKind::fault, "listed no lines"));
  folder_.write("expected.txt", std::string("\x93NUMPY\x01\0v\0{'descr': '<f4'}\n", 24));
  EXPECT_THAT([&] { verify(expected_); }, throws_error(ErrorKind::fault, "is not a list of lines"));
  folder_.write("expected.txt", expected_ + "0.5 0.25\n");
  EXPECT_THAT([&] { verify(expected_); }, throws_error(ErrorKind::fault, "0.5 0.25"));
  fs::remove(folder_.path / "expected.txt");
  EXPECT_THAT([&] { verify(""); }, throws_error(ErrorKind::fault, "expected.txt"));
}

}  // namespace verify_lines_test
}  // namespace grader
