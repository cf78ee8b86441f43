#include "process/lines.hpp"

#include <gmock/gmock.h>

#include <chrono>

namespace grader {
namespace {

using ::testing::ElementsAre;

TEST(Lines, ComeWithTheExitStatus) {
  std::vector<std::string> lines;
  const auto keep = [&](const std::string& line) { lines.push_back(line); };
  EXPECT_EQ(run_lines({"/bin/sh", "-c", "echo one; echo; printf rest; exit 3"}, keep, [] { return false; }),
            3);
  EXPECT_THAT(lines, ElementsAre("one", "", "rest"));
}

TEST(Lines, ArePassedOnWhileTheCommandRuns) {
  bool seen = false;
  const int code = run_lines(
      {"/bin/sh", "-c", "echo now; exec sleep 60"}, [&](const std::string&) { seen = true; },
      [&] { return seen; });
  EXPECT_EQ(code, 128 + SIGINT);
}

TEST(Lines, OfACommandThatIgnoresTheInterruptEndAllTheSame) {
  const auto begin = std::chrono::steady_clock::now();
  bool ignores = false;
  const int code = run_lines(
      {"/bin/sh", "-c", "trap '' INT; echo; while :; do sleep 0.1; done"},
      [&](const std::string&) { ignores = true; }, [&] { return ignores; });
  EXPECT_EQ(code, 128 + SIGKILL);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Lines, OfAMissingProgramEndWith127) {
  EXPECT_EQ(run_lines(
                {"/no/such/program"}, [](const std::string&) {}, [] { return false; }),
            127);
}

}  // namespace
}  // namespace grader
