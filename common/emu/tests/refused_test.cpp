// What nvcc refuses and warns of, emucc does too, at the same line: refused/*.cu say where. refused.sh asks nvcc the same.
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

std::vector<std::string> all_restrictions() {
  std::vector<std::string> names;
  for (const auto& item : fs::directory_iterator(tests / "refused"))
    if (item.path().extension() == ".cu") names.push_back(item.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

class Restriction : public testing::TestWithParam<std::string> {};

TEST_P(Restriction, IsSaidAtItsLine) {
  const std::string command = "'" + (tests / "refused.sh").string() + "' '" + KIT_BINARY_DIR +
                              "/bin/emucc' -j 1 " + GetParam() + " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string said;
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) said.append(buffer.data(), n);
  EXPECT_EQ(pclose(pipe), 0) << said;
}

INSTANTIATE_TEST_SUITE_P(Restrictions, Restriction, testing::ValuesIn(all_restrictions()),
                         [](const auto& each) { return each.param; });

}  // namespace
