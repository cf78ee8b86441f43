// Tests whole projects as their authors wrote them. Each folder of projects/ is copied; its own Makefile
// builds and runs it with emucc in place of nvcc. It must print the text of its file `expected`. Lines with
// times or rates are ignored.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "test_folders.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path build_folder = KIT_BINARY_DIR;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Returns the text without the lines that differ from run to run. gpu_agreement.sh omits the same lines.
std::string steady(const std::string& text) {
  static const std::regex volatile_line("time|[0-9] ms|GB/s|GFLOP", std::regex::icase);
  std::istringstream lines(text);
  std::string line, kept;
  while (std::getline(lines, line)) {
    if (!std::regex_search(line, volatile_line)) kept += line + "\n";
  }
  return kept;
}

std::vector<std::string> all_projects() {
  std::vector<std::string> names;
  for (const fs::path& item : items_in(KIT_EMU_PROJECTS))
    if (fs::is_directory(item)) names.push_back(item.filename());
  return names;
}

class Project : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "emucc-projects-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    fs::copy(item_named(KIT_EMU_PROJECTS, GetParam()), folder, fs::copy_options::recursive);
  }
  void TearDown() override { fs::remove_all(folder); }
  fs::path folder;
};

TEST_P(Project, BuildsAndRunsByItsMakefile) {
  const std::string emucc = (build_folder / "bin" / "emucc").string();
  // In some Makefiles CC is nvcc; in others it is a plain C compiler.
  const fs::path makefile = fs::exists(folder / "Makefile") ? folder / "Makefile" : folder / "makefile";
  const bool cc = std::regex_search("\n" + read(makefile), std::regex("\nCC *[:?]?= *nvcc"));
  const std::string command = "cd '" + folder.string() + "' && MAKEFLAGS= timeout 180 make -s NVCC='" +
                              emucc + "'" + (cc ? " CC='" + emucc + "'" : "") + " CUDA_PATH='" +
                              (build_folder / "cuda").string() + "' run > output 2> messages";
  const int status = std::system(command.c_str());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << command << "\n" << read(folder / "messages");
  EXPECT_EQ(steady(read(folder / "output")), steady(read(folder / "expected"))) << read(folder / "messages");
}

INSTANTIATE_TEST_SUITE_P(Projects, Project, testing::ValuesIn(all_projects()),
                         [](const auto& each) { return each.param; });

}  // namespace
