// Runs programs under emucc --counters. In each programs/*.cu, comments give the expected counts of its kernels:
//
//   //# KERNEL counter=value counter=value        derived by hand
//   //# KERNEL@gtx280 counter=value               on that device
//
// A test also compares the bank conflicts of lab1.2's four reduction schemes with the manual's table.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace {

namespace fs = std::filesystem;

const fs::path emucc = fs::path(KIT_BINARY_DIR) / "bin" / "emucc";
const fs::path source_root = KIT_SOURCE_DIR;
const fs::path programs = source_root / "common/emu/counters/tests/programs";

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
    std::string pattern = (fs::temp_directory_path() / "emucc-counters-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path = pattern;
  }
  ~TemporaryFolder() { fs::remove_all(path); }
  fs::path path;
};

/// A program built with the counters.
class Program {
 public:
  explicit Program(const std::string& sources_and_flags) {
    const std::string build = emucc.string() + " --counters " + sources_and_flags + " -o " + at("program") +
                              " > " + at("messages") + " 2>&1";
    EXPECT_EQ(shell(build), 0) << build << "\n" << read(at("messages"));
  }
  std::string at(const std::string& name) const { return (folder_.path / name).string(); }
  /// Runs the program in its folder; returns the counters' report.
  nlohmann::json run(const std::string& device = "", const std::string& arguments = "",
                     const std::string& environment = "") const {
    const std::string command = "cd " + folder_.path.string() + " && CUEMU_DEVICE=" + device + " " +
                                environment + " CUEMU_COUNTERS=json=report timeout 120 ./program " +
                                arguments + " > output 2> messages";
    EXPECT_EQ(shell(command), 0) << read(at("messages"));
    return nlohmann::json::parse(read(at("report")), nullptr, false);
  }
  std::string messages() const { return read(at("messages")); }

 private:
  TemporaryFolder folder_;
};

const nlohmann::json* kernel_in(const nlohmann::json& report, const std::string& name) {
  for (const auto& kernel : report["kernels"])
    if (kernel["name"] == name) return &kernel;
  return nullptr;
}

class Counts : public testing::TestWithParam<std::string> {};

TEST_P(Counts, AreThoseDerivedByHand) {
  const fs::path source = programs / (GetParam() + ".cu");
  const Program program(source.string());
  std::map<std::string, nlohmann::json> reports;
  int checked = 0;
  std::ifstream in(source);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("//# ", 0) != 0) continue;
    std::istringstream words(line.substr(4));
    std::string kernel;
    words >> kernel;
    const std::size_t split = kernel.find('@');
    const std::string device = split == kernel.npos ? "" : kernel.substr(split + 1);
    kernel = kernel.substr(0, split);
    if (reports.count(device) == 0) reports[device] = program.run(device);
    const nlohmann::json* const found = kernel_in(reports[device], kernel);
    ASSERT_NE(found, nullptr) << kernel << " did not run\n" << program.messages();
    for (std::string word; words >> word; ++checked) {
      const std::size_t equals = word.find('=');
      const std::string counter = word.substr(0, equals);
      ASSERT_TRUE((*found)["totals"].contains(counter)) << counter;
      EXPECT_EQ((*found)["totals"][counter].get<std::uint64_t>(), std::stoull(word.substr(equals + 1)))
          << kernel << " " << counter << (device.empty() ? "" : " on " + device);
    }
  }
  EXPECT_GT(checked, 8);
}
std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& item : fs::directory_iterator(programs))
    if (item.path().extension() == ".cu") result.push_back(item.path().stem());
  std::sort(result.begin(), result.end());
  return result;
}
INSTANTIATE_TEST_SUITE_P(Programs, Counts, testing::ValuesIn(names()),
                         [](const auto& each) { return each.param; });

