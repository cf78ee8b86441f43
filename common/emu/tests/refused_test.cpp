// Tests that emucc refuses programs and warns as nvcc does, at the lines that refused/*.cu mark. refused.sh
// compares with nvcc. Also tests that whole programs with a mistake end as they do on a GPU, as the first
// lines of mistakes/*.cu say. mistakes.sh compares with a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path tests = fs::path(KIT_SOURCE_DIR) / "common" / "emu" / "tests";

std::vector<std::string> programs_in(const char* folder) {
  std::vector<std::string> names;
  for (const auto& item : fs::directory_iterator(tests / folder))
    if (item.path().extension() == ".cu") names.push_back(item.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

/// Returns a script's report on one program that emucc builds; empty if the outcomes agree.
std::string said_by(const char* script, const std::string& program) {
  const std::string command =
      "'" + (tests / script).string() + "' '" + KIT_BINARY_DIR + "/bin/emucc' -j 1 " + program + " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "no process for " + command;
  std::string said;
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) said.append(buffer.data(), n);
  return pclose(pipe) == 0 ? "" : said;
}

class Restriction : public testing::TestWithParam<std::string> {};

TEST_P(Restriction, IsSaidAtItsLine) {
  EXPECT_EQ(said_by("refused.sh", GetParam()), "");
}

INSTANTIATE_TEST_SUITE_P(Restrictions, Restriction, testing::ValuesIn(programs_in("refused")),
                         [](const auto& each) { return each.param; });

#ifdef KIT_CHECKER
class WholeMistake : public testing::TestWithParam<std::string> {};

TEST_P(WholeMistake, ComesToWhatAGpuMakesOfIt) {
  EXPECT_EQ(said_by("mistakes.sh", GetParam()), "");
}

INSTANTIATE_TEST_SUITE_P(Mistakes, WholeMistake, testing::ValuesIn(programs_in("mistakes")),
                         [](const auto& each) { return each.param; });
#endif

}  // namespace
