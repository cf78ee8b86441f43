// Pairs of programs under --check: each programs/*.cu with -DBUG has exactly the findings that its first
// lines name, `// bug: RULE LINE,LINE ARRAY`, and none without. The correct programs of ../../tests/programs
// have none either.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace {

namespace fs = std::filesystem;

const fs::path emucc = fs::path(KIT_BINARY_DIR) / "bin" / "emucc";
const fs::path sources = fs::path(KIT_SOURCE_DIR) / "common" / "emu";

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "emucc-check-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path = pattern;
  }
  ~TemporaryFolder() { fs::remove_all(path); }
  fs::path path;
};

/// The findings of a program as `RULE LINE,LINE ARRAY`, sorted.
std::vector<std::string> findings_of(const fs::path& source, const std::string& flags,
                                     const std::string& groups = "all") {
  const TemporaryFolder folder;
  const std::string at = folder.path.string();
  const std::string build = emucc.string() + " --check " + flags + " " + source.string() + " -o " + at +
                            "/program > " + at + "/messages 2>&1";
  EXPECT_EQ(shell(build), 0) << build << "\n" << read(folder.path / "messages");
  const std::string run = "CUEMU_CHECK=" + groups + ",json=" + at + "/report,error-exitcode=42 timeout 60 " +
                          at + "/program > " + at + "/output 2> " + at + "/messages";
  const int status = shell(run);
  std::vector<std::string> result;
  const auto report = nlohmann::json::parse(read(folder.path / "report"), nullptr, false);
  EXPECT_FALSE(report.is_discarded()) << read(folder.path / "messages");
  if (report.is_discarded()) return result;
  bool errors = false;
  for (const auto& finding : report["findings"]) {
    std::vector<int> lines;
    for (const auto& party : finding["parties"]) lines.push_back(party["line"]);
    std::sort(lines.begin(), lines.end());
    std::string text = finding["rule"].get<std::string>() + " ";
    for (std::size_t i = 0; i < lines.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(lines[i]);
    const std::string array = finding["array"];
    result.push_back(text + " " + (array.empty() ? "-" : array));
    errors = errors || finding["error"].get<bool>();
  }
  EXPECT_EQ(status == 42, errors) << read(folder.path / "messages");
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> expected_of(const fs::path& source) {
  std::vector<std::string> result;
  std::ifstream in(source);
  const std::string mark = "// bug: ";
  for (std::string line; std::getline(in, line) && line.rfind(mark, 0) == 0;)
    result.push_back(line.substr(mark.size()));
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& item : fs::directory_iterator(folder))
    if (item.path().extension() == ".cu") names.push_back(item.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

const fs::path pairs = sources / "check" / "tests" / "programs";
class Pair : public testing::TestWithParam<std::string> {};

TEST_P(Pair, TheWrongOneIsFound) {
  const fs::path source = pairs / (GetParam() + ".cu");
  const auto expected = expected_of(source);
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(findings_of(source, "-DBUG"), expected);
}
TEST_P(Pair, TheRightOneHasNoFindings) {
  EXPECT_EQ(findings_of(pairs / (GetParam() + ".cu"), ""), std::vector<std::string>{});
}
INSTANTIATE_TEST_SUITE_P(Programs, Pair, testing::ValuesIn(names_in(pairs)),
                         [](const auto& each) { return each.param; });

const fs::path correct = sources / "tests" / "programs";
class Correct : public testing::TestWithParam<const char*> {};

TEST_P(Correct, HasNoFindings) {
  const fs::path source = correct / (std::string(GetParam()) + ".cu");
  const std::string text = read(source);
  const std::string mark = "// emucc:";
  const std::string flags =
      text.rfind(mark, 0) == 0 ? text.substr(mark.size(), text.find('\n') - mark.size()) : "";
  // They leave freeing their memory to the end of the process.
  EXPECT_EQ(findings_of(source, flags, "races,memory,barriers,api"), std::vector<std::string>{});
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
  ASSERT_EQ(shell(emucc.string() + " --check -DBUG " + (pairs / "missing_barrier.cu").string() + " -o " + at +
                  "/program"),
            0);
  for (const char* const name : {"/first", "/second"})
    ASSERT_EQ(shell("CUEMU_CHECK=sarif=" + at + "/sarif " + at + "/program 2> " + at + name), 0);
  const std::string text = read(folder.path / "first");
  EXPECT_EQ(text, read(folder.path / "second")) << "the same from run to run";
  EXPECT_NE(text.find("two threads of block (0,0,0) touch other["), text.npos) << text;
  EXPECT_NE(text.find("(shared float[16][16]) with\n  no barrier between them"), text.npos) << text;
  EXPECT_NE(text.find("other[ty][tx] = b[(t + ty) * n + col];"), text.npos) << text;
  EXPECT_NE(text.find("a\n        __syncthreads() belongs between lines 13 and 17"), text.npos) << text;
  EXPECT_NE(text.find("other[ty][tx] = b[(t + ty) * n + col];\n      ^~~~~~~~~~~~~\n"), text.npos) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  const auto sarif = nlohmann::json::parse(read(folder.path / "sarif"));
  EXPECT_EQ(sarif["version"], "2.1.0");
  const auto& result = sarif["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "race");
  const auto& region = result["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startLine"], 17);
  EXPECT_EQ(region["endColumn"].get<int>() - region["startColumn"].get<int>(), 11) << "tile[ty][k]";
}

}  // namespace
