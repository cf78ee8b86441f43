// Tests that a program can't find out how it runs: graded, under the checker, with counters, or with lanes in
// lockstep. A probe prints everything that it can find, and all runs must print the same. Only the program
// itself differs, in its code, size and speed (docs/security.md).
#include <gtest/gtest.h>

#include "build/compiler.hpp"
#include "catalog/catalog.hpp"
#include "check/checking.hpp"
#include "lab/npy.hpp"
#include "process/machine.hpp"
#include "run/counting.hpp"
#include "small_kit.hpp"

namespace grader {
namespace probe_test {

const char* const probe = R"(#include <cuda_runtime.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace fs = std::filesystem;
extern char** environ;
static std::set<std::string> seen;
static std::string key;  // of the program in the cache: it identifies the program's content
static void see(const std::string& what, std::string text) {
  const std::size_t at = text.find(key);
  seen.insert(what + " " + (at == text.npos ? text : text.replace(at, key.size(), "KEY")));
}
__global__ void nothing() {}
__global__ void compare(int* host, unsigned long long address, unsigned long long* turned) {
  *turned = (unsigned long long)host ^ address;
}

int main(int argc, char** argv) {
  key = fs::path(argv[0]).parent_path().filename();
  for (char** entry = environ; *entry; ++entry) see("environment", *entry);
  see("name", fs::path(argv[0]).filename());
  for (int i = 1; i < argc; ++i) see("argument", argv[i]);
  see("folder", fs::current_path());
  for (const auto& entry : fs::recursive_directory_iterator("."))
    see("file", entry.path().string() + (entry.is_regular_file() ? " " + std::to_string(entry.file_size()) : ""));
  for (const auto& entry : fs::directory_iterator("/proc/self")) see("process", entry.path().filename());
  for (const auto& entry : fs::directory_iterator("/")) see("root", entry.path());
  for (const char* name : {"/proc/self/limits", "/proc/self/cgroup", "/proc/self/oom_score_adj"}) {
    std::ifstream in(name);
    for (std::string line; std::getline(in, line);) see(name, line);
  }
  std::ifstream status("/proc/self/status");  // SigQ counts the signals of all processes of the user
  for (std::string line; std::getline(status, line);)
    for (const char* key : {"Cap", "Groups", "Gid", "NoNewPrivs", "Seccomp", "SigB", "SigC", "SigI", "SigP", "Shd", "Uid", "Umask", "Cpus_allowed"})
      if (line.rfind(key, 0) == 0) see("status", line);
  for (int i = 0; i < 1024; ++i) {
    struct stat what;
    if (fstat(i, &what) == 0)  // the channel's number is drawn again for each run
      see("descriptor", (i < 100 ? std::to_string(i) : "of the channel") + " " + std::to_string(what.st_mode & S_IFMT));
  }
  see("priority", std::to_string(getpriority(PRIO_PROCESS, 0)));
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  see("device", std::string(device.name) + " " + std::to_string(device.multiProcessorCount) + " " +
                    std::to_string(device.totalGlobalMem));
  nothing<<<1, 1>>>();
  see("launch", cudaGetErrorString(cudaDeviceSynchronize()));
  int host = 0;
  unsigned long long turned = 0, *turned_d;
  cudaMalloc(&turned_d, sizeof turned);
  compare<<<1, 1>>>(&host, (unsigned long long)&host, turned_d);
  cudaMemcpy(&turned, turned_d, sizeof turned, cudaMemcpyDefault);
  see("bits that a launch turns", std::to_string(turned));
  cudaFree(turned_d);
  for (const std::string& line : seen) std::puts(line.c_str());
}
)";

struct Kind {
  const char* name;
  Instrument instrument;
};
constexpr Kind kinds[] = {{"graded", Instrument::none},
                          {"checked", Instrument::check},
                          {"counted", Instrument::counters},
                          {"in step", Instrument::lockstep}};

class Probe : public ::testing::Test {
 protected:
  Probe() : kit{testing::write_small_kit(folder.path(), probe)}, toolchain(Toolchain::detect(kit)) {
    toolchain.emucc = EMUCC_BINARY;
    lab = Catalog::load(kit).labs().front();
    submission.lab = &lab;
    submission.files = {{"double.cu", probe}};
    const float x[] = {1, 2, 3};
    lab::write_npy((folder / "x.npy").string(), {3}, x);
    data.inputs = {folder / "x.npy"};
  }

  /// What the probe prints in a run with the settings of a grading.
  std::string seen_in(Instrument instrument) {
    const BuildResult built = build(kit, toolchain, submission, Backend::emu, {}, instrument);
    EXPECT_TRUE(built.ok) << built.diagnostics;
    if (!built.ok) return {};
    const Case& c = lab.cases.front();
    const fs::path work = folder / "run";
    const Machine& machine = this_machine();
    RunTool tool;
    tool.files = submission.files;
    RunResult run;
    if (instrument == Instrument::check)
      run = run_checked(toolchain, submission, at_checking_size(c), built.program, data, work, machine).run;
    else if (instrument == Instrument::counters)
      run = run_counted(toolchain, submission, c, Backend::emu, built.program, data, work, {}, machine).run;
    else
      run = run_case(toolchain, lab, c, Backend::emu, built.program, data, work, tool, machine);
    EXPECT_EQ(run.process.code, 0) << run.process.err;
    EXPECT_TRUE(run.profile.doubt.empty()) << run.profile.doubt;
    return run.process.out;
  }

  /// All macros that a source sees after it has included CUDA's headers.
  std::set<std::string> macros_of(Instrument instrument) {
    testing::write_file(folder / "macros.cu", "#include <vector>\n");
    std::vector<std::string> command = compiler_command(toolchain, Backend::emu, "", false, instrument);
    command.insert(command.end(), {"-E", "-Xcompiler", "-dM", (folder / "macros.cu").string()});
    ProcessRequest request;
    request.argv = command;
    request.limits.output = 4 << 20;
    const ProcessResult done = run_process(request);
    EXPECT_TRUE(done.ok()) << done.err;
    const std::vector<std::string> lines = split_lines(done.out);
    return {lines.begin(), lines.end()};
  }

  testing::TemporaryFolder folder;
  Kit kit;
  Toolchain toolchain;
  Lab lab;
  Submission submission;
  CaseData data;
};

TEST_F(Probe, SeesTheSameInEveryKindOfRun) {
  const std::string graded = seen_in(Instrument::none);
  EXPECT_NE(graded.find("environment LAB_POISON=1"), std::string::npos) << graded;
  EXPECT_NE(graded.find("descriptor 0 "), std::string::npos) << graded;
  EXPECT_NE(graded.find("bits that a launch turns "), std::string::npos) << graded;
  EXPECT_EQ(graded.find("bits that a launch turns 0"), std::string::npos) << graded;
  for (const Kind& kind : kinds)
    if (kind.instrument != Instrument::none) {
      EXPECT_EQ(seen_in(kind.instrument), graded) << kind.name;
    }
}

TEST_F(Probe, IsCompiledWithTheSameMacros) {
  const std::set<std::string> graded = macros_of(Instrument::none);
  EXPECT_GT(graded.size(), 500u);
  for (const Kind& kind : kinds) EXPECT_EQ(macros_of(kind.instrument), graded) << kind.name;
}

}  // namespace probe_test
}  // namespace grader