/// When the checker watches the same run, both report, and the counts do not change.
TEST(CheckedToo, CountsAreTheSame) {
  for (const std::string name : {"branches", "banks"}) {
    const std::string source = (programs / (name + ".cu")).string();
    const Program counted(source), both("--check " + source);
    const nlohmann::json alone = counted.run(), with_checker = both.run();
    ASSERT_EQ(alone["kernels"].size(), with_checker["kernels"].size());
    ASSERT_GT(alone["kernels"].size(), 10u);
    for (std::size_t i = 0; i < alone["kernels"].size(); ++i)
      EXPECT_EQ(alone["kernels"][i]["totals"], with_checker["kernels"][i]["totals"])
          << alone["kernels"][i]["name"];
    const std::string findings = name == "banks" ? "7 mistakes" : "1 warning";
    EXPECT_NE(both.messages().find("cuemu: the checker found " + findings), std::string::npos)
        << both.messages();
    EXPECT_NE(both.messages().find("\ncounters of "), std::string::npos) << both.messages();
  }
}

/// lab1.2 with 512 numbers. Adjacent pairs with thread = element diverge without conflicts. Packed threads conflict
/// with degrees 2, 4, 8, 16, 16, 8, 4, 2, 1. Halves and mirror images neither diverge nor conflict.
TEST(Reduction, SchemesHaveTheConflictsOfTheManual) {
  // The solution combines solutions/ and the lab's given/; each includes the other's headers.
  const std::vector<fs::path> folders = {source_root / "solutions/lab1.2-reduction",
                                         source_root / "labs/lab1.2-reduction/given"};
  std::string sources, includes = "-I " + (source_root / "common/lab/include").string();
  for (const fs::path& folder : folders) {
    includes += " -I " + folder.string();
    for (const auto& item : fs::directory_iterator(folder)) {
      const std::string end = item.path().extension();
      if (end == ".cu" || end == ".cpp") sources += item.path().string() + " ";
    }
  }
  const Program program(sources + includes);
  const struct {
    const char* scheme;
    const char* device;
    unsigned conflicts, divergent;
  } expected[] = {
      // Scheme 1a has partly active warps on each level, 16·5 + 8 + 4 + 2 + 1 in all; the other schemes have them only
      // on the last five levels. The branch around thread 0's store adds one.
      {"1a", "h200", 0, 96},    {"1b", "h200", 225, 6},  {"2", "h200", 0, 6},   {"3", "h200", 0, 6},
      {"1b", "gtx280", 372, 6}, {"1a", "gtx280", 0, 96}, {"2", "gtx280", 0, 6}, {"3", "gtx280", 0, 6},
  };
  for (const auto& each : expected) {
    const auto report = program.run(each.device, std::string("--scheme=") + each.scheme);
    ASSERT_EQ(report["kernels"].size(), 1u);
    const auto& totals = report["kernels"][0]["totals"];
    EXPECT_EQ(
        totals["shared_load_conflicts"].get<unsigned>() + totals["shared_store_conflicts"].get<unsigned>(),
        each.conflicts)
        << each.scheme << " " << each.device;
    EXPECT_EQ(totals["divergent_branches"], each.divergent) << each.scheme;
    EXPECT_EQ(totals["barriers"], 10) << each.scheme;
  }
}

TEST(Report, HasATableWithSourceLinesIn80Columns) {
  const Program program((programs / "banks.cu").string());
  program.run();
  const std::string text = program.messages();
  EXPECT_NE(text.find("counters of stride2: 1 launch, grid (1, 1, 1), block (32, 1, 1)"), text.npos) << text;
  EXPECT_NE(text.find("row += 8) tile[threadIdx.y + row][thre …"), text.npos) << text;
  EXPECT_NE(text.find("32 blocks on a multiprocessor: blocks"), text.npos)
      << "what limits a block of one warp\n"
      << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
    EXPECT_LE(columns, 80) << line;
  }
}

