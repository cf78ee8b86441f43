// Tests the messages of labs' programs (lab/cause.hpp) about failed calls, stopped kernels and endless
// kernels in the emulation. causes/causes.cu fails in one way for each name on its command line;
// causes/library.cu fails in another way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const fs::path sources = fs::path(KIT_SOURCE_DIR) / "common/emu/tests/causes";

/// Returns a text such as "causes.cu:17" for the line that ends with `// mark`.
std::string line_with(const std::string& mark) {
  std::ifstream in(sources / "causes.cu");
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string end = "// " + mark;
    if (line.size() >= end.size() && line.compare(line.size() - end.size(), end.size(), end) == 0)
      return "causes.cu:" + std::to_string(number);
  }
  throw std::runtime_error("no line of causes.cu ends with // " + mark);
}

/// The program, built once.
class Causes : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = (fs::temp_directory_path() / "emucc-causes-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    ASSERT_EQ(build("causes", ""), 0);
  }
  static void TearDownTestSuite() { fs::remove_all(folder); }

  static int build(const std::string& program, const std::string& options,
                   const std::string& source = "causes.cu") {
    const fs::path kit(KIT_SOURCE_DIR);
    const std::string command = fs::path(KIT_BINARY_DIR) / "bin/emucc";
    return std::system((command + " -O2 -std=c++17 -rdc=true --no-fission -lineinfo " + options + " -I" +
                        (kit / "common/lab/include").string() + " " + (sources / source).string() + " -o " +
                        (folder / program).string())
                           .c_str());
  }

  /// Runs the program and returns its message. The exit code must be the one for a CUDA error.
  static std::string said(const std::string& name, const std::string& environment = "",
                          const std::string& program = "causes") {
    const fs::path errors = folder / "errors";
    const int status = std::system((environment + " timeout 60 " + (folder / program).string() + " '" + name +
                                    "' 2> " + errors.string() + " > " + (folder / "output").string())
                                       .c_str());
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 3) << name;
    std::ifstream in(errors);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Returns the message about an endless kernel that reaches the time limit. Tries longer limits until the
  /// message names all threads: on a busy machine, half a second may pass before each thread has begun.
  static std::string said_of_endless(const std::string& name, const std::string& once_all_run,
                                     const std::string& program = "causes") {
    std::string text;
    for (const char* limit : {"CUEMU_TIMEOUT=0.5", "CUEMU_TIMEOUT=5", "CUEMU_TIMEOUT=20"}) {
      text = said(name, limit, program);
      if (text.find(once_all_run) != text.npos) break;
    }
    return text;
  }

  static inline fs::path folder;
};

TEST_F(Causes, ARefusedLaunchSaysWhichOfItsSizesIsTooLarge) {
  EXPECT_THAT(
      said("block"),
      HasSubstr("Likely cause: the block has 33 × 33 = 1089 threads, but a block may have at most 1024"));
  EXPECT_THAT(said("long"),
              HasSubstr("Likely cause: the block has 2000 threads, but a block may have at most 1024"));
  EXPECT_THAT(said("deep"),
              HasSubstr("Likely cause: the block has 65 threads in z, but at most 64 are allowed.\n"));
  EXPECT_THAT(said("grid"),
              HasSubstr("Likely cause: the grid has 70000 blocks in y, but at most 65535 are allowed.\n"));
  EXPECT_THAT(said("empty"),
              HasSubstr("Likely cause: the grid has no blocks, 0 × 1 × 1: does a division round"));
  EXPECT_THAT(said("bounds"), HasSubstr("Likely cause: the block has 13 × 5 = 65 threads, but "
                                        "__launch_bounds__ of the kernel allows 64.\n"));
  EXPECT_THAT(said("shared"),
              HasSubstr("Likely cause: the launch asks for 40000 bytes of dynamic shared memory besides "
                        "16384 of the kernel's __shared__ variables, and a block may have 49152 bytes"));
  EXPECT_THAT(said("block", "CUEMU_DEVICE=gtx280"),
              HasSubstr("1089 threads, but a block may have at most 512"));
}

