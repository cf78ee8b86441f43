// Tests `grader check` with the real program: solutions have no findings, the planted mistakes of wrong.toml
// are found, and the report, the records and gradings contain the findings.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "author/wrong.hpp"
#include "base/terminal.hpp"
#include "build/toolchain.hpp"
#include "catalog/catalog.hpp"
#include "check/checking.hpp"
#include "grade/grade.hpp"
#include "small_kit.hpp"

namespace grader {
namespace check_test {

using testing::Ran;
using testing::small_program;
using testing::TemporaryFolder;
using testing::User;

const Kit& kit() {
  static const Kit kit{KIT_SOURCE_DIR};
  return kit;
}

const std::vector<Lab>& labs() {
  static const Catalog catalog = Catalog::load(kit());
  return catalog.labs();
}

std::string identifier(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}

/// All findings of a report in JSON.
std::vector<nlohmann::json> findings_in(const nlohmann::json& report) {
  std::vector<nlohmann::json> all;
  for (const auto& result : report["cases"])
    if (result.contains("findings"))
      all.insert(all.end(), result["findings"].begin(), result["findings"].end());
  return all;
}

struct CheckedLab {
  std::string lab;
  Backend backend;
};

void PrintTo(const CheckedLab& checked, std::ostream* out) {
  *out << checked.lab << " with " << to_string(checked.backend);
}

std::vector<CheckedLab> every_lab() {
  std::vector<CheckedLab> all;
  for (const Lab& lab : labs())
    for (const Backend backend : {Backend::emu, Backend::gpu}) all.push_back({lab.id, backend});
  return all;
}

class CheckedSolution : public ::testing::TestWithParam<CheckedLab> {};

TEST_P(CheckedSolution, HasNoFindings) {
  const auto& [lab, backend] = GetParam();
  if (backend == Backend::gpu && (!testing::gpu_here() || find_program("compute-sanitizer").empty()))
    GTEST_SKIP() << "no nvcc, no GPU or no compute-sanitizer on this machine";
  const Ran ran = User().grader({"check", lab, "--solution", "--backend", to_string(backend), "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const auto report = ran.json();
  EXPECT_EQ(report["verdict"], "passed") << report.dump(2);
  EXPECT_EQ(report["check"], true);
  EXPECT_TRUE(findings_in(report).empty()) << report.dump(2);
  EXPECT_FALSE(report["cases"].empty());
}

INSTANTIATE_TEST_SUITE_P(Labs, CheckedSolution, ::testing::ValuesIn(every_lab()), [](const auto& tested) {
  return identifier(tested.param.lab) + "_" + to_string(tested.param.backend);
});

// ---------------------------------------------------------------------------------------------------------------------
// Programs that no case builds: one for each value of each macro in a lab's tables and searches.

/// The values of each macro in all tables of a lab, without duplicates.
std::map<std::string, std::vector<std::string>> macro_values(const Lab& lab) {
  std::map<std::string, std::vector<std::string>> values;
  for (const TableSpec& table : lab.tables)
    for (const Axis& axis : table.axes) {
      if (axis.kind != Axis::Kind::macro) continue;
      std::vector<std::string>& known = values[axis.name];
      for (const std::string& value : axis.values)
        if (std::find(known.begin(), known.end(), value) == known.end()) known.push_back(value);
    }
  return values;
}

/// The first visible case of the lab's own program that is checked at its own size. New inputs are drawn for
/// it, since those of gold may be smaller than a block. If there is no such case, the first checked case.
const Case& typical_size(const Lab& lab) {
  const Case* first = nullptr;
  for (const Case& c : lab.cases) {
    if (!c.checked || !c.macros.empty()) continue;
    if (c.visibility == Visibility::visible && c.verify == Verify::oracle && c.args == *c.checked) return c;
    if (first == nullptr) first = &c;
  }
  return *first;
}

/// Cases at the size of a typical case of the lab's own program, as many as the longest list of values is
/// long. Shorter lists are repeated. The lists of neighbouring macros begin with different values, because
/// otherwise all switches would be on at the same time.
std::vector<Case> every_value(const Lab& lab) {
  const auto values = macro_values(lab);
  std::size_t programs = 0;
  for (const auto& [macro, list] : values) programs = std::max(programs, list.size());
  const Case size = typical_size(lab);
  std::vector<Case> cases;
  for (std::size_t i = 0; i < programs; ++i) {
    Case c = with_arguments(size, *size.checked);
    c.id.clear();
    std::size_t offset = 0;
    for (const auto& [macro, list] : values) {
      c.macros[macro] = list[(i + offset++) % list.size()];
      c.id += (c.id.empty() ? "" : " ") + macro + "=" + c.macros[macro];
    }
    cases.push_back(std::move(c));
  }
  return cases;
}

class CheckedVariants : public ::testing::TestWithParam<std::string> {};

TEST_P(CheckedVariants, HaveNoFindings) {
  Lab lab = *std::find_if(labs().begin(), labs().end(), [](const Lab& one) { return one.id == GetParam(); });
  lab.cases = every_value(lab);
  const TemporaryFolder home;
  ASSERT_EQ(setenv("GRADER_HOME", home.path().c_str(), 1), 0);
  ASSERT_EQ(setenv("GRADER_CACHE", testing::shared_cache().c_str(), 1), 0);
  const Toolchain toolchain = Toolchain::detect(kit());
  ASSERT_FALSE(toolchain.emucc.empty());
  Submission solution = read_submission(kit(), lab, 1, Origin::solution);
  const Grading grading = check({kit(), toolchain, solution, Backend::emu});
  ASSERT_EQ(grading.cases.size(), lab.cases.size());
  for (const CaseResult& result : grading.cases) {
    EXPECT_EQ(result.verdict, Verdict::passed) << result.id << ": " << result.message;
    for (const Finding& finding : result.findings)
      ADD_FAILURE() << result.id << ": " << finding.rule << ": " << finding.headline;
  }
}

std::vector<std::string> labs_with_macros() {
  std::vector<std::string> ids;
  for (const Lab& lab : labs())
    if (!macro_values(lab).empty()) ids.push_back(lab.id);
  return ids;
}

INSTANTIATE_TEST_SUITE_P(Labs, CheckedVariants, ::testing::ValuesIn(labs_with_macros()),
                         [](const auto& tested) { return identifier(tested.param); });

TEST(CheckedLabs, NameTheirCasesAndSizes) {
  for (const Lab& lab : labs()) {
    EXPECT_TRUE(
        std::any_of(lab.cases.begin(), lab.cases.end(), [](const Case& c) { return c.checked.has_value(); }))
        << lab.id << ": expected checked = […] in a [[case]] of its lab.toml";
  }
}

TEST(Mistakes, AreListedAndWrittenToAFolder) {
  const User user;
  const Ran all = user.grader({"mistakes", "lab2.1", "--json"});
  ASSERT_EQ(all.exit_code, 0) << all.err;
  const Lab& lab =
      *std::find_if(labs().begin(), labs().end(), [](const Lab& one) { return one.id == "lab2.1"; });
  EXPECT_EQ(all.json()["mistakes"].size(), read_wrong(kit(), lab).size());

  const fs::path folder = user.folder() / "mistakes";
  const Ran one = user.grader({"mistakes", "lab2.1", "no-barrier-after", "--to", folder.string()});
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.out.rfind("no-barrier-after  race  n37  ", 0), 0u) << one.out;
  const fs::path written = folder / "no-barrier-after";
  EXPECT_NE(one.err.find("grader check lab2.1 --from mistakes/no-barrier-after"), std::string::npos)
      << one.err;
  const Submission solution = read_submission(kit(), lab, 1, Origin::solution);
  int changed = 0;
  for (const SubmissionFile& file : solution.files)
    changed += testing::read_file(written / file.name) != file.text;
  EXPECT_EQ(changed, 1);

  const Ran unknown = user.grader({"mistakes", "lab2.1", "no-barier-after"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("Did you mean no-barrier-after?"), std::string::npos) << unknown.err;
}

// ---------------------------------------------------------------------------------------------------------------------
// Tests on a kit of one small lab.

/// A kernel that has the right result and a race: all threads write different numbers to one shared variable.
const char* const racing_kernel =
    "__shared__ float last; last = i; if (i < n) y[i] = 2 * x[i]; if (n < 0) y[0] = last;";

TEST(Check, ReportsAFindingWithItsLine) {
  const TemporaryFolder folder;
  const User user(testing::write_small_kit(folder.path(), small_program(racing_kernel)));
  const Ran ran = user.grader({"check", "lab9.1"});
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  for (const char* words :
       {"1 MISTAKE FOUND", "Next: fix the first one, then: grader check lab9.1", "race: ", "double.cu:11",
        "__shared__ float last; last = i;", "^", "in kernel twice, case n1000"})
    EXPECT_NE(ran.out.find(words), std::string::npos) << "no \"" << words << "\" in\n" << ran.out;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80) << line;
}

TEST(Check, ReportsWritesOfTheSameValueIfStrict) {
  const TemporaryFolder folder;
  const User user(testing::write_small_kit(
      folder.path(), small_program("__shared__ float last; last = 1; if (i < n) y[i] = 2 * x[i]; if (n < 0) "
                                   "y[0] = last;")));
  EXPECT_EQ(user.grader({"check", "lab9.1"}).exit_code, 0);
  const Ran strict = user.grader({"check", "lab9.1", "--strict"});
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_NE(strict.out.find("memory model calls it a race"), std::string::npos) << strict.out;
  EXPECT_EQ(user.grader({"check", "lab9.1", "--strict", "--backend", "gpu"}).exit_code, 2);
}

TEST(Check, IsKeptInTheRecordsWithoutPoints) {
  const TemporaryFolder folder;
  const User user(testing::write_small_kit(folder.path(), small_program(racing_kernel)));
  ASSERT_EQ(user.grader({"lab9.1", "--backend", "emu", "--json"}).exit_code, 0) << "the output is right";
  ASSERT_EQ(user.grader({"check", "lab9.1", "--json"}).exit_code, 1);
  const auto results = user.grader({"results", "--json"}).json()["results"];
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0]["check"], true);
  EXPECT_EQ(results[0]["verdict"], "finding");
  EXPECT_EQ(results[1]["check"], false);
  const auto record =
      user.grader({"results", "--id", std::to_string(results[0]["id"].get<int>()), "--json"}).json();
  ASSERT_EQ(findings_in(record).size(), 1u) << record.dump(2);
  EXPECT_EQ(findings_in(record)[0]["parties"][0]["line"], 11);
  const Ran list = user.grader({"list"});
  EXPECT_NE(list.out.find("4 of 4"), std::string::npos) << "the grading is still the best one:\n" << list.out;
}

TEST(Mistakes, ThatSomeInputsForgiveAreFoundBySeveralSeeds) {
  const TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path());
  // x[0] is 529 with seed 1, and 829 with seed 2.
  testing::write_file(kit / "solutions/lab9.1-double/wrong.toml", R"(format = 1
[[wrong]]
name = "some-inputs"
title = "wrong where the first element is small"
file = "double.cu"
find = "y[i] = 2 * x[i];"
replace = "y[i] = 2 * x[i] + (x[0] < 700);"
verdict = "wrong_answer"
)");
  const User user(kit);
  const std::vector<std::string> check = {"mistakes", "lab9.1", "--check", "--backend", "emu"};
  const Ran one = user.grader(check);
  EXPECT_EQ(one.exit_code, 0) << one.out << one.err;
  std::vector<std::string> two = check, none = check;
  two.insert(two.end(), {"--seeds", "2"});
  const Ran both = user.grader(two);
  EXPECT_EQ(both.exit_code, 1) << both.out << both.err;
  EXPECT_NE(both.out.find("with seed 2 it"), std::string::npos) << both.out;  // the line wraps here
  none.insert(none.end(), {"--seeds", "0"});
  const Ran refused = user.grader(none);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("--seeds 0: expected 1 or more."), std::string::npos) << refused.err;
}

