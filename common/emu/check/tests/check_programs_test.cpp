// Runs pairs of programs under --check. Each wrong program must have the expected findings, and each right
// program none (programs/pair.cuh describes the form). The correct programs of ../../tests must have no
// findings, either.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "correct.hpp"
#include "pairs.hpp"
#include "random_programs.hpp"

namespace {

using namespace cuemu::check::tests;
namespace fs = std::filesystem;

const fs::path emucc = fs::path(KIT_BINARY_DIR) / "bin" / "emucc";
const fs::path sources = fs::path(KIT_SOURCE_DIR) / "common" / "emu";
const fs::path pair_sources = sources / "check" / "tests" / "programs";

const std::vector<PairFile>& pair_files() {
  static const std::vector<PairFile> files = read_pairs(pair_sources);
  return files;
}

const PairFile& pair_file(const std::string& group, const std::string& rule) {
  const auto found = std::find_if(pair_files().begin(), pair_files().end(), [&](const PairFile& file) {
    return file.group == group && file.rule == rule;
  });
  if (found == pair_files().end()) throw std::runtime_error("no pairs " + group + "/" + rule);
  return *found;
}

/// emucc's default compiler, and clang++ if it is installed. `check_table --compilers` tests others.
std::vector<Compiler> compilers() {
  std::vector<Compiler> all{{}};
  if (std::string(KIT_CLANGXX) != "") all.push_back({KIT_CLANGXX, "3"});
  return all;
}

std::string name_of(const Compiler& compiler) {
  return compiler.name.empty() ? "" : "_by_clang";
}

using FileAndCompiler = std::tuple<PairFile, Compiler>;
class Pairs : public testing::TestWithParam<FileAndCompiler> {};

TEST_P(Pairs, AreDistinguished) {
  const auto& [file, compiler] = GetParam();
  const TemporaryFolder folder;
  const fs::path program = folder.path / "program";
  ASSERT_EQ(build_checked(emucc, file.path.string(), file.flags, program, compiler), "");
  for (const Pair& pair : file.pairs) {
    if (pair.gcc_only && compiler.is_clang()) continue;
    EXPECT_EQ(difference(pair, run_checked(program, pair.name + " wrong")), "") << pair.name;
    EXPECT_EQ(difference(run_checked(program, pair.name + " right")), "") << pair.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Pairs,
                         testing::Combine(testing::ValuesIn(pair_files()), testing::ValuesIn(compilers())),
                         [](const auto& each) {
                           const PairFile& file = std::get<0>(each.param);
                           return file.group + "_" + file.rule + name_of(std::get<1>(each.param));
                         });

/// The correct programs that are most likely to get false findings. `check_table --correct` runs all of them.
std::vector<CorrectProgram> some_correct_programs() {
  const std::set<std::string> names = {"async_objects",
                                       "atomics_all",
                                       "barrier_kernels",
                                       "clusters",
                                       "cooperative",
                                       "device_heap",
                                       "error_codes",
                                       "dynamic_parallelism",
                                       "fences",
                                       "graphs",
                                       "groups",
                                       "host_device",
                                       "launches",
                                       "memory_kinds",
                                       "memory_pools",
                                       "reduction",
                                       "several_files",
                                       "shared_dynamic",
                                       "spinning",
                                       "streams_events",
                                       "symbols_more",
                                       "traps",
                                       "vectors",
                                       "warps",
                                       "bfs",
                                       "cmake_filters",
                                       "game_of_life",
                                       "lookback_scan",
                                       "quicksort_cdp",
                                       "raytracer",
                                       "spmv",
                                       "streams_overlap",
                                       "unified_memory"};
  const std::set<std::string> of_extras = {"curand_host", "split_barriers", "thrust_wordcount",
                                           "wmma_gemm"};  // where they are built
  std::vector<CorrectProgram> some;
  std::vector<CorrectProgram> more;
  for (const CorrectProgram& program : correct_programs()) {
    if (names.count(program.name) != 0) some.push_back(program);
    if (of_extras.count(program.name) != 0) more.push_back(program);
  }
  if (some.size() != names.size()) throw std::runtime_error("not all of the correct programs are there");
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

class Correct : public testing::TestWithParam<CorrectProgram> {};

TEST_P(Correct, HasNoFindings) {
  EXPECT_EQ(false_alarm(GetParam()), "");
}
INSTANTIATE_TEST_SUITE_P(Programs, Correct, testing::ValuesIn(some_correct_programs()),
                         [](const auto& each) { return each.param.name; });

/// Returns the string literals in a piece of source. Adjacent literals are joined.
std::vector<std::string> literals_in(const std::string& text) {
  std::vector<std::string> found;
  bool joins = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '"') {
      joins = joins && std::isspace(static_cast<unsigned char>(text[i])) != 0;
      continue;
    }
    if (!joins) found.emplace_back();
    for (++i; i < text.size() && text[i] != '"'; ++i) {
      if (text[i] == '\\') ++i;
      found.back() += text[i];
    }
    joins = true;
  }
  return found;
}

/// The pieces of a checker's source that make hints: assignments to a hint, functions with "hint" in their names, and
/// the class that finds missing barriers.
std::vector<std::string> hint_makers(const std::string& source) {
  std::vector<std::string> pieces;
  for (std::size_t at = source.find("hint"); at != source.npos; at = source.find("hint", at + 1)) {
    const std::size_t sign = source.find_first_not_of(' ', at + 4);
    if (sign == source.npos || source[sign] != '=') continue;
    std::size_t end = sign;
    for (bool quoted = false; end < source.size() && (quoted || source[end] != ';'); ++end)
      quoted ^= source[end] == '"' && source[end - 1] != '\\';
    pieces.push_back(source.substr(sign, end - sign));
  }
  std::istringstream lines(source);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    const bool begins =
        !line.empty() && std::isalpha(static_cast<unsigned char>(line[0])) != 0 && line.back() == '{' &&
        (line.find("hint") < line.find('(') || line.find("MissingBarrier::") < line.find('('));
    if (begins) pieces.emplace_back();
    inside = (inside || begins) && line != "}" && line != "};";
    if (inside) pieces.back() += line + "\n";
  }
  return pieces;
}