TEST_F(Causes, MoreLaunchesFromKernelsThanMayWaitSaysHowManyMay) {
  EXPECT_THAT(said("children"),
              HasSubstr("Likely cause: kernels launched more kernels than may wait at a time (2048, by "
                        "cudaDeviceSetLimit with cudaLimitDevRuntimePendingLaunchCount): does every "
                        "thread, or every block, launch what one of them should?\n"));
}

TEST_F(Causes, AnErrorOfAnEarlierCallIsNotBlamedOnTheLaunch) {
  const std::string text = said("earlier");
  EXPECT_THAT(text, HasSubstr("Likely cause: the launch was accepted: an earlier call failed"));
  EXPECT_THAT(text, Not(HasSubstr("threads")));
}

TEST_F(Causes, ACopySaysItsDirectionAndTheSideOfEachPointer) {
  EXPECT_THAT(said("pointers"),
              HasSubstr("Likely cause: cudaMemcpyHostToDevice copies 256 bytes from the host to the device, "
                        "but the destination P.data() is not device memory, and the source d_P is device "
                        "memory: is the direction wrong, or are the two pointers exchanged?"));
  EXPECT_THAT(said("direction"),
              HasSubstr("Likely cause: cudaMemcpyDeviceToHost copies 256 bytes from the device to the host, "
                        "but the destination d_P is device memory, and the source P.data() is not device "
                        "memory: is the direction wrong"));
  const std::string one = said("one side");
  EXPECT_THAT(one, HasSubstr("the destination P[64] is not device memory, and the source P.data() is not"));
  EXPECT_THAT(one, Not(HasSubstr("exchanged")));
  EXPECT_THAT(said("null"), HasSubstr("the destination d_none is a null pointer, "));
  EXPECT_THAT(said("kind"), HasSubstr("the direction of the copy is 9, which is none of"));
}

TEST_F(Causes, ACopyLargerThanItsAllocationNamesBothSizes) {
  EXPECT_THAT(said("too large"),
              HasSubstr("Likely cause: the copy takes 1024 bytes, and d_P has 256: sizes are in"));
  EXPECT_THAT(said("from inside"), HasSubstr("the copy takes 256 bytes, and d_P + 16 has 192 from there on"));
  EXPECT_THAT(said("set"), HasSubstr("Likely cause: cudaMemset sets 512 bytes, and d_P has 256: sizes"));
  EXPECT_THAT(said("set host"),
              HasSubstr("cudaMemset sets 256 bytes at P.data(), which is not device memory"));
}

TEST_F(Causes, NoMemoryReportsTheRequestAndTheFreeMemory) {
  EXPECT_THAT(said("memory"), testing::ContainsRegex("it asks for 1125899906842624 bytes, and the device has "
                                                     "[0-9]+ free, of [0-9]+: choose a smaller size"));
  EXPECT_THAT(said("negative"), HasSubstr("18446744073709551612 bytes (that is -4, a negative number)"));
}

TEST_F(Causes, AFreeSaysWhatThePointerIs) {
  EXPECT_THAT(said("free host"),
              HasSubstr("P.data() is not a pointer from cudaMalloc, or it was freed before"));
  EXPECT_THAT(said("free twice"), HasSubstr("d_P is not a pointer from cudaMalloc, or it was freed before"));
  EXPECT_THAT(said("free inside"), HasSubstr("d_P + 4 points 16 bytes past the beginning of its allocation"));
}

TEST_F(Causes, ABadAccessSaysWhichArrayByHowMuch) {
  EXPECT_THAT(said("outside"),
              HasSubstr("Likely cause: kernel write_at, thread (0, 0, 0) of block (0, 0, 0): a write at " +
                        line_with("the write") + ", 128 bytes past the end of d_P (256 bytes, " +
                        line_with("P") + ").\n"));
  EXPECT_THAT(said("freed"), HasSubstr(", inside d_M (256 bytes, causes.cu:"));
  EXPECT_THAT(said("null kernel"),
              HasSubstr("a write at " + line_with("the write") + " through a null pointer"));
}

