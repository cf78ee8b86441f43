// Compares the reports on typical gradings with approved texts. The files grader/tests/approved/*.txt contain
// the whole first screen of 80×24, and the last lines of longer reports. After an intended change, rewrite
// them with KIT_APPROVE=1, and read them before committing.
#include <gmock/gmock.h>

#include <algorithm>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

#include "base/columns.hpp"
#include "report/report.hpp"

namespace grader {
namespace {

constexpr std::size_t screen_lines = 24;
constexpr std::size_t last_lines = 4;

Lab matrixmul() {
  Lab lab;
  lab.id = "lab1.1";
  lab.name = "matrixmul";
  lab.title = "Matrix product, one thread per element";
  lab.levels = 2;
  lab.level_notes = {{1, "each blank lists its steps", {}}, {2, "each blank names its result", {}}};
  lab.output = Output::array("P");
  lab.parts = {{1, "Allocate device memory and copy the inputs to it", 2, {}},
               {2, "Configure and launch the kernel", 2, {}},
               {3, "Copy the result back", 1, {}},
               {4, "Free the device memory", 1, {}},
               {5, "The kernel: one element for each thread", 4, {}}};
  const auto add = [&](const char* id, std::vector<int> parts, Visibility visibility = Visibility::visible) {
    Case c;
    c.id = id;
    c.parts = std::move(parts);
    c.visibility = visibility;
    lab.cases.push_back(c);
  };
  add("n8", {1, 2, 3, 5});
  add("n37", {1, 2, 3, 5});
  add("n100", {2, 5}, Visibility::hidden);
  add("freed", {4});
  lab.tables = {{"sizes", "Time by matrix size", {}, {}, "", 5}};
  return lab;
}

/// A grading of the lab in which every case has the same verdict, and no part has points.
Grading grading(Verdict verdict) {
  const Lab lab = matrixmul();
  Grading g;
  g.lab = lab.id;
  g.verdict = verdict;
  g.max_points = 10;
  for (const Case& c : lab.cases) {
    CaseResult result;
    result.id = c.id;
    result.visibility = c.visibility;
    result.verdict = verdict;
    result.wall_s = 0.043;
    g.cases.push_back(result);
  }
  for (const Part& part : lab.parts) g.parts.push_back({part.id, part.title, 0, part.points, false});
  return g;
}

void earn(Grading& g, std::size_t part) {
  g.parts[part].points = g.parts[part].max_points;
  g.points += g.parts[part].max_points;
}

/// Adds a case for the part that frees the memory, and this case passes.
void free_passes(Grading& g) {
  g.cases[3].verdict = Verdict::passed;
  earn(g, 3);
}

Grading passed() {
  Grading g = grading(Verdict::passed);
  for (std::size_t part = 0; part < g.parts.size(); ++part) earn(g, part);
  for (CaseResult& c : g.cases)
    if (c.visibility == Visibility::visible)
      c.times = {
          {{Measure::Kind::h2d}, 1e-6}, {{Measure::Kind::kernel}, 2.5e-5}, {{Measure::Kind::d2h}, 5e-7}};
  g.time_source = "emulation";
  return g;
}

Grading wrong_answer() {
  Grading g = grading(Verdict::wrong_answer);
  free_passes(g);
  for (CaseResult& c : g.cases) {
    if (c.id == "freed") continue;
    const Mismatch transposed{56,
                              64,
                              {{{0, 1}, "17", "23"},
                               {{0, 2}, "9", "104"},
                               {{0, 3}, "41", "66"},
                               {{0, 4}, "8", "12"},
                               {{0, 5}, "3", "7"}},
                              "transposed",
                              "The result is transposed: row and column are exchanged. The row of an element "
                              "comes from y, its column "
                              "from x."};
    c.message = "56 of 64 elements are wrong. " + transposed.explanation;
    c.next_step = "check that cause first; the first wrong elements show where it acts";
    c.mismatch = transposed;
  }
  return g;
}

Grading compile_error() {
  Grading g = grading(Verdict::compile_error);
  g.diagnostics =
      "matrixmul_kernel.cu: In function 'void matrixMul(float*, const float*, const float*, int)':\n"
      "matrixmul_kernel.cu:41:13: error: 'blockdim' was not declared in this scope; did you mean "
      "'blockDim'?\n"
      "   41 |   int row = blockIdx.y * blockdim.y + threadIdx.y;\n"
      "      |                          ^~~~~~~~\n"
      "      |                          blockDim\n";
  return g;
}

Grading crash() {
  Grading g = grading(Verdict::crash);
  for (CaseResult& c : g.cases) {
    c.message =
        "CUDA reported an error at matrixmul.cu:88, kernel launch: invalid argument. Likely cause: the block "
        "has 33 × 33 = 1089 threads, but a block may have at most 1024.";
    c.next_step = "look at matrixmul.cu:88";
  }
  return g;
}

Grading time_out() {
  Grading g = grading(Verdict::time_out);
  for (CaseResult& c : g.cases) {
    c.message = "the program was stopped after 20 s, the limit of this case.";
    c.next_step = "look for a loop that never ends, and for threads that wait for each other";
    c.wall_s = 20;
  }
  return g;
}

/// The part that frees the memory is blank. The kernel is filled in, but wrong.
Grading to_do_and_wrong() {
  Grading g = wrong_answer();
  g.verdict = Verdict::todo;
  g.points = 0;
  g.parts[3].points = 0;
  g.parts[3].todo = true;
  g.todo = {{4, "matrixmul.cu", 112}};
  g.cases[3].verdict = Verdict::todo;
  g.cases[3].message = "Not run: part 4 is still to do.";
  return g;
}

Finding race() {
  Finding found;
  found.rule = "race";
  found.headline =
      "two threads of block (0,0,0) touch tile_M[0][0] (shared float[16][16]) with no barrier between them";
  found.kernel = "matrixMul";
  found.parties = {
      {"write by thread (0,0,0)", "matrixmul_kernel.cu", 97, 5, 19, "tile_M[ty][tx] = M[i];", 4},
      {"read by thread (0,2,0)", "matrixmul_kernel.cu", 109, 14, 27, "sum += tile_M[ty][k];", 6}};
  found.hint = "a __syncthreads() belongs between lines 97 and 109";
  found.count = 30720;
  found.blocks = 9;
  return found;
}

Grading finding() {
  Grading g = passed();
  g.verdict = Verdict::finding;
  g.points = 6;
  g.parts[4].points = 0;
  CaseResult& c = g.cases[1];
  c.verdict = Verdict::finding;
  c.message = "the output is right, but under the checker: race: " + race().headline + ".";
  c.next_step = "grader check lab1.1";
  c.findings = {race()};
  for (std::size_t part = 0; part < 3; ++part) g.parts[part].points = g.parts[part].max_points / 2;
  g.points = 2.5 + 1;
  return g;
}

Grading check() {
  Grading g = finding();
  g.check = true;
  g.points = g.max_points = 0;
  g.parts.clear();
  g.cases.erase(g.cases.begin() + 2, g.cases.end());
  for (CaseResult& c : g.cases) c.times.clear();
  return g;
}

Grading memory_limit() {
  Grading g = grading(Verdict::memory_limit);
  for (CaseResult& c : g.cases) {
    c.message = "the program was stopped: it used 8 GiB of memory.";
    c.next_step = "look at the sizes that you allocate, and for an allocation inside a loop";
  }
  return g;
}

Grading grader_fault() {
  Grading g = grading(Verdict::grader_fault);
  for (CaseResult& c : g.cases) {
    c.message = "The oracle of lab1.1 exited with code 2 at case n8.";
    c.next_step = "tell whoever maintains the kit; it costs you nothing";
  }
  for (PartResult& part : g.parts) part.max_points = 0;
  g.max_points = 0;
  return g;
}

Grading hidden_case() {
  Grading g = passed();
  g.verdict = Verdict::wrong_answer;
  g.cases[2].verdict = Verdict::wrong_answer;
  g.parts[1].points = 1;
  g.parts[4].points = 2;
  g.points = 7;
  return g;
}

struct Typical {
  const char* name;
  std::function<Grading()> make;
};

void PrintTo(const Typical& typical, std::ostream* out) {
  *out << typical.name;
}

/// The first screen, and the last lines of a longer report.
std::string shown(const std::string& report) {
  const std::vector<std::string> lines = split_lines(report);
  std::string out;
  for (std::size_t i = 0; i < std::min(lines.size(), screen_lines); ++i) out += lines[i] + "\n";
  if (lines.size() <= screen_lines) return out;
  const std::size_t rest = std::max(screen_lines, lines.size() - last_lines);
  if (rest > screen_lines)
    out += "------------------------------ and at the end ------------------------------\n";
  for (std::size_t i = rest; i < lines.size(); ++i) out += lines[i] + "\n";
  return out;
}

class Approved : public testing::TestWithParam<Typical> {};

TEST_P(Approved, ReadsAsItWasRead) {
  const std::string text = shown(report_text(matrixmul(), GetParam().make(), {}, {.next_lab = "lab1.2"}));
  const std::string file = std::string(KIT_SOURCE_DIR) + "/grader/tests/approved/" + GetParam().name + ".txt";
  if (const char* approve = std::getenv("KIT_APPROVE"); approve != nullptr && std::string(approve) == "1")
    std::ofstream(file) << text;
  std::ostringstream approved;
  approved << std::ifstream(file).rdbuf();
  EXPECT_EQ(text, approved.str()) << "when the change is meant: KIT_APPROVE=1, and read " << file;
  // The compiler's own lines are unchanged.
  if (GetParam().name == std::string("compile-error")) return;
  for (const std::string& line : split_lines(text)) EXPECT_LE(display_width(line), 80) << line;
}

INSTANTIATE_TEST_SUITE_P(Report, Approved,
                         testing::Values(Typical{"passed", passed}, Typical{"wrong-answer", wrong_answer},
                                         Typical{"compile-error", compile_error}, Typical{"crash", crash},
                                         Typical{"time-out", time_out},
                                         Typical{"to-do-and-wrong", to_do_and_wrong},
                                         Typical{"finding", finding}, Typical{"check", check},
                                         Typical{"memory-limit", memory_limit},
                                         Typical{"grader-fault", grader_fault},
                                         Typical{"hidden-case", hidden_case}),
                         [](const auto& instance) {
                           std::string name = instance.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace grader