/// Most accesses take a fast path (fast_path.hpp). In a block that the tracer records, no access takes it. The two
/// runs may show another of many races first, and with another count, but in the same kernels and arrays.
TEST(FastPath, FindsRacesInTheSameArrays) {
  constexpr int kernels = 15;
  const auto arrays_of = [](const Outcome& outcome) {
    std::set<std::string> all;
    for (const std::string& said : outcome.details)  // "k0: two threads of … touch g[32] with …"
      if (const std::size_t at = said.find(" touch "); at != said.npos)
        all.insert(said.substr(0, said.find(':')) + said.substr(at, said.find('[', at) - at));
    return all;
  };
  std::size_t found = 0;
  for (const unsigned seed : {1u, 2u, 3u}) {
    const TemporaryFolder folder;
    const fs::path source = folder.path / "random.cu", program = folder.path / "program";
    std::ofstream(source) << random_program(seed, kernels);
    ASSERT_EQ(build_checked(emucc, source.string(), "", program, {}), "");
    const Outcome quick = run_checked(program, "", "all,limit=0");
    const Outcome slow =
        run_checked(program, "", "all,limit=0,trace=2,trace-json=" + (folder.path / "trace.json").string());
    ASSERT_TRUE(quick.reported && slow.reported) << quick.messages << slow.messages;
    EXPECT_EQ(arrays_of(quick), arrays_of(slow)) << "program " << seed;
    found += arrays_of(quick).size();
  }
  EXPECT_GT(found, 40u);
}