/// Adds keys to the first case of the small lab.
void add_to_case(const fs::path& kit, const std::string& keys) {
  const fs::path file = kit / "labs/lab9.1-double/lab.toml";
  std::string text = testing::read_file(file);
  const std::string head = "args = [\"1000\"]\n";
  text.insert(text.find(head) + head.size(), keys);
  testing::write_file(file, text);
}

TEST(Check, DecidesInAGradingWhereARightResultIsLuck) {
  const TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path(), small_program(racing_kernel));
  add_to_case(kit, "checked = [\"40\"]\n");
  const User user(kit);
  const Ran ran = user.grader({"lab9.1", "--backend", "emu", "--json"});
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  EXPECT_EQ(ran.json()["verdict"], "finding");
  EXPECT_EQ(findings_in(ran.json()).size(), 1u);
  EXPECT_EQ(user.grader({"lab9.1", "--solution", "--backend", "emu", "--json"}).exit_code, 0);
}

TEST(Check, AProgramThatLeavesBeforeTheReportIsNotFree) {
  const TemporaryFolder folder;
  const User user(testing::write_small_kit(
      folder.path(),
      small_program(racing_kernel, "", "lab::write_npy(output, x.shape, y.data()); _exit(0);")));
  const Ran ran = user.grader({"check", "lab9.1"});
  EXPECT_EQ(ran.exit_code, 1) << ran.out;
  EXPECT_NE(ran.out.find("left no report"), std::string::npos) << ran.out;
}

