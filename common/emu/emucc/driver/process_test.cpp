#include "driver/process.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>

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

TEST(Process, LargePagesAreAskedForUnlessTheUserTunesMalloc) {
  const auto tunables = [](bool large_pages) {
    return run({{"sh", "-c", "echo $GLIBC_TUNABLES"}, "", true, large_pages}).output;
  };
  unsetenv("GLIBC_TUNABLES");
  EXPECT_EQ(tunables(false), "\n");
  EXPECT_NE(tunables(true).find("hugetlb=1"), std::string::npos);
  setenv("GLIBC_TUNABLES", "glibc.malloc.check=0", 1);
  EXPECT_EQ(tunables(true), "glibc.malloc.check=0\n");
  unsetenv("GLIBC_TUNABLES");
}

TEST(Process, SignalsAndMissingProgramsAreReported) {
  EXPECT_EQ(run({{"sh", "-c", "kill -9 $$"}, "", true}).status, 128 + 9);
  const CommandResult missing = run({{"/no/such/program"}, "", true});
  EXPECT_FALSE(missing.ok());
}

/// Runs g++ with a script in place of one of its programs.
CommandResult with(const std::string& program, const std::string& script, const std::string& source) {
  char folder[] = "/tmp/process_test-XXXXXX";
  if (mkdtemp(folder) == nullptr) return {};
  const std::string at = folder, file = at + "/" + program;
  std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
  chmod(file.c_str(), 0755);
  const CommandResult result =
      run({reporting_kills({"g++", "-B" + at, "-x", "c++", "-", "-o", at + "/out"}), source, true});
  std::filesystem::remove_all(at);
  return result;
}

// A source can print the same messages. They must have no effect.
TEST(Process, AKilledProgramOfTheCompilersIsReported) {
  EXPECT_TRUE(with("cc1plus", "kill -9 $$", "").killed);
  EXPECT_TRUE(with("as", "kill -9 $$", "").killed);
  EXPECT_TRUE(with("ld", "kill -9 $$", "int main() {}").killed);
  const CommandResult printed =
      with("cc1plus", "echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1", "");
  EXPECT_FALSE(printed.killed);
  EXPECT_EQ(printed.status, 1);
  const std::string words =
      "collect2: fatal error: ld terminated with signal 9 [Killed]\ncompilation terminated.";
  EXPECT_FALSE(with("ld", "echo '" + words + "' >&2; exit 1", "int main() {}").killed);
  EXPECT_FALSE(with("cc1plus", "kill -11 $$", "").killed);
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