/// Each possible hint must be the `// hint:` of a pair whose right program follows the hint.
TEST(Hints, AllAreProvedByAPair) {
  std::vector<std::string> proved;
  for (const PairFile& file : pair_files())
    for (const Pair& pair : file.pairs)
      for (const Expectation& expectation : pair.expected)
        if (expectation.kind == Expectation::Kind::hint) proved.push_back(expectation.text);
  constexpr std::size_t long_enough = 20;
  std::size_t hints = 0;
  for (const auto& entry : fs::directory_iterator(sources / "check")) {
    if (entry.path().extension() != ".cpp") continue;
    for (const std::string& piece : hint_makers(read_text(entry.path())))
      for (const std::string& literal : literals_in(piece)) {
        if (literal.size() < long_enough) continue;
        ++hints;
        EXPECT_TRUE(std::any_of(proved.begin(), proved.end(),
                                [&](const std::string& text) {
                                  return text.size() >= 15 && (literal.find(text) != literal.npos ||
                                                               text.find(literal) != text.npos);
                                }))
            << entry.path().filename() << ": no pair of tests/programs proves the hint\n"
            << literal;
      }
  }
  EXPECT_GT(hints, 60u);
}

/// Some hints say that a program is right only if a warp's lanes run in step. Each of these programs must be
/// right with `--lockstep`, and wrong in the usual order.
TEST(Hints, ProgramsThatRelyOnLockstepAreRightInLockstep) {
  const TemporaryFolder folder;
  const PairFile& file = pair_file("hints", "in_step");
  const auto printed_by = [&](const std::string& program, const std::string& arguments) {
    const std::string at = (folder.path / program).string();
    EXPECT_EQ(shell(at + " " + arguments + " > " + at + ".out"), 0);
    return read_text(at + ".out");
  };
  for (const char* const way : {"--no-fission", "--lockstep"})
    ASSERT_EQ(shell(emucc.string() + " " + way + " " + file.path.string() + " -o " +
                    (folder.path / (way + 2)).string()),
              0);
  int relying = 0;
  for (const Pair& pair : file.pairs) {
    if (std::none_of(pair.expected.begin(), pair.expected.end(), [](const Expectation& expectation) {
          return expectation.kind == Expectation::Kind::hint &&
                 expectation.text.find("--lockstep") != std::string::npos;
        }))
      continue;
    ++relying;
    const std::string right = printed_by("no-fission", pair.name + " right");
    EXPECT_NE(printed_by("no-fission", pair.name + " wrong"), right) << pair.name;
    EXPECT_EQ(printed_by("lockstep", pair.name + " wrong"), right) << pair.name;
  }
  EXPECT_EQ(relying, 2);
}

/// The report of one wrong program.
std::string report_of(const std::string& group, const std::string& rule, const std::string& pair) {
  const TemporaryFolder folder;
  const PairFile& file = pair_file(group, rule);
  EXPECT_EQ(build_checked(emucc, file.path.string(), file.flags, folder.path / "program"), "");
  return run_checked(folder.path / "program", pair + " wrong").messages;
}

TEST(Report, AnEarlyReturnLeadsWithTheBarrierThatItMisses) {
  const std::string text = report_of("barriers", "meeting", "returned_before_filling");
  EXPECT_EQ(text.rfind("barrier: ", 0), 0u) << text;
  EXPECT_LT(text.find("never reach this barrier"), text.find("uninitialised: ")) << text;
}

TEST(Report, CaretsPointAtTheAccessNotAtTheLoopAroundIt) {
  const std::string text = report_of("students", "wording", "count_in_a_loops_line");
  std::istringstream lines(text);
  std::string line, before;
  int carets = 0;
  for (; std::getline(lines, line); before = line) {
    const std::size_t caret = line.find('^');
    if (caret == line.npos || line.find_first_not_of(" ^~") != line.npos) continue;
    ++carets;
    EXPECT_EQ(before.substr(caret, line.size() - caret), "bins[in[i]]") << text;
  }
  EXPECT_EQ(carets, 2) << text;
}

