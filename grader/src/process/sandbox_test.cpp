// Tests programs that try to escape, and programs that try to overload the machine.
#include "process/sandbox.hpp"

#include <signal.h>
#include <unistd.h>

#include "base/test_folder.hpp"

namespace grader {
namespace {

using End = ProcessResult::End;
using testing::HasSubstr;

class Sandbox : public testing::Test {
 protected:
  void SetUp() override {
    if (!sandbox_status().works) GTEST_SKIP() << sandbox_status().reason;
    spec.work_folder = folder.path / "work";
    folder.write("program/hello.txt", "hello");
    folder.write("gold/secret.txt", "secret");
    spec.program_folder = folder.path / "program";
    request.limits.wall_s = 20;
  }
  ProcessResult run(const std::string& script) {
    request.argv = {"sh", "-c", script};
    return run_sandboxed(request, spec);
  }
  TestFolder folder;
  SandboxSpec spec;
  ProcessRequest request;
};

TEST_F(Sandbox, RunsAProgramInItsWorkFolder) {
  const ProcessResult result = run("cat ../program/hello.txt; echo out > result.txt; pwd");
  EXPECT_EQ(result.end, End::exited) << result.error << result.err;
  EXPECT_EQ(result.out, "hello" + spec.work_folder.string() + "\n");
  EXPECT_EQ(folder.read("work/result.txt"), "out\n");
}

TEST_F(Sandbox, PassesExitCodesAndSignalsOn) {
  EXPECT_EQ(run("exit 42").code, 42);
  const ProcessResult result = run("kill -SEGV $$");
  EXPECT_EQ(result.end, End::signalled);
  EXPECT_EQ(result.code, 11);
}

TEST_F(Sandbox, SaysWhatCouldNotBeStarted) {
  request.argv = {"/no/such/program"};
  const ProcessResult result = run_sandboxed(request, spec);
  EXPECT_EQ(result.end, End::not_started);
  EXPECT_THAT(result.error, HasSubstr("/no/such/program"));
}

// Such a program must not look like an error of the machine, because that would stop the grading of a class.
TEST_F(Sandbox, AProgramThatPrintsTheSandboxsWordsWasStarted) {
  for (const auto& [script, code] :
       {std::pair("echo \"bwrap: Can't find source path /x\" >&2; exit 1", 1),
        std::pair("echo 'setpriv: failed to execute /x' >&2; exit 127", 127),
        std::pair("echo '{ \"exit-code\": 0 }' | tee /dev/stderr; exit 126", 126)}) {
    const ProcessResult result = run(script);
    EXPECT_EQ(result.end, End::exited) << script << ": " << result.error;
    EXPECT_EQ(result.code, code) << script;
  }
}

TEST_F(Sandbox, ReportsItsOwnFailure) {
  ProcessRequest broken = sandboxed(request, spec);
  broken.argv.insert(broken.argv.begin() + 1, {"--ro-bind", "/no/such/folder", "/x"});
  const ProcessResult result = run_process(broken);
  EXPECT_EQ(result.end, End::not_started);
  EXPECT_THAT(result.error, HasSubstr("the sandbox could not be set up: bwrap: "));
}

TEST_F(Sandbox, TheDescriptorOfItsReportIsOutOfReach) {
  EXPECT_EQ(run("ls /proc/self/fd").out.find("6\n"), std::string::npos);
  EXPECT_EQ(run("exit 137").end, End::signalled);
  EXPECT_EQ(run("exit 137").code, SIGSYS);
  EXPECT_EQ(run("kill -9 $$").code, SIGSYS);
}

TEST_F(Sandbox, ShowsNothingButWhatItNeeds) {
  EXPECT_NE(run("cat " + (folder.path / "gold/secret.txt").string()).code, 0);
  EXPECT_EQ(run("ls -A " + folder.path.string()).out, "program\nwork\n");
  EXPECT_NE(run("cat /etc/passwd").code, 0);
  EXPECT_NE(run("ls /home /root /var").code, 0);
}

TEST_F(Sandbox, ShowsInputsThatAreNamed) {
  spec.read_only = {folder.path / "gold/secret.txt", folder.path / "not-there"};
  EXPECT_EQ(run("cat " + (folder.path / "gold/secret.txt").string()).out, "secret");
  EXPECT_NE(run("echo x > " + (folder.path / "gold/secret.txt").string()).code, 0);
  EXPECT_EQ(folder.read("gold/secret.txt"), "secret");
}

TEST_F(Sandbox, WritesNowhereElse) {
  for (const char* place : {"/x", "/usr/x", "/etc/x", "/dev/x", "/proc/x", "../program/x"})
    EXPECT_NE(run(std::string("echo x > ") + place).code, 0) << place;
  EXPECT_EQ(folder.names("program"), std::vector<std::string>{"hello.txt"});
}

TEST_F(Sandbox, KeepsWhatIsWrittenToAFolderThatStays) {
  spec.writable = {folder.path / "cache"};
  spec.of_the_kit = true;  // no other program sees a GPU
  EXPECT_EQ(run("echo kept > " + (folder.path / "cache/entry").string()).code, 0);
  EXPECT_EQ(folder.read("cache/entry"), "kept\n");
}

TEST_F(Sandbox, HasTemporaryFoldersOfItsOwn) {
  EXPECT_EQ(
      run("echo x > /tmp/sandbox-test && echo x > ~/y && echo x > /dev/shm/z && ls /tmp/sandbox-test /tmp/y")
          .out,
      "/tmp/sandbox-test\n/tmp/y\n");
  EXPECT_FALSE(fs::exists("/tmp/sandbox-test"));
}

TEST_F(Sandbox, HasNoNetwork) {
  EXPECT_EQ(run("tail -n +3 /proc/net/dev | grep -v lo: | wc -l").out, "0\n");
}

TEST_F(Sandbox, SeesNoOtherProcess) {
  if (!sandbox_status().own_proc) GTEST_SKIP() << sandbox_status().reason;
  EXPECT_EQ(run("set -- /proc/[0-9]*; echo $#").out, "2\n");  // bwrap's process 1 and sh
}

TEST_F(Sandbox, HasNoPrivileges) {
  EXPECT_NE(run("mount -t tmpfs none /tmp").code, 0);
  EXPECT_NE(run("mount -o remount,rw /usr").code, 0);
}

TEST_F(Sandbox, RunsNothingAsRoot) {
  if (!sandbox_status().as_ordinary_user) GTEST_SKIP() << sandbox_status().reason;
  EXPECT_NE(run("id -u").out, "0\n");
  EXPECT_NE(run("cat /proc/self/uid_map | grep -q ' 0 *0 *1$'").code, 0) << "nor as root outside";
  EXPECT_EQ(run("echo x > file; stat -c %u file").out, run("id -u").out);
}

TEST_F(Sandbox, ChangesNoSettingOfTheKernel) {
  for (const char* setting :
       {"/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger"})
    EXPECT_NE(run(std::string("[ -w ") + setting + " ]").code, 0) << setting;
}

TEST_F(Sandbox, RefusesSystemCalls) {
  if (!sandbox_status().filters) GTEST_SKIP() << "no filter can be made here";
  const ProcessResult result = run("unshare --user true");
  EXPECT_NE(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("Operation not permitted"));
  EXPECT_EQ(run("true; (exit 3)").code, 3) << "processes are its own business";
  EXPECT_EQ(run("grep Seccomp: /proc/self/status").out, "Seccomp:\t2\n");
}

TEST(Filter, HoldsWithoutASandboxToo) {
  if (syscall_filter(Syscalls::usual).empty()) GTEST_SKIP() << "no filter can be made here";
  ProcessRequest request;
  request.argv = {"sh", "-c", "unshare --user true || echo refused"};
  request.syscalls = Syscalls::usual;
  EXPECT_EQ(run_process(request).out, "refused\n");
}

TEST(User, IsAnotherOneIfRootRequestsIt) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can";
  ProcessRequest request;
  request.argv = {"sh", "-c", "id -u; id -g; id -G; kill -0 $PPID || echo alone"};
  request.user = ordinary_user;
  const std::string user = std::to_string(ordinary_user);
  EXPECT_EQ(run_process(request).out, user + "\n" + user + "\n" + user + "\nalone\n");
}

TEST(Channel, IsAppendedToAndNeverReadAgain) {
  ProcessRequest request;
  request.hello = "a secret\n";
  request.argv = {
      "bash", "-c",
      "read -r -u 4 line; echo \"got $line\" >&4; cat /proc/self/fd/4 && echo opened; : > /proc/self/fd/4; "
      "read -r -t 0.1 -u 4 again; echo \"again: $again\" >&4"};
  const ProcessResult result = run_process(request);
  EXPECT_EQ(result.channel, "got a secret\nagain: \n") << result.err;
  EXPECT_EQ(result.out, "");
}

TEST(Channel, IsBounded) {
  ProcessRequest request;
  request.hello = "x";
  request.limits.channel = 1000;
  request.argv = {"bash", "-c", "exec yes >&4"};
  const ProcessResult result = run_process(request);
  EXPECT_EQ(result.end, End::output_limit);
  EXPECT_EQ(result.channel.size(), 1000u);
}

TEST_F(Sandbox, PassesAChannelOn) {
  request.hello = "hello";
  EXPECT_EQ((run("head -c 5 <&4 >&4"), run("head -c 5 <&4 >&4").channel), "hello");
}

TEST_F(Sandbox, KeepsTheEnvironmentToItself) {
  setenv("SANDBOX_TEST_SECRET", "secret", 1);
  request.environment["SANDBOX_TEST_GIVEN"] = "given";
  EXPECT_EQ(run("echo $SANDBOX_TEST_SECRET-$SANDBOX_TEST_GIVEN").out, "-given\n");
}

TEST_F(Sandbox, EndsAForkBomb) {
  request.limits.processes = 30;
  EXPECT_EQ(run("b() { b | b & }; b; sleep 1000").end, End::process_limit);
}

TEST_F(Sandbox, EndsAHangThatHides) {
  request.limits.wall_s = 0.3;
  EXPECT_EQ(run("trap '' TERM; setsid sleep 1000 & sleep 1000").end, End::time_out);
}

TEST_F(Sandbox, EndsAFilledDisk) {
  request.limits.folder_size = 4 << 20;
  request.limits.watched_folder = spec.work_folder;
  for (const char* place : {".", "/tmp", "/dev/shm"}) {
    const std::string script =
        "i=0; while :; do head -c 500000 /dev/zero > " + std::string(place) + "/f$i; i=$((i+1)); done";
    EXPECT_EQ(run(script).end, End::file_limit) << place;
    fs::remove_all(spec.work_folder);
  }
}

TEST_F(Sandbox, EndsAFileThatGrows) {
  request.limits.file_size = 1 << 20;
  EXPECT_EQ(run("exec head -c 2000000 /dev/zero > big").end, End::file_limit);
}

TEST_F(Sandbox, EndsAFlood) {
  request.limits.output = 1000;
  EXPECT_EQ(run("yes").end, End::output_limit);
}

TEST(SandboxStatus, SaysWhatIsUnprotected) {
  const SandboxStatus& status = sandbox_status();
  if (status.works && status.own_proc) {
    EXPECT_THAT(status.version, HasSubstr("bubblewrap"));
    EXPECT_EQ(status.reason, "");
  } else {
    EXPECT_NE(status.reason, "");
    EXPECT_NE(status.mend, "");
  }
}

}  // namespace
}  // namespace grader
