// Pairs of programs under --check: each wrong one has the findings that it names, each right one has none
// (programs/pair.cuh tells their form). The correct programs of ../../tests/programs have none either.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "pairs.hpp"

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

class Pairs : public testing::TestWithParam<PairFile> {};

TEST_P(Pairs, AreToldApart) {
  const PairFile& file = GetParam();
  const TemporaryFolder folder;
  const fs::path program = folder.path / "program";
  ASSERT_EQ(build_checked(emucc, file.path, file.flags, program), "");
  for (const Pair& pair : file.pairs) {
    EXPECT_EQ(difference(pair, run_checked(program, pair.name + " wrong")), "") << pair.name;
    EXPECT_EQ(difference(run_checked(program, pair.name + " right")), "") << pair.name;
  }
}

/// "CUEMU_HOST_CXX=clang++-19 ", or empty where there is none.
const std::string& with_clang() {
  static const std::string found = [] {
    for (const char* const name :
         {"clang++", "clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++-15", "clang++-14"})
      if (shell(std::string("command -v ") + name + " > /dev/null") == 0)
        return std::string("CUEMU_HOST_CXX=") + name + " ";
    return std::string();
  }();
  return found;
}

TEST_P(Pairs, AreToldApartWithClang) {
  if (with_clang().empty()) GTEST_SKIP() << "there is no clang++";
  const PairFile& file = GetParam();
  const TemporaryFolder folder;
  const fs::path program = folder.path / "program";
  ASSERT_EQ(build_checked(emucc, file.path, file.flags, program, with_clang()), "");
  for (const Pair& pair : file.pairs) {
    if (!pair.gcc_only) {
      EXPECT_EQ(difference(pair, run_checked(program, pair.name + " wrong")), "") << pair.name;
    }
    EXPECT_EQ(difference(run_checked(program, pair.name + " right")), "") << pair.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Pairs, testing::ValuesIn(pair_files()),
                         [](const auto& each) { return each.param.group + "_" + each.param.rule; });

const fs::path correct = sources / "tests" / "programs";
class Correct : public testing::TestWithParam<const char*> {};

TEST_P(Correct, HasNoFindings) {
  const fs::path source = correct / (std::string(GetParam()) + ".cu");
  const std::string text = read_text(source);
  const std::string mark = "// emucc:";
  const std::string flags =
      text.rfind(mark, 0) == 0 ? text.substr(mark.size(), text.find('\n') - mark.size()) : "";
  const TemporaryFolder folder;
  const fs::path program = folder.path / "program";
  ASSERT_EQ(build_checked(emucc, source, flags, program), "");
  // They leave freeing their memory to the end of the process.
  const Outcome outcome = run_checked(program, "", "races,memory,barriers,api");
  EXPECT_TRUE(outcome.reported);
  EXPECT_EQ(outcome.findings, std::vector<std::string>{}) << outcome.messages;
}
INSTANTIATE_TEST_SUITE_P(Programs, Correct,
                         testing::Values("atomics_all", "curand_sequences", "device_heap",
                                         "dynamic_parallelism", "fences", "groups", "host_device", "lambdas",
                                         "launches", "reduction", "shared_dynamic", "tiled_product",
                                         "vector_add", "warps"),
                         [](const auto& each) { return std::string(each.param); });

TEST(Report, SaysWhoWhereAndWhatToDo) {
  const TemporaryFolder folder;
  const std::string at = folder.path.string();
  const PairFile& file = pair_file("races", "block");
  ASSERT_EQ(build_checked(emucc, file.path, file.flags, folder.path / "program"), "");
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

}  // namespace