TEST(Report, SaysWhoWhereAndWhatToDo) {
  const TemporaryFolder folder;
  const std::string at = folder.path.string();
  const PairFile& file = pair_file("races", "block");
  ASSERT_EQ(build_checked(emucc, file.path.string(), file.flags, folder.path / "program"), "");
  for (const char* const name : {"/first", "/second"})
    ASSERT_EQ(
        shell("CUEMU_CHECK=sarif=" + at + "/sarif " + at + "/program missing_barrier wrong 2> " + at + name),
        0);
  const std::string text = read_text(folder.path / "first");
  EXPECT_EQ(text, read_text(folder.path / "second")) << "the same from run to run";
  EXPECT_NE(text.find("two threads of block (0,0,0) touch other["), text.npos) << text;
  EXPECT_NE(text.find("(shared float[16][16]) with\n  no barrier between them"), text.npos) << text;
  EXPECT_NE(text.find("other[ty][tx] = b[(t + ty) * n + col];"), text.npos) << text;
  EXPECT_NE(text.find("a\n        __syncthreads() belongs between lines "), text.npos) << text;
  EXPECT_NE(text.find("other[ty][tx] = b[(t + ty) * n + col];"), text.npos) << text;
  EXPECT_NE(text.find("\n      ^~~~~~~~~~~~~\n"), text.npos) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  const auto sarif = nlohmann::json::parse(read_text(folder.path / "sarif"));
  EXPECT_EQ(sarif["version"], "2.1.0");
  const auto& result = sarif["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "race");
  const auto& region = result["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["endColumn"].get<int>() - region["startColumn"].get<int>(), 11) << "tile[ty][k]";
}

// ---- programs of several parts

/// A folder with sources that are compiled separately.
class Parts : public testing::Test {
 protected:
  std::string at(const std::string& name) const { return (folder_.path / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(at(name)) << text; }
  void build(const std::string& command) const {
    EXPECT_EQ(shell(command + " > " + at("messages") + " 2>&1"), 0) << command << "\n"
                                                                    << read_text(at("messages"));
  }

 private:
  TemporaryFolder folder_;
};

const char* const filled_by_a_copy = R"(#include <cstring>
__global__ void fill(int* all, int n) {
  int row[4] = {1, 2, 3, 4};
  if (threadIdx.x < n) memcpy(all + 4 * threadIdx.x, row, n > 0 ? sizeof row : 0);
}
__global__ void sum(const int* all, int* result) {
  for (int i = 0; i < 32; ++i) *result += all[i];
}
int main(int argc, char**) {
  int *all, *result;
  cudaMalloc(&all, 32 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemset(result, 0, sizeof(int));
  fill<<<1, 32>>>(all, argc > 1 ? 4 : 8);
  sum<<<1, 1>>>(all, result);
  cudaDeviceSynchronize();
  cudaFree(all);
  cudaFree(result);
}
)";

/// CMake links such programs: it takes emucc's libraries, but not emucc's flags.
TEST_F(Parts, ThatTheHostCompilerLinksAreChecked) {
  const std::string libraries = (fs::path(KIT_BINARY_DIR) / "lib" / "libcuemu").string();
  write("program.cu", filled_by_a_copy);
  build(emucc.string() + " --check -c " + at("program.cu") + " -o " + at("program.o"));
  const std::string toolkit = (fs::path(KIT_BINARY_DIR) / "cuda" / "lib64").string();
  for (const std::string& linked :
       {libraries + "_check.a " + libraries + "_watch.a " + libraries + ".a -ldw -pthread -ldl",
        "-L" + toolkit + " -lcudart", "-L" + toolkit + " -lcudadevrt -lcudart_static -lpthread -ldl",
        toolkit + "/libcudart.a"}) {
    build("g++ " + at("program.o") + " -o " + at("program") + " " + linked);
    EXPECT_EQ(difference(run_checked(at("program"), "")), "") << "copies by memcpy count\n" << linked;
    const Outcome half = run_checked(at("program"), "wrong");
    ASSERT_EQ(half.findings.size(), 1u) << half.messages;
    EXPECT_EQ(half.findings.front().rfind("uninitialised ", 0), 0u) << half.messages;
  }
}

/// A program that was not compiled for the checker contains neither the checker nor its dependencies.
TEST_F(Parts, ThatWereNotCompiledForItHaveNoChecker) {
  const std::string toolkit = (fs::path(KIT_BINARY_DIR) / "cuda" / "lib64").string();
  write("program.cu", filled_by_a_copy);
  build(emucc.string() + " -c " + at("program.cu") + " -o " + at("program.o"));
  build("g++ " + at("program.o") + " -o " + at("program") + " -L" + toolkit + " -lcudart");
  build(at("program"));
  build("nm -C " + at("program") + " | grep -q cuemu::");
  EXPECT_NE(shell("nm -C " + at("program") + " | grep -q cuemu::check::"), 0);
  EXPECT_NE(shell("readelf -d " + at("program") + " | grep -q libdw"), 0);
}

const char* const library_of_kernels = R"(
__global__ void fill(int* all) { all[threadIdx.x] = threadIdx.x; }
void start_to_fill(int* all) { fill<<<1, 32>>>(all); }
)";
const char* const user_of_the_library = R"(
void start_to_fill(int* all);
__global__ void twice(int* all) { all[threadIdx.x] *= 2; }
int main(int argc, char**) {
  int *all, *late;
  cudaMalloc(&all, 32 * sizeof(int));
  start_to_fill(all);
  cudaMalloc(&late, 32 * sizeof(int));
  twice<<<1, 32>>>(argc > 1 ? late : all);
  start_to_fill(all);
  cudaDeviceSynchronize();
  cudaFree(all);
  cudaFree(late);
}
)";

/// Data that uninstrumented kernels have written is not reported as unwritten. The report names these
/// kernels.
TEST_F(Parts, WithoutCheckAreNotSpokenOf) {
  write("library.cu", library_of_kernels);
  write("program.cu", user_of_the_library);
  build(emucc.string() + " -c " + at("library.cu") + " -o " + at("library.o"));
  build(emucc.string() + " -shared -Xcompiler -fPIC " + at("library.cu") + " -o " + at("libfill.so"));
  for (const std::string& library : {at("library.o"), at("libfill.so") + " -Xlinker -rpath=" + at("")}) {
    build(emucc.string() + " --check " + at("program.cu") + " " + library + " -o " + at("program"));
    const Outcome right = run_checked(at("program"), "");
    EXPECT_EQ(difference(right), "") << library;
    EXPECT_EQ(right.messages.rfind("cuemu: kernel fill is not checked", 0), 0u) << right.messages;
    EXPECT_EQ(right.messages.find("kernel fill", 15), right.messages.npos) << "once:\n" << right.messages;
    EXPECT_EQ(right.not_checked, std::vector<std::string>{"fill"});
    build("CUEMU_CHECK=sarif=" + at("sarif") + " " + at("program"));
    const auto run = nlohmann::json::parse(read_text(at("sarif")))["runs"][0];
    const std::string note =
        run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].get<std::string>();
    EXPECT_EQ(note.rfind("kernel fill is not checked", 0), 0u) << note;
    const Outcome wrong = run_checked(at("program"), "wrong");
    ASSERT_EQ(wrong.findings.size(), 1u) << "what was allocated behind the launch\n" << wrong.messages;
    EXPECT_EQ(wrong.findings.front().rfind("uninitialised ", 0), 0u) << wrong.messages;
  }
}

