// Compares techniques.md with techniques.cu: the program contains the page's code, computes right results, and
// has the page's number of loads.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kit_tree.hpp"

namespace {

namespace fs = std::filesystem;

using kit_tree::read;

const fs::path docs = kit_tree::root / "docs";

TEST(Techniques, TheCodeOfThePageIsThatOfTheProgram) {
  const std::string page = read(docs / "techniques.md"), program = read(docs / "techniques.cu");
  const std::string open = "```cpp\n", close = "```\n";
  std::size_t blocks = 0;
  for (std::size_t at = page.find(open); at != page.npos; at = page.find(open, at + 1)) {
    const std::size_t begin = at + open.size();
    const std::string code = page.substr(begin, page.find(close, begin) - begin);
    EXPECT_NE(program.find(code), program.npos) << "techniques.cu has not:\n" << code;
    ++blocks;
  }
  EXPECT_GE(blocks, 8u);
}

TEST(Techniques, TheProgramIsRightAndLoadsAsOftenAsThePageSays) {
  const fs::path folder = fs::temp_directory_path() / ("techniques-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string build = std::string(KIT_BINARY_DIR) + "/bin/emucc --counters -std=c++17 '" +
                            (docs / "techniques.cu").string() + "' -o '" + (folder / "techniques").string() +
                            "'";
  ASSERT_EQ(std::system(build.c_str()), 0);
  const std::string run = "CUEMU_COUNTERS='quiet,json=" + (folder / "counters.json").string() + "' '" +
                          (folder / "techniques").string() + "'";
  EXPECT_EQ(std::system(run.c_str()), 0);

  const std::string page = read(docs / "techniques.md");
  const auto counted = nlohmann::json::parse(read(folder / "counters.json"));
  std::size_t seen = 0;
  for (const auto& [kernel, title] : std::vector<std::pair<std::string, std::string>>{
           {"productsInMemory", "all in memory | 3 n m | 72"},
           {"productsInRegister", "the sum in a register | 2 n m | 48"},
           {"productsWithFactor", "the factor too | n + n m | 28"}}) {
    for (const auto& one : counted["kernels"]) {
      if (one["name"] != kernel) continue;
      const std::string row =
          "| " + title + " | " + std::to_string(one["totals"]["global_loads"].get<int>()) + " |";
      EXPECT_NE(page.find(row), page.npos) << row;
      ++seen;
    }
  }
  EXPECT_EQ(seen, 3u);
  fs::remove_all(folder);
}

}  // namespace
