// Tests programs that end, fail, flood, hang, multiply and hide. Each test leaves no process behind.
#include "process/process.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "base/files.hpp"
#include "base/test_folder.hpp"
#include "process/machine.hpp"
#include "process/process_tree.hpp"

namespace grader {
namespace {

using End = ProcessResult::End;
using testing::HasSubstr;

ProcessRequest shell(const std::string& script) {
  ProcessRequest request;
  request.argv = {"sh", "-c", script};
  return request;
}

TEST(Process, GivesOutputErrorAndExitCode) {
  const ProcessResult result = run_process(shell("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(result.end, End::exited);
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_FALSE(result.ok());
}

TEST(Process, StandardInputIsEmpty) {
  EXPECT_EQ(run_process(shell("cat; echo end")).out, "end\n");
}

TEST(Process, KeepsBinaryOutput) {
  const ProcessResult result = run_process(shell("printf 'a\\000b\\377'"));
  EXPECT_EQ(result.out, std::string("a\0b\377", 4));
}

TEST(Process, ReportsTheSignal) {
  const ProcessResult result = run_process(shell("kill -SEGV $$"));
  EXPECT_EQ(result.end, End::signalled);
  EXPECT_EQ(result.code, SIGSEGV);
  EXPECT_THAT(describe_end(result), HasSubstr("signal 11"));
}

/// Sends SIGKILL to the process of "sleep 30.25" as soon as it runs.
void kill_sleeper() {
  for (int tries = 0; tries < 1000; ++tries) {
    for (const pid_t pid : descendants(getpid())) {
      std::ifstream words("/proc/" + std::to_string(pid) + "/cmdline");
      std::string line;
      std::getline(words, line);
      if (line != std::string("sleep\0"
                              "30.25\0",
                              12))
        continue;
      kill(pid, SIGKILL);
      return;
    }
    usleep(5000);
  }
}

ProcessRequest sleeper(Syscalls syscalls) {
  ProcessRequest request;
  request.argv = {"sleep", "30.25"};
  request.syscalls = syscalls;
  return request;
}

TEST(Process, ABlowFromOutsideIsNotTheProgramsOwn) {
  if (syscall_filter(Syscalls::usual).empty()) GTEST_SKIP() << "no filter can be made here";
  std::thread blow(kill_sleeper);
  const ProcessResult result = run_process(sleeper(Syscalls::usual));
  blow.join();
  EXPECT_EQ(result.end, End::killed);
  EXPECT_EQ(describe_end(result), "was killed from outside");
}

TEST(Process, AProgramOfTheKitsOwnRunsAgainWhereItWasKilled) {
  const TestFolder folder;
  const auto run = [&](int times, const std::string& script) {
    write_file(folder.path / "runs", "");
    ProcessRequest request =
        shell(fmt::format("echo >> runs; [ $(wc -l < runs) -gt {} ] || {{ {}; }}", times, script));
    request.cwd = folder.path;
    return run_own_process(request);
  };
  const auto runs = [&] { return read_file(folder.path / "runs", 100).size(); };
  for (const char* script :
       {"kill -9 $$", "exit 137",
        "echo 'c++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1"}) {
    EXPECT_TRUE(run(1, script).ok()) << script;
    EXPECT_EQ(run(2, script).end, End::killed) << script;
    EXPECT_EQ(runs(), 2u) << script;
  }
  EXPECT_EQ(run(2, "exit 1").code, 1);
  EXPECT_EQ(runs(), 1u);
  EXPECT_EQ(run(2, "echo 'Killed signal terminated program'; exit 1").end, End::exited)
      << "only standard error counts";
}

TEST(Process, AProgramThatKillsItselfDiesOfAnotherSignal) {
  if (syscall_filter(Syscalls::usual).empty()) GTEST_SKIP() << "no filter can be made here";
  for (const char* script : {"kill -9 $$", "exit 137", "(exit 137); kill -9 $$"}) {
    ProcessRequest request = shell(script);
    request.syscalls = Syscalls::usual;
    const ProcessResult result = run_process(request);
    EXPECT_NE(result.end, End::killed) << script;
    EXPECT_FALSE(result.ok()) << script;
  }
  ProcessRequest request = shell("kill -9 $$");
  request.syscalls = Syscalls::usual;
  EXPECT_EQ(run_process(request).code, SIGSYS);
}

TEST(Process, SaysWhyNothingWasStarted) {
  ProcessRequest request;
  request.argv = {"no-such-program-anywhere"};
  EXPECT_EQ(run_process(request).end, End::not_started);
  EXPECT_THAT(run_process(request).error, HasSubstr("in PATH"));
  request.argv = {"/etc/passwd"};
  EXPECT_THAT(run_process(request).error, HasSubstr("not executable"));
  request.argv = {"/etc"};
  EXPECT_THAT(run_process(request).error, HasSubstr("not a program"));
  request = shell("true");
  request.cwd = "/no/such/folder";
  EXPECT_THAT(run_process(request).error, HasSubstr("can't be entered"));
}

TEST(Process, NamesAMissingInterpreter) {
  const TestFolder folder;
  const fs::path script = folder.path / "script";
  std::ofstream(script) << "#!/no/such/interpreter\n";
  fs::permissions(script, fs::perms(0755));
  ProcessRequest request;
  request.argv = {script};
  const ProcessResult result = run_process(request);
  EXPECT_EQ(result.end, End::not_started);
  EXPECT_THAT(result.error, HasSubstr("interpreter"));
}

TEST(Process, EnvironmentIsAddedOrReplaced) {
  setenv("PROCESS_TEST_OWN", "own", 1);
  ProcessRequest request = shell("echo $PROCESS_TEST_OWN-$PROCESS_TEST_NEW");
  request.environment["PROCESS_TEST_NEW"] = "new";
  EXPECT_EQ(run_process(request).out, "own-new\n");
  request.clean_environment = true;
  EXPECT_EQ(run_process(request).out, "-new\n");
}

TEST(Process, RunsInItsFolder) {
  ProcessRequest request = shell("pwd");
  request.cwd = "/usr";
  EXPECT_EQ(run_process(request).out, "/usr\n");
}

TEST(Process, InheritsNoDescriptor) {
  // ls itself opens one descriptor for the folder.
  EXPECT_EQ(run_process(shell("ls /proc/self/fd | wc -l")).out, "4\n");
}

TEST(Process, TimeOutEndsAProgramThatIgnoresSignals) {
  ProcessRequest request = shell("trap '' TERM INT HUP; while :; do sleep 0.05; done");
  request.limits.wall_s = 0.2;
  const ProcessResult result = run_process(request);
  EXPECT_EQ(result.end, End::time_out);
  EXPECT_GE(result.wall_s, 0.2);
}

TEST(Process, TimeThatOtherProgramsTakeDoesNotCount) {
  EXPECT_DOUBLE_EQ(time_given(10, 9), 9);
  EXPECT_DOUBLE_EQ(time_given(10, 18), 10);  // two threads
  EXPECT_DOUBLE_EQ(time_given(10, 2), 2.5);
  EXPECT_DOUBLE_EQ(time_given(10, 0.1), 10);  // the program sleeps

  // The program sleeps about half of the time, as if another program occupied the processor.
  ProcessRequest request =
      shell("while :; do i=0; while [ $i -lt 10000 ]; do i=$((i + 1)); done; sleep 0.01; done");
  request.limits.wall_s = 0.4;
  const ProcessResult result = run_process(request);
  EXPECT_EQ(result.end, End::time_out);
  EXPECT_GE(result.wall_s, 0.5);
}

TEST(Process, DaemonsEndWithTheProgram) {
  const TestFolder folder;
  ProcessRequest request = shell(
      "setsid sh -c 'echo $$ > pid; exec >/dev/null 2>&1; sleep 1000' & while [ ! -s pid ]; do :; done");
  request.cwd = folder.path;
  EXPECT_TRUE(run_process(request).ok());
  pid_t daemon = 0;
  std::ifstream(folder.path / "pid") >> daemon;
  ASSERT_GT(daemon, 1);
  EXPECT_EQ(kill(daemon, 0), -1) << "process " << daemon << " is still there";
}

TEST(Process, AnOutputThatAnOrphanHoldsOpenDoesNotBlock) {
  ProcessRequest request = shell("sleep 1000 & echo done");
  EXPECT_EQ(run_process(request).out, "done\n");
}

TEST(Process, AProgramThatClosesItsOutputIsStillAwaited) {
  EXPECT_EQ(run_process(shell("exec >&- 2>&-; sleep 0.1; exit 5")).code, 5);
}

TEST(Process, KeepsOutputUpToItsBound) {
  ProcessRequest request = shell("head -c 5000 /dev/zero");
  request.limits.output = 1000;
  const ProcessResult result = run_process(request);
  EXPECT_EQ(result.end, End::exited);
  EXPECT_EQ(result.out.size(), 1000u);
}

TEST(Process, KeepsTheBeginningAndTheEndOfLongOutput) {
  ProcessRequest request = shell("echo begun; head -c 5000 /dev/zero; echo ended");
  request.limits.output = 1000;
  const std::string out = run_process(request).out;
  EXPECT_EQ(out.size(), 1000u);
  EXPECT_TRUE(out.starts_with("begun\n") && out.ends_with("ended\n"));
}

TEST(Process, AFloodIsStopped) {
  ProcessRequest request = shell("yes >&2");
  request.limits.output = 1000;
  const ProcessResult result = run_process(request);
  EXPECT_EQ(result.end, End::output_limit);
  EXPECT_EQ(result.err.size(), 1000u);
}

TEST(Process, MemoryOfTheTreeIsLimited) {
  ProcessRequest request = shell("(head -c 400000000 /dev/zero | tail -c 300000000 | sleep 60) & wait");
  request.limits.memory = 100 << 20;
  const ProcessResult result = run_process(request);
  EXPECT_EQ(result.end, End::memory_limit);
  EXPECT_GT(result.peak_memory, 100u << 20);
}

TEST(Process, OneFileIsLimited) {
  const TestFolder folder;
  ProcessRequest request = shell("exec head -c 2000000 /dev/zero > big");
  request.cwd = folder.path;
  request.limits.file_size = 1 << 20;
  EXPECT_EQ(run_process(request).end, End::file_limit);
}

TEST(Process, TheFolderIsLimited) {
  const TestFolder folder;
  ProcessRequest request = shell("i=0; while :; do head -c 500000 /dev/zero > f$i; i=$((i+1)); done");
  request.cwd = request.limits.watched_folder = folder.path;
  request.limits.folder_size = 4 << 20;
  EXPECT_EQ(run_process(request).end, End::file_limit);
}

TEST(Process, AForkBombEnds) {
  ProcessRequest request = shell("while :; do sleep 1000 & done");
  request.limits.processes = 20;
  request.limits.wall_s = 20;
  EXPECT_EQ(run_process(request).end, End::process_limit);
  EXPECT_TRUE(descendants(getpid()).empty());
}

TEST(Process, SeveralAtOnce) {
  std::vector<std::thread> threads;
  std::vector<ProcessResult> results(4);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(
        [&results, i] { results[i] = run_process(shell("sleep 0.1; exit " + std::to_string(i))); });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(results[i].code, i);
}

TEST(Process, InterruptEndsTheProgram) {
  // The body runs in a separate process, since the interrupt flag stays set.
  const auto body = [] {
    install_interrupt_handler();
    std::thread([] {
      usleep(100'000);
      kill(getpid(), SIGINT);
    }).detach();
    const bool first = run_process(shell("sleep 1000")).end == End::interrupted;
    const bool second = run_process(shell("true")).end == End::interrupted;
    _exit(first && second && interrupted() ? 0 : 1);
  };
  EXPECT_EXIT(body(), testing::ExitedWithCode(0), "");
}

TEST(Process, TheProgramEndsWhenTheGraderIsKilled) {
  const TestFolder folder;
  ProcessRequest request = shell("echo $$ > pid.new; mv pid.new pid; sleep 1000");
  request.cwd = folder.path;
  const pid_t other_grader = fork();
  if (other_grader == 0) {
    run_process(request);
    _exit(0);
  }
  pid_t program = 0;
  while (!fs::exists(folder.path / "pid")) usleep(1000);
  std::ifstream(folder.path / "pid") >> program;
  kill(other_grader, SIGKILL);
  int tries = 5000;
  while (kill(program, 0) == 0 && --tries > 0) usleep(1000);
  EXPECT_GT(tries, 0) << "process " << program << " is still there";
}

TEST(Process, FindsProgramsInPath) {
  EXPECT_EQ(find_program("sh").filename(), "sh");
  EXPECT_TRUE(find_program("no-such-program-anywhere").empty());
}

TEST(ThisMachine, ReturnsTheTimeOfDayInIso8601) {
  const std::string now = this_machine().clocks.utc();
  ASSERT_EQ(now.size(), 20u);
  EXPECT_EQ(now[10], 'T');
  EXPECT_EQ(now[19], 'Z');
}

TEST(FolderLimit, HoldsForWhatIsHiddenOrNested) {
  for (const char* script :
       {"mkdir -p a/b; chmod 0 a", "d=.; for i in $(seq 80); do d=$d/x; done; mkdir -p $d",
        "i=0; while [ $i -lt 120 ]; do : > f$i; i=$((i+1)); done"}) {
    const TestFolder folder;
    ProcessRequest request;
    request.argv = {"sh", "-c", script};
    request.cwd = folder.path;
    request.limits.watched_folder = folder.path;
    request.limits.folder_size = 100 << 20;
    const ProcessResult result = run_process(request);
    const bool reads_all = geteuid() == 0 && std::string(script).find("chmod") != std::string::npos;
    EXPECT_EQ(result.end, reads_all ? End::exited : End::file_limit) << script << result.err;
  }
}

/// A program in C, compiled for this test.
class Compiled : public testing::Test {
 protected:
  ProcessRequest compiled(const std::string& main) const {
    folder.write("x.c",
                 "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <sys/mman.h>\n#include <sys/socket.h>\n"
                 "#include <unistd.h>\nint main(void) {\n" +
                     main + "\n}\n");
    ProcessRequest compiler;
    compiler.argv = {"cc", "-w", "-o", folder.path / "x", folder.path / "x.c"};
    const ProcessResult built = run_process(compiler);
    EXPECT_TRUE(built.ok()) << built.err;
    ProcessRequest request;
    request.argv = {folder.path / "x"};
    request.cwd = folder.path;
    request.limits.wall_s = 20;
    request.limits.folder_size = 64 << 20;
    request.limits.watched_folder = folder.path;
    return request;
  }
  const TestFolder folder;
};

TEST_F(Compiled, FilesWithoutANameCountForTheFolder) {
  const ProcessRequest request = compiled(
      "for (int k = 0; k < 8; ++k) { int f = open(\"big\", O_CREAT | O_RDWR, 0600); unlink(\"big\");"
      " if (posix_fallocate(f, 0, 16 << 20)) return 1; } pause();");
  EXPECT_EQ(run_process(request).end, End::file_limit);
}

TEST_F(Compiled, MemoryOfFilesWithoutANameCountsMappedOrNot) {
  for (const char* last : {"", "mmap(0, 32 << 20, PROT_READ, MAP_SHARED, f, 0); close(f);"}) {
    ProcessRequest request =
        compiled(std::string("for (int k = 0; k < 8; ++k) { int f = memfd_create(\"x\", 0);"
                             " if (posix_fallocate(f, 0, 32 << 20)) return 1; ") +
                 last + "} pause();");
    request.limits.memory = 128 << 20;
    EXPECT_EQ(run_process(request).end, End::memory_limit) << last;
  }
}

// Each page that the program reads needs a table of pages of its own, and all tables take 32 MiB. The pages
// themselves are one page of memory, but some systems count it each time.
TEST_F(Compiled, TablesOfPagesCountAsMemory) {
  ProcessRequest request = compiled(
      "char* p = mmap(0, 16L << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);"
      " if (p == MAP_FAILED) return 1; madvise(p, 16L << 30, MADV_NOHUGEPAGE);"
      " for (long k = 0; k < 16L << 30; k += 2 << 20) *(volatile char*)(p + k); pause();");
  request.limits.memory = 40 << 20;
  EXPECT_EQ(run_process(request).end, End::memory_limit);
}

TEST_F(Compiled, SocketsAreOfThisMachinesFamiliesAlone) {
  if (syscall_filter(Syscalls::usual).empty()) GTEST_SKIP() << "no filter can be made here";
  ProcessRequest request = compiled(
      "for (int family = 0; family < 100; ++family) { int known = family == AF_UNIX || family == AF_INET ||"
      " family == AF_INET6 || family == AF_NETLINK;"
      " if (!known && (socket(family, SOCK_STREAM, 0) >= 0 || socket(family, SOCK_RAW, 0) >= 0)) return 1; }"
      " int two[2]; return socketpair(AF_UNIX, SOCK_STREAM, 0, two) ? 2 : 0;");
  request.syscalls = Syscalls::usual;
  EXPECT_TRUE(run_process(request).ok());
}

}  // namespace
}  // namespace grader