/// If a program and a library both contain the checker, it knows the code and the constants of both.
TEST_F(Parts, OfAProgramAndALibraryAreBothChecked) {
  const std::string libraries = (fs::path(KIT_BINARY_DIR) / "lib" / "libcuemu").string();
  const std::string checker = " " + libraries + "_check.a " + libraries + "_watch.a " + libraries +
                              ".a -ldw -pthread -ldl -Wl,-rpath=" + at("");
  write("library.cu", R"(
__device__ int step() {
  static constexpr int steps[] = {1, 2, 3, 4};
  return steps[threadIdx.x % 4];
}
__global__ void fill(int* all, int n) {
  if (threadIdx.x < n) all[threadIdx.x] = step();
}
__global__ void add(int* all) { all[threadIdx.x] += step(); }
void start_to_fill(int* all, int n) { fill<<<1, 32>>>(all, n); }
void start_to_add(int* all) { add<<<1, 32>>>(all); }
)");
  write("program.cu", R"(
void start_to_fill(int* all, int n);
void start_to_add(int* all);
__global__ void multiply(int* all) {
  static constexpr int factors[] = {5, 6};
  all[threadIdx.x] *= factors[threadIdx.x % 2];
}
int main(int argc, char**) {
  int *mine, *theirs;
  cudaMalloc(&mine, 32 * sizeof(int));
  cudaMalloc(&theirs, 32 * sizeof(int));
  start_to_fill(mine, argc > 1 ? 20 : 32);
  start_to_fill(theirs, argc > 1 ? 20 : 32);
  multiply<<<1, 32>>>(mine);
  start_to_add(theirs);
  cudaDeviceSynchronize();
  cudaFree(mine);
  cudaFree(theirs);
}
)");
  for (const char* const name : {"library", "program"})
    build(emucc.string() + " --check -Xcompiler -fPIC -c " + at(name) + ".cu -o " + at(name) + ".o");
  const std::string by_host[] = {
      "g++ -shared " + at("library.o") + checker + " -o " + at("libfill.so"),
      "g++ " + at("program.o") + " " + at("libfill.so") + checker + " -o " + at("program")};
  const std::string by_emucc[] = {
      emucc.string() + " --check -shared " + at("library.o") + " -o " + at("libfill.so"),
      emucc.string() + " --check " + at("program.o") + " " + at("libfill.so") + " -Xlinker -rpath=" + at("") +
          " -o " + at("program")};
  for (const auto& commands : {by_host, by_emucc}) {
    for (const std::string& command : {commands[0], commands[1]}) build(command);
    EXPECT_EQ(difference(run_checked(at("program"), "")), "");
    const Outcome wrong = run_checked(at("program"), "wrong");
    EXPECT_EQ(wrong.findings, (std::vector<std::string>{"uninitialised 6 mine", "uninitialised 9 theirs"}))
        << wrong.messages;
  }
}

