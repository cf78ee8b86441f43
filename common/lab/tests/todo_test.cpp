/// @file
/// Tests blanks in host code, the end of a program, and the command line of oracles.
/// Blanks in kernels are tested with the labs.
#include <gtest/gtest.h>
#include <lab/oracle.hpp>
#include <lab/todo.hpp>

namespace {

using ::testing::ExitedWithCode;

TEST(Todo, EndsTheProgramAndSaysWhere) {
  EXPECT_EXIT(LAB_TODO(3), ExitedWithCode(4), "part 3 is still to do \\(.*todo_test.cpp:[0-9]+\\)");
}

TEST(Finish, GivesTheExitCode) {
  EXPECT_EQ(lab::finish(true), 0);
  EXPECT_EQ(lab::finish(false), 1);
}

/// Runs an oracle that records its request.
struct Asked {
  std::string verb;
  lab::OracleRequest request;
};
Asked ask(std::vector<const char*> words) {
  Asked asked;
  words.insert(words.begin(), "oracle");
  lab::run_oracle(
      static_cast<int>(words.size()), const_cast<char**>(words.data()),
      [&asked](const lab::OracleRequest& request) {
        asked = {"inputs", request};
      },
      [&asked](const lab::OracleRequest& request) {
        asked = {"expect", request};
      });
  return asked;
}

TEST(Oracle, ReadsBothVerbs) {
  const Asked inputs = ask({"inputs", "--seed", "7", "--dir", "d", "128"});
  EXPECT_EQ(inputs.verb, "inputs");
  EXPECT_EQ(inputs.request.seed, 7u);
  EXPECT_EQ(inputs.request.path("M.npy"), "d/M.npy");
  EXPECT_EQ(inputs.request.integer(0, 1, 1, 1000), 128);
  EXPECT_EQ(inputs.request.integer(1, 5, 1, 1000), 5);
  const Asked expect = ask({"expect", "--dir", "d", "--grid", "3,2"});
  EXPECT_EQ(expect.verb, "expect");
  EXPECT_EQ(expect.request.arguments, (std::vector<std::string>{"--grid", "3,2"}));
}

TEST(Oracle, RefusesWhatIsMissing) {
  EXPECT_EXIT(ask({}), ExitedWithCode(2), "usage: oracle");
  EXPECT_EXIT(ask({"draw"}), ExitedWithCode(2), "usage: oracle");
  EXPECT_EXIT(ask({"expect"}), ExitedWithCode(2), "--dir is missing");
  EXPECT_EXIT(ask({"inputs", "--dir", "d"}), ExitedWithCode(2), "--seed needs");
  EXPECT_EXIT(ask({"inputs", "--dir", "d", "--seed", "x"}), ExitedWithCode(2), "--seed needs");
  EXPECT_EXIT(ask({"expect", "--dir", "d", "x"}).request.integer(0, 1, 1, 9), ExitedWithCode(2),
              "but is 'x'");
}

}  // namespace