TEST(Report, LinesHaveTheirOwnCounts) {
  const Program program((programs / "banks.cu").string());
  const auto report = program.run();
  const nlohmann::json* const kernel = kernel_in(report, "transpose");
  ASSERT_NE(kernel, nullptr);
  std::uint64_t conflicts = 0, barriers = 0;
  std::set<std::string> files;
  for (const auto& line : (*kernel)["lines"]) {
    files.insert(line["file"].get<std::string>());
    conflicts += line["counters"]["shared_load_conflicts"].get<std::uint64_t>();
    barriers += line["counters"]["barriers"].get<std::uint64_t>();
    if (line["counters"]["shared_load_conflicts"] == 0) continue;
    EXPECT_NE(line["text"].get<std::string>().find("tile[threadIdx.x][threadIdx.y + row]"),
              std::string::npos);
  }
  EXPECT_EQ(conflicts, 3968u);
  EXPECT_EQ(barriers, 4u);
  EXPECT_EQ(files.size(), 1u) << "barriers and accesses name one file alike";
}

TEST(TextProfile, HasTheCountersOfItsConfiguration) {
  const Program program((programs / "banks.cu").string());
  std::ofstream(program.at("profile_config")) << "# counters\nwarp_serialize\nshared_load\nwrong_name\n";
  program.run("gtx280", "", "CUDA_PROFILE=1 CUDA_PROFILE_CONFIG=profile_config");
  const std::string text = read(program.at("cuda_profile.log"));
  EXPECT_EQ(text.rfind("# CUDA_PROFILE_LOG_VERSION 2.0\n# CUDA_DEVICE 0 GeForce GTX 280 (emulated)\n", 0), 0u)
      << text;
  EXPECT_NE(text.find("\nmethod,gputime,cputime,occupancy,warp_serialize,shared_load\n"), text.npos) << text;
  EXPECT_NE(text.find("method=[ memset ] gputime=[ "), text.npos) << text;
  const std::size_t stride4 = text.find("method=[ stride4 ]");
  ASSERT_NE(stride4, text.npos) << text;
  const std::string line = text.substr(stride4, text.find('\n', stride4) - stride4);
  // 8 blocks of one warp; a multiprocessor holds 32.
  EXPECT_NE(line.find(" occupancy=[ 0.250 ] warp_serialize=[ 6 ] shared_load=[ 1 ]"), line.npos) << line;
  EXPECT_NE(program.messages().find("'wrong_name' (profile_config:4) is no counter or option"),
            std::string::npos)
      << program.messages();
}

TEST(TextProfile, SaysWhatIsNotCounted) {
  const Program program((programs / "tiles.cu").string());
  const std::string plain = program.at("plain");
  ASSERT_EQ(shell(emucc.string() + " " + (programs / "tiles.cu").string() + " -o " + plain), 0);
  std::ofstream(program.at("profile_config")) << "warp_serialize\n";
  ASSERT_EQ(shell("cd " + fs::path(plain).parent_path().string() +
                  " && CUDA_PROFILE=1 CUDA_PROFILE_CONFIG=profile_config CUDA_PROFILE_LOG=own.log ./plain > "
                  "output 2> "
                  "messages"),
            0);
  EXPECT_NE(program.messages().find("built with emucc --counters, so the log omits them: warp_serialize"),
            std::string::npos)
      << program.messages();
  const std::string text = read(program.at("own.log"));
  EXPECT_NE(text.find("\nmethod,gputime,cputime,occupancy\n"), text.npos) << text;
  EXPECT_NE(text.find("method=[ tiles16 ]"), text.npos) << text;
}

TEST(Settings, AreRefusedWithASentence) {
  const Program program((programs / "tiles.cu").string());
  EXPECT_EQ(
      shell("CUEMU_COUNTERS=color " + program.at("program") + " > /dev/null 2> " + program.at("messages")),
      3);
  EXPECT_NE(
      program.messages().find("'color' is not understood; known are quiet, lines=N, blocks=N and json=FILE"),
      std::string::npos);
}

}  // namespace