/// This kernel polls a plain flag. It is not stopped unless the user requests that, but the program prints a
/// message.
TEST_F(Parts, AKernelThatRunsForLongSaysHowToStopIt) {
  write("program.cu", R"(
__global__ void wait(int* flag) {
  if (blockIdx.x == 1) *flag = 1;
  while (*flag == 0) {
  }
}
int main() {
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  wait<<<2, 1>>>(flag);
  cudaDeviceSynchronize();
}
)");
  build(emucc.string() + " --check " + at("program.cu") + " -o " + at("program"));
  EXPECT_EQ(shell("CUEMU_PATIENCE=0.5 timeout 4 " + at("program") + " 2> " + at("messages")), 124);
  EXPECT_EQ(read_text(at("messages")),
            "cuemu: kernel wait has been running for 0.5 seconds\n"
            "  a loop that waits for another thread may go on forever here where it reads plainly what that "
            "writes:\n"
            "  let it read through volatile, or by an atomic function\n"
            "  CUEMU_TIMEOUT=seconds stops it, and says which line each thread has reached\n");
}

/// No loop of this kernel waits, so the message is about progress.
TEST_F(Parts, ASlowKernelIsNotTakenForOneThatWaits) {
  write("program.cu", R"(
__global__ void product(const float* a, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k];
  c[i % n] = sum;
}
int main() {
  const int n = 1000;
  float *a, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  product<<<1000000, 32>>>(a, c, n);
  cudaDeviceSynchronize();
}
)");
  build(emucc.string() + " --check " + at("program.cu") + " -o " + at("program"));
  EXPECT_EQ(shell("CUEMU_PATIENCE=1 timeout 3 " + at("program") + " 2> " + at("messages")), 124);
  const std::string said = read_text(at("messages"));
  EXPECT_NE(said.find("kernel product has been running for 1 seconds\n  its blocks come to their ends: "),
            said.npos)
      << said;
  EXPECT_EQ(said.find("a loop that waits"), said.npos) << said;
}

