// Tests programs that misbehave in every way, with the real program and a kit of one small lab. Each program
// gets its verdict, loses the right points, and damages neither the grader, its records nor the machine.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "small_kit.hpp"

#include "base/filesystem.hpp"
#include "model/table.hpp"

namespace grader {
namespace {

using testing::Ran;
using testing::small_program;

struct Misbehaviour {
  const char* name;
  std::string program;
  int exit_code;
  const char* verdict;
  const char* in_report;  ///< part of the JSON report: of a case, or of the diagnostics
};

std::vector<Misbehaviour> misbehaviours() {
  return {
      {"right", small_program(), 0, "passed", ""},
      {"wrong", small_program("if (i < n) y[i] = 3 * x[i];"), 1, "wrong_answer", "scaled"},
      {"unwritten", small_program("(void)i; (void)y; (void)x; (void)n;"), 1, "wrong_answer", "unwritten"},
      {"nan", small_program("if (i < n) y[i] = x[i] * (0.0f / 0.0f);"), 1, "wrong_answer", "nan"},
      {"does_not_compile", small_program("y[i] = 2 * z[i];"), 1, "compile_error", "double.cu:11"},
      {"crash", small_program("if (i < n) y[i] = 2 * x[i];", "*(volatile int*)8 = 1;"), 1, "crash",
       "SIGSEGV"},
      {"abort", small_program("if (i < n) y[i] = 2 * x[i];", "std::abort();"), 1, "crash", "SIGABRT"},
      {"wild_kernel", small_program("if (i < n) ((float*)16)[i] = x[i];"), 1, "crash",
       "illegal memory access"},
      {"hang", small_program("if (i < n) y[i] = 2 * x[i];", "for (volatile int one = 1; one;) {}"), 1,
       "time_out", "3"},
      {"sleeps", small_program("if (i < n) y[i] = 2 * x[i];", "sleep(1000);"), 1, "time_out", "3"},
      {"hanging_kernel", small_program("volatile int one = 1; while (one) {} if (i < n) y[i] = x[i];"), 1,
       "time_out", ""},
      {"flood", small_program("if (i < n) y[i] = 2 * x[i];", "for (;;) std::puts(\"a line of many\");"), 1,
       "output_limit", ""},
      {"fills_disk",
       small_program(
           "if (i < n) y[i] = 2 * x[i];",
           "FILE* f = std::fopen(\"big\", \"w\"); static char block[1 << 20]; while (std::fwrite(block, 1, "
           "sizeof block, f) == sizeof block) {} std::abort();"),
       1, "output_limit", ""},
      {"fork_bomb", small_program("if (i < n) y[i] = 2 * x[i];", "for (;;) if (fork() < 0) usleep(1000);"), 1,
       "process_limit", ""},
      {"memory",
       small_program("if (i < n) y[i] = 2 * x[i];",
                     "for (;;) { char* p = (char*)std::malloc(16 << 20); if (!p) std::abort(); "
                     "std::memset(p, 1, 16 << 20); }"),
       1, "memory_limit", ""},
      {"no_output",
       small_program("if (i < n) y[i] = 2 * x[i];", "", "std::puts(\"Check ok? Passed.\"); return 0;"), 1,
       "no_output", ""},
      {"believes_itself", small_program("if (i < n) y[i] = 0;"), 1, "wrong_answer", "zeros"},
      {"no_kernel",
       small_program("if (i < n) y[i] = 2 * x[i];", "", "for (int i = 0; i < n; ++i) y[i] = 2 * x.data[i];"),
       0, "passed", ""},  // the kernel computed the same values, so the program passes
      {"host_computes",
       small_program("if (i < n) y[i] = 0;", "", "for (int i = 0; i < n; ++i) y[i] = 2 * x.data[i];"), 1,
       "requirement_failed", "No copy from the device"},
      {"there_and_back",
       small_program("if (i < n) y[i] = 0;", "",
                     "for (int i = 0; i < n; ++i) y[i] = 2 * x.data[i];\n"
                     "  cudaMalloc(&d_y, bytes);\n"
                     "  cudaMemcpy(d_y, y.data(), bytes, cudaMemcpyHostToDevice);\n"
                     "  cudaMemcpy(y.data(), d_y, bytes, cudaMemcpyDeviceToHost);"),
       1, "requirement_failed", "The host had these values first"},
      {"truncated_output",
       small_program("if (i < n) y[i] = 2 * x[i];", "",
                     "lab::write_npy(output, x.shape, y.data()); truncate(output.c_str(), 200); return 0;"),
       1, "no_output", "truncated"},
      {"wrong_shape",
       small_program("if (i < n) y[i] = 2 * x[i];", "",
                     "lab::write_npy(output, {x.shape[0] - 1}, y.data()); return 0;"),
       1, "no_output", "shape"},
      {"output_is_a_fifo",
       small_program("if (i < n) y[i] = 2 * x[i];", "", "mkfifo(output.c_str(), 0666); return 0;"), 1,
       "no_output", ""},
      {"output_is_a_link",
       small_program("if (i < n) y[i] = 2 * x[i];", "",
                     "if (symlink(\"/etc/passwd\", output.c_str())) return 1; return 0;"),
       1, "no_output", ""},
  };
}

void PrintTo(const Misbehaviour& m, std::ostream* out) {
  *out << m.name;
}

class Verdicts : public ::testing::TestWithParam<Misbehaviour> {};

TEST_P(Verdicts, AreDistinguished) {
  const Misbehaviour& m = GetParam();
  const testing::TemporaryFolder folder;
  const int time_out_s = std::strcmp(m.verdict, "time_out") == 0 ? 3 : 60;
  testing::User user(testing::write_small_kit(folder.path(), m.program, time_out_s));
  const Ran ran = user.grader({"lab9.1", "--backend", "emu", "--json"});
  ASSERT_EQ(ran.exit_code, m.exit_code) << ran.out << ran.err;
  const auto report = ran.json();
  EXPECT_EQ(report["verdict"], m.verdict) << report.dump(2);
  EXPECT_NE(ran.out.find(m.in_report), std::string::npos) << "no word of '" << m.in_report << "' in\n"
                                                          << report.dump(2);
  if (m.exit_code != 0) {
    EXPECT_EQ(report["points"], 0);
  }

  // Whatever the program did, the grading is recorded.
  const Ran results = user.grader({"results", "--json"});
  ASSERT_EQ(results.exit_code, 0) << results.err;
  EXPECT_NE(results.out.find(m.verdict), std::string::npos) << results.out;
}

INSTANTIATE_TEST_SUITE_P(Programs, Verdicts, ::testing::ValuesIn(misbehaviours()),
                         [](const auto& tested) { return tested.param.name; });

// The output is right, but one thread did all the work, as the counters prove.
TEST(Counted, TheRequestedKernelIsTheKernelThatRan) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(
      folder.path(), small_program("if (i == 0) for (int k = 0; k < n; ++k) y[k] = 2 * x[k];"));
  const fs::path lab_toml = kit / "labs/lab9.1-double/lab.toml";
  std::string text = testing::read_file(lab_toml);
  const std::string head = "args = [\"1000\"]\n";
  text.insert(text.find(head) + head.size(),
              "counts = [{ of = \"global_stores\", at_most = 100, says = \"One thread stores all.\" }]\n"
              "decides = [1]\n");
  testing::write_file(lab_toml, text);
  const testing::User user(kit);
  const Ran ran = user.grader({"lab9.1", "--backend", "emu", "--json"});
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  EXPECT_EQ(ran.json()["verdict"], "requirement_failed");
  EXPECT_EQ(ran.json()["points"], 0) << "the hidden case is right, but the other one decides";
  EXPECT_NE(ran.out.find("One thread stores all. (global stores: 1000; at most 100 are expected.)"),
            std::string::npos)
      << ran.out;
  EXPECT_EQ(user.grader({"lab9.1", "--solution", "--backend", "emu", "--json"}).exit_code, 0);
}

// In memory that host and device use, a plain run can't know which of them made an object, so the result is
// right. The checker knows it.
class ObjectOfTheHost : public ::testing::TestWithParam<const char*> {};

TEST_P(ObjectOfTheHost, HasNoPointsWhereAKernelCallsItsVirtualFunctions) {
  const testing::TemporaryFolder folder;
  std::string program = small_program("if (i < n) y[i] = doubled->of(x[i]);", GetParam());
  const std::string last_include = "#include <unistd.h>\n";
  program.insert(
      program.find(last_include) + last_include.size(),
      "#include <new>\n"
      "struct Number { __host__ __device__ virtual float of(float x) const { return x; } };\n"
      "struct Doubled : Number { __host__ __device__ float of(float x) const override { return 2 * x; } };\n"
      "__managed__ Number* doubled;\n"
      "__global__ void make(void* where) { doubled = new (where) Doubled; }\n");
  const fs::path kit = testing::write_small_kit(folder.path(), program);
  const fs::path lab_toml = kit / "labs/lab9.1-double/lab.toml";
  std::string text = testing::read_file(lab_toml);
  for (const std::string head : {"args = [\"1000\"]\n", "args = [\"7\"]\n"})
    text.insert(text.find(head) + head.size(), "checked = [\"37\"]\n");
  testing::write_file(lab_toml, text);
  const testing::User user(kit);
  const Ran ran = user.grader({"lab9.1", "--backend", "emu", "--json"});
  if (program.find("make<<<") != program.npos) {
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    return;
  }
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  EXPECT_EQ(ran.json()["points"], 0) << ran.out;
  EXPECT_NE(ran.out.find("a virtual function of an object that the host made"), std::string::npos) << ran.out;
}

constexpr const char* memories[] = {"managed", "pinned", "made_by_a_kernel"};
INSTANTIATE_TEST_SUITE_P(
    Memory, ObjectOfTheHost,
    ::testing::Values("cudaMallocManaged(&doubled, sizeof(Doubled)); new (doubled) Doubled;",
                      "cudaMallocHost(&doubled, sizeof(Doubled)); new (doubled) Doubled;",
                      "void* where; cudaMallocManaged(&where, sizeof(Doubled)); make<<<1, 1>>>(where);"),
    [](const auto& tested) { return std::string(memories[tested.index]); });

TEST(Sandboxed, ProgramSeesNeitherKitNorRecordsNorNetwork) {
  const testing::TemporaryFolder folder;
  const fs::path kit = folder / "kit";
  const std::string probe =
      "if (access(\"" + (kit / "labs").string() +
      "\", F_OK) == 0) { std::puts(\"sees the kit\"); return 9; } "
      "if (FILE* f = std::fopen(\"/etc/shadow\", \"r\")) { std::puts(\"reads shadow\"); return 9; }";
  testing::User user(
      testing::write_small_kit(folder.path(), small_program("if (i < n) y[i] = 2 * x[i];", probe)));
  const auto doctor = user.grader({"doctor", "--json"}).out;
  const Ran ran = user.grader({"lab9.1", "--backend", "emu", "--json"});
  if (ran.out.find("unprotected") != std::string::npos)
    GTEST_SKIP() << "bubblewrap does not work here: " << doctor;
  EXPECT_EQ(ran.exit_code, 0) << ran.out;
}

TEST(Table, IsMeasuredKeptAndPrintedInEveryForm) {
  const testing::TemporaryFolder folder;
  testing::User user(testing::write_small_kit(folder.path()));
  const Ran text = user.grader({"table", "lab9.1", "--backend", "emu"});
  ASSERT_EQ(text.exit_code, 0) << text.out << text.err;
  EXPECT_NE(text.out.find("mulation"), std::string::npos) << "a table of emulation is headed as such:\n"
                                                          << text.out;
  EXPECT_NE(text.out.find("10000"), std::string::npos);
  const Ran json = user.grader({"table", "lab9.1", "--backend", "emu", "--last", "--json"});
  ASSERT_EQ(json.exit_code, 0) << json.out << json.err;
  EXPECT_EQ(json.json()["rows"].size(), 2u);
  for (const char* format : {"md", "csv", "latex", "svg"}) {
    const Ran printed = user.grader({"table", "lab9.1", "--backend", "emu", "--last", "--format", format});
    EXPECT_EQ(printed.exit_code, 0) << format << printed.err;
    EXPECT_FALSE(printed.out.empty()) << format;
  }
}

TEST(Table, OfAWrongProgramHasNoTimes) {
  const testing::TemporaryFolder folder;
  testing::User user(testing::write_small_kit(folder.path(), small_program("if (i < n) y[i] = 3 * x[i];")));
  const Ran ran = user.grader({"table", "lab9.1", "--backend", "emu", "--json"});
  EXPECT_NE(ran.exit_code, 0) << ran.out;
}

TEST(TwoAtOnce, BothAreRecorded) {
  const testing::TemporaryFolder folder;
  testing::User user(testing::write_small_kit(folder.path()));
  Ran first, second;
  std::thread other([&] { first = user.grader({"lab9.1", "--backend", "emu", "--json"}); });
  second = user.grader({"lab9.1", "--backend", "emu", "--json"});
  other.join();
  EXPECT_EQ(first.exit_code, 0) << first.out << first.err;
  EXPECT_EQ(second.exit_code, 0) << second.out << second.err;
  EXPECT_EQ(user.grader({"results", "--json"}).json()["results"].size(), 2u);
}

/// The GPU's tools and nvcc are scripts. The program prints its arguments, and whether other programs could
/// use its GPU.
TEST(TurnOnAGpu, IsTheStudentsOwnRunsToo) {
  const testing::TemporaryFolder folder;
  testing::User user(testing::write_small_kit(folder.path()));
  const fs::path tools = folder / "cuda/bin", locks = folder / "locks",
                 lock = locks / "cuda-lab-kit-gpu-GPU-7.lock";
  fs::create_directories(locks);
  const auto script = [&](const std::string& name, const std::string& text) {
    testing::write_file(tools / name, "#!/bin/sh\n" + text);
    fs::permissions(tools / name, fs::perms(0755));
  };
  script("nvidia-smi", "printf 'A, 1.2, 9.0, GPU-7\\nA, 1.2, 9.0, GPU-8\\n'\n");
  script("nvcc", R"(while [ $# -gt 1 ]; do [ "$1" = -o ] && to=$2; shift; done
cat > "$to" <<'END'
#!/bin/sh
read word
echo "$word $* on $CUDA_VISIBLE_DEVICES"
flock -n "$LOCK" true || echo locked
exit 7
END
chmod +x "$to"
)");
  user.set("PATH", tools.string() + ":" + std::getenv("PATH"));
  user.set("GRADER_DEVICE_LOCKS", locks.string());
  user.set("LOCK", lock.string());
  user.set("CUDA_VISIBLE_DEVICES", "0");
  const std::string run = "echo typed | '" GRADER_BINARY "' run lab9.1 --backend gpu -- 128";
  const Ran alone = user.shell(run);
  EXPECT_EQ(alone.exit_code, 7) << alone.err;
  EXPECT_EQ(alone.out, "typed 128 on GPU-7\nlocked\n");
  EXPECT_EQ(alone.err, "");
  // Another process holds the GPU's lock until the wait is reported.
  const std::string said = (folder / "said").string();
  const Ran waits = user.shell("touch '" + said + "'; timeout 60 flock '" + lock.string() +
                               "' sh -c \"until grep -q 'in use' '" + said +
                               "'; do sleep 0.1; done\" & sleep 0.1; " + run + " 2> '" + said + "'");
  EXPECT_EQ(waits.exit_code, 7) << waits.err;
  EXPECT_EQ(waits.out, alone.out);
  const std::string waited = testing::read_file(said);
  EXPECT_NE(waited.find("GPU-7 is in use by another grading"), std::string::npos) << waited;
  EXPECT_EQ(user.shell("flock -n '" + lock.string() + "' true").exit_code, 0) << "it was given back";
}

}  // namespace
}  // namespace grader
