#include "base/error.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

namespace grader {
namespace {

struct DescribeAt : testing::Test {
  std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / ("error_test_" + std::to_string(getpid()) + ".toml");
  void write(const std::string& text) { std::ofstream(file, std::ios::binary) << text; }
  ~DescribeAt() override { std::filesystem::remove(file); }
};

TEST_F(DescribeAt, ShowsTheLineAndACaret) {
  write("a = 1\nbb = two\n");
  EXPECT_EQ(describe_at({file, 2, 6}, "expected a number"),
            file.string() + ":2:6: expected a number\n  bb = two\n       ^");
}

TEST_F(DescribeAt, KeepsTabsSoThatTheCaretIsInPlace) {
  write("\tx = y\n");
  EXPECT_EQ(describe_at({file, 1, 6}, "m"), file.string() + ":1:6: m\n  \tx = y\n  \t    ^");
}

TEST_F(DescribeAt, CountsCharactersNotBytes) {
  write("é = x\r\n");
  EXPECT_EQ(describe_at({file, 1, 5}, "m"), file.string() + ":1:5: m\n  é = x\n      ^");
}

TEST_F(DescribeAt, CutsALongLineAroundTheColumn) {
  write(std::string(100000, 'a') + "X" + std::string(100000, 'b'));
  const std::string text = describe_at({file, 1, 100001}, "m");
  EXPECT_LT(text.size(), 400u);
  const std::size_t line = text.find('\n') + 1, caret = text.find('\n', line) + 1;
  EXPECT_EQ(text.find('X', line) - line, text.find('^', caret) - caret);
}

TEST_F(DescribeAt, ControlCharactersDoNotReachTheTerminal) {
  write("a\x1b[31m\n");
  EXPECT_EQ(describe_at({file, 1, 1}, "m").find('\x1b'), std::string::npos);
}

TEST_F(DescribeAt, WithoutTheFileOrTheLineThereIsOnlyTheMessage) {
  EXPECT_EQ(describe_at({"/nowhere/x", 3, 1}, "m"), "/nowhere/x:3:1: m");
  EXPECT_EQ(describe_at({"/nowhere", 0, 0}, "m"), "/nowhere: m");
  write("one\n");
  EXPECT_EQ(describe_at({file, 9, 1}, "m"), file.string() + ":9:1: m");
  EXPECT_EQ(describe_at({"/", 1, 1}, "m"), "/:1:1: m");
}

TEST(ErrorTest, CarriesKindAndNextStep) {
  const Error error(ErrorKind::environment, "There is no compiler.", "apt install g++");
  EXPECT_EQ(static_cast<int>(error.kind()), 3);
  EXPECT_STREQ(error.what(), "There is no compiler.");
  EXPECT_EQ(error.next_step(), "apt install g++");
}

}  // namespace
}  // namespace grader