// ---- the recorder

const char* const recorded_program = R"(#include <cuda_runtime.h>
__global__ void fill(float* out, const float* in, int n) {
  __shared__ float tile[8];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += tile[7 - threadIdx.x];
  if (threadIdx.x != 5) out[threadIdx.x] = sum;
}
__global__ void add(float* out) { atomicAdd(&out[2], 0.5f); }
int main(int argc, char**) {
  float in[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  float *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof in);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  fill<<<1, 8>>>(d_out, d_in, argc > 1 ? 5000 : 2);
  add<<<2, 1>>>(d_out);
  cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
}
)";

/// The bytes of a float as the recorder writes them.
std::string bytes_of(float value) {
  std::ostringstream text;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x",
                  static_cast<unsigned>(reinterpret_cast<const unsigned char*>(&value)[i]));
    text << digits;
  }
  return text.str();
}

class Recorder : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = std::make_unique<TemporaryFolder>();
    std::ofstream(folder->path / "program.cu") << recorded_program;
    ASSERT_EQ(build_checked(emucc, (folder->path / "program.cu").string(), "", folder->path / "program"), "");
  }
  static void TearDownTestSuite() { folder.reset(); }
  static nlohmann::json record(const std::string& element, const std::string& argument = "") {
    const std::string at = folder->path.string();
    EXPECT_EQ(shell("CUEMU_CHECK=limit=0,record=" + element + ",record-json=" + at + "/record " + at +
                    "/program " + argument + " 2> " + at + "/messages"),
              0)
        << read_text(at + "/messages");
    return nlohmann::json::parse(read_text(at + "/record"));
  }
  static std::unique_ptr<TemporaryFolder> folder;
};
std::unique_ptr<TemporaryFolder> Recorder::folder;

/// The work of the blocks in steps: the accesses of each lane in order, from barrier to barrier.
TEST_F(Recorder, ReportsTheWorkOfBlocks) {
  const std::string at = folder->path.string();
  const auto trace = [&](const std::string& blocks) {
    EXPECT_EQ(shell("CUEMU_CHECK=limit=0,trace=" + blocks + ",trace-json=" + at + "/trace " + at +
                    "/program 2> " + at + "/messages"),
              0)
        << read_text(at + "/messages");
    return nlohmann::json::parse(read_text(at + "/trace"));
  };
  const nlohmann::json told = trace("1");
  EXPECT_EQ(told, trace("1")) << "the same from run to run";
  const auto of_kind = [](const nlohmann::json& records, const std::string& kind) {
    nlohmann::json all = nlohmann::json::array();
    for (const auto& record : records)
      if (record["kind"] == kind) all.push_back(record);
    return all;
  };
  EXPECT_EQ(told.back(), nlohmann::json({{"kind", "launches"}, {"count", 2}}));
  ASSERT_EQ(of_kind(told, "launch").size(), 2u);
  const auto blocks = of_kind(told, "block"), arrays = of_kind(told, "array");
  ASSERT_EQ(blocks.size(), 2u) << "one of each launch was asked for";
  EXPECT_EQ(blocks[0]["of"], 0);
  const auto& fill = blocks[0]["phases"];
  ASSERT_EQ(fill.size(), 2u);
  EXPECT_EQ(fill[0]["end"], "barrier");
  EXPECT_EQ(fill[0]["waiting"][0]["threads"], nlohmann::json({0, 7}));
  ASSERT_EQ(fill[0]["steps"].size(), 2u) << "in is read, the tile is written";
  const auto& read = fill[0]["steps"][0];
  EXPECT_EQ(arrays[read[2].get<std::size_t>()]["array"], "d_in");
  EXPECT_EQ(read[3], 0);
  EXPECT_EQ(read[4], 0xff) << "eight lanes at once";
  EXPECT_EQ(read[6], nlohmann::json({0, 4}));
  EXPECT_EQ(read[8].get<std::string>().substr(8, 8), bytes_of(1).substr(0));
  ASSERT_EQ(fill[1]["end"], "end");
  ASSERT_EQ(fill[1]["steps"].size(), 3u) << "two rounds of the loop, and the store";
  const auto& store = fill[1]["steps"][2];
  EXPECT_EQ(store[3], 1);
  EXPECT_EQ(store[4], 0xff & ~(1 << 5)) << "thread 5 stores nothing";
  EXPECT_EQ(blocks[1]["of"], 1);
  EXPECT_EQ(blocks[1]["phases"][0]["steps"][0][3], 2) << "an atomic update";
  EXPECT_EQ(of_kind(trace("2"), "block").size(), 3u) << "the first launch has one block";
}

