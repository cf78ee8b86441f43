#include "driver/process.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace emucc {
namespace process_test {

TEST(Process, PassesInputAndOutput) {
  const std::string much(1 << 20, 'x');
  Command command{{"sh", "-c", "cat; echo said >&2; exit 3"}, much, true};
  const CommandResult result = run(command);
  EXPECT_TRUE(result.started);
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.output, much);
  EXPECT_EQ(result.messages, "said\n");
}

TEST(Process, AProgramThatReadsNothingIsNoDeadlock) {
  const std::string much(1 << 20, 'x');
  signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(run({{"true"}, much, true}).status, 0);
}

TEST(Process, SignalsAndMissingProgramsAreReported) {
  EXPECT_EQ(run({{"sh", "-c", "kill -9 $$"}, "", true}).status, 128 + 9);
  const CommandResult missing = run({{"/no/such/program"}, "", true});
  EXPECT_FALSE(missing.ok());
}

TEST(Process, FindsPrograms) {
  EXPECT_EQ(find_program("sh").back(), 'h');
  EXPECT_EQ(find_program("no-such-program"), "");
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_EQ(find_program("/no/such"), "");
}

TEST(Process, QuotesForTheShell) {
  EXPECT_EQ(quote({"a", "b c", "it's", ""}), "a 'b c' 'it'\\''s' ''");
}

}  // namespace process_test
}  // namespace emucc