TEST(Check, WithoutAGpuSaysSoAtOnce) {
  if (testing::gpu_here()) GTEST_SKIP() << "there is a GPU";
  const TemporaryFolder folder;
  const User user(testing::write_small_kit(folder.path()));
  const Ran ran = user.grader({"check", "lab9.1", "--backend", "gpu"});
  EXPECT_EQ(ran.exit_code, 3) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("The gpu backend can't work here"), std::string::npos) << ran.err;
}

/// The rules of compute-sanitizer's findings in a kernel with this body.
std::set<std::string> rules_on_gpu(const std::string& kernel_body) {
  const TemporaryFolder folder;
  const User user(testing::write_small_kit(folder.path(), small_program(kernel_body)));
  const Ran ran = user.grader({"check", "lab9.1", "--backend", "gpu", "--json"});
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  std::set<std::string> rules;
  for (const auto& finding : findings_in(ran.json())) {
    rules.insert(finding["rule"].get<std::string>());
    EXPECT_FALSE(finding["parties"].empty()) << finding.dump(2);
    for (const auto& party : finding["parties"]) EXPECT_EQ(party["line"], 11) << finding.dump(2);
  }
  return rules;
}

TEST(CheckOnGpu, FindsWhatTheToolsSee) {
  if (!testing::gpu_here()) GTEST_SKIP() << "no nvcc or no GPU on this machine";
  EXPECT_TRUE(rules_on_gpu("y[i] = 2 * x[i];").count("out-of-bounds"));
  EXPECT_TRUE(rules_on_gpu("__shared__ float tile[256]; tile[threadIdx.x] = x[i < n ? i : 0]; "
                           "if (i < n) y[i] = tile[(threadIdx.x + 32) % 256];")
                  .count("race"));
  EXPECT_TRUE(rules_on_gpu("if (i < n) y[i] += 2 * x[i];").count("uninitialised"));
  EXPECT_TRUE(
      rules_on_gpu("if (threadIdx.x & 1) __syncthreads(); if (i < n) y[i] = 2 * x[i];").count("barrier"));
}

TEST(Check, IsTheNextStepAfterACrash) {
  const TemporaryFolder folder;
  const User user(testing::write_small_kit(folder.path(), small_program("((float*)16)[i] = x[i];")));
  const Ran ran = user.grader({"lab9.1", "--backend", "emu"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("To see why: grader check lab9.1"), std::string::npos) << ran.out;
}

}  // namespace check_test
}  // namespace grader