TEST_F(Causes, AKernelThatIsStoppedNamesItsThread) {
  EXPECT_THAT(said("neighbours"),
              HasSubstr("Likely cause: kernel neighbours, thread (37, 0, 0) of block (0, 0, 0): a write at " +
                        line_with("the write of some") + ", 40 bytes past the end of d_P (256 bytes, "));
  // The program's earlier output must appear, each line once.
  std::ifstream in(folder / "output");
  int lines = 0;
  for (std::string line; std::getline(in, line);) EXPECT_EQ(line, "thread " + std::to_string(lines++));
  EXPECT_EQ(lines, 38);
  EXPECT_THAT(said("passed on"),
              HasSubstr("Likely cause: kernel passed_on, thread (5, 0, 0) of block (0, 0, 0): a write at " +
                        line_with("the write of one") + ", 128 bytes past the end of d_P"));
  const std::string endless = said_of_endless("exchanged", "63 of 64 threads compute");
  EXPECT_THAT(endless, HasSubstr("this thread was running at " + line_with("the endless sum") + "\n"));
  EXPECT_THAT(endless, HasSubstr("63 of 64 threads compute, or wait in a loop for memory to change at " +
                                 line_with("the endless sum")));
}

TEST_F(Causes, UnknownCausesAreNotClaimed) {
  EXPECT_THAT(said("no kernel"), Not(HasSubstr("Likely cause")));
}

TEST_F(Causes, AKernelThatNeverEndsSaysWhereItsThreadsAre) {
  const std::string one = said_of_endless("one computes", "63 of 64 threads wait");
  EXPECT_THAT(one, HasSubstr("this thread was running at " + line_with("the endless loop") + "\n"));
  EXPECT_THAT(one, HasSubstr("63 of 64 threads wait at __syncthreads() at "));
  EXPECT_THAT(one, HasSubstr(line_with("the barrier") + " (the first is thread (0, 0, 0))\n"));
  EXPECT_THAT(
      one,
      HasSubstr("Likely cause: kernel one_computes, thread (3, 0, 0) of block (0, 0, 0): this thread was "
                "running at " +
                line_with("the endless loop") + "; 63 of 64 threads wait at __syncthreads()"));
  EXPECT_THAT(one, Not(HasSubstr("display")));
  const std::string all = " at " + line_with("all of them");
  EXPECT_THAT(said_of_endless("all compute", all), HasSubstr(all));
  const std::string called = "this thread was running at " + line_with("in a function");
  EXPECT_THAT(said_of_endless("in a function", called), HasSubstr(called));
}

TEST_F(Causes, ADeadlockSaysWhoWaitsForWhat) {
  const std::string text = said("half waits");
  EXPECT_THAT(text, HasSubstr("Likely cause: kernel half_waits, block (0, 0, 0): "));
  EXPECT_THAT(text, HasSubstr("16 of 64 threads wait for their warp with mask 0xffffffff at "));
  EXPECT_THAT(text, HasSubstr(line_with("16 lanes wait")));
  EXPECT_THAT(text, HasSubstr("32 threads have returned"));
}

TEST_F(Causes, TheCheckersProgramsSayTheSameOfAnEndlessLoop) {
  ASSERT_EQ(build("checked", "--check"), 0);
  // Under the checker a thread runs until it meets other threads. So the threads after the endless one never
  // begin.
  const std::string one = said_of_endless("one computes", "3 of 64 threads wait", "checked");
  EXPECT_THAT(one, HasSubstr("this thread was running at " + line_with("the endless loop") + "\n"));
  EXPECT_THAT(one, HasSubstr("threads wait at __syncthreads() at "));
  // A thread may be stopped anywhere, except while it holds a lock that the report at the end takes.
  for (int i = 0; i < 16; ++i)
    EXPECT_THAT(said("one computes", "CUEMU_TIMEOUT=0.1", "checked"), HasSubstr("702"));
}

TEST_F(Causes, ALibrarysKernelThatNeverEndsIsStoppedToo) {
  ASSERT_EQ(build("library", "", "library.cu"), 0);
  EXPECT_THAT(said("", "CUEMU_TIMEOUT=0.5", "library"), HasSubstr("it ran longer than CUEMU_TIMEOUT allows"));
}

}  // namespace