TEST_F(Recorder, ReportsTheWriterOfAnElementAndItsInputs) {
  const nlohmann::json told = record("out:1:4");
  EXPECT_EQ(told, record("out:1:4")) << "the same from run to run";
  EXPECT_EQ(told["array"], "d_out");
  EXPECT_EQ(told["launches"], 2);
  ASSERT_EQ(told["writes"].size(), 1u);
  const auto& write = told["writes"][0];
  EXPECT_EQ(write["thread"], nlohmann::json({1, 0, 0}));
  EXPECT_EQ(write["line"], 8);
  EXPECT_EQ(write["value"], bytes_of(12));
  ASSERT_EQ(write["reads"].size(), 3u)
      << "its own element of the tile, and two that another thread put there";
  EXPECT_EQ(write["reads"][0]["name"], "in");
  const auto& read = write["reads"][2];
  EXPECT_EQ(read["array"], "tile");
  EXPECT_EQ(read["indices"], nlohmann::json({6}));
  EXPECT_EQ(read["value"], bytes_of(6));
  EXPECT_EQ(read["from"]["thread"], nlohmann::json({6, 0, 0}));
  EXPECT_EQ(read["from"]["line"], 4);
  EXPECT_EQ(read["from"]["array"], "d_in");
  EXPECT_EQ(read["from"]["indices"], nlohmann::json({6}));
}

TEST_F(Recorder, CountsEveryWriteAndReportsThemInOrder) {
  const nlohmann::json told = record("out:2:4");
  ASSERT_EQ(told["writes"].size(), 3u);
  EXPECT_EQ(told["writes"][0]["value"], bytes_of(10));
  EXPECT_EQ(told["writes"][2]["by"], "atomic");
  EXPECT_EQ(told["writes"][2]["block"], nlohmann::json({1, 0, 0}));
  EXPECT_EQ(told["writes"][2]["value"], bytes_of(11));
}

TEST_F(Recorder, CountsWhatItDoesNotKeep) {
  const auto write = record("out:1:4", "long")["writes"][0];
  EXPECT_EQ(write["reads"].size() + write["left_out"].get<std::size_t>(), 5001u);
  EXPECT_GT(write["left_out"], 0);
}

TEST_F(Recorder, NamesTheWritersOfTheNeighboursOfAnUnwrittenElement) {
  const nlohmann::json told = record("out:5:4");
  EXPECT_EQ(told["count"], 0);
  ASSERT_EQ(told["neighbours"].size(), 2u);
  EXPECT_EQ(told["neighbours"][0]["thread"], nlohmann::json({4, 0, 0}));
  EXPECT_EQ(told["neighbours"][1]["thread"], nlohmann::json({6, 0, 0}));
  EXPECT_EQ(told["neighbours"][1]["line"], 8);
}

TEST_F(Recorder, KnowsWhatTheHostPutThere) {
  const nlohmann::json told = record("in:3:4");
  ASSERT_EQ(told["writes"].size(), 1u);
  EXPECT_EQ(told["writes"][0]["by"], "copy");
  EXPECT_EQ(told["writes"][0]["value"], bytes_of(3));
  EXPECT_EQ(told["writes"][0]["line"], 16);
}

}  // namespace
