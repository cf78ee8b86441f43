// Tests precompiled headers in a separate cache. The tests compile programs, so they take a second or two.
#include "driver/cache.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "driver/process.hpp"

namespace emucc {
namespace cache_test {

namespace fs = std::filesystem;

class Cache : public testing::Test {
 protected:
  void SetUp() override {
    request.compiler = find_program("g++");
    if (request.compiler.empty()) GTEST_SKIP() << "g++ is not installed";
    std::string pattern = (fs::temp_directory_path() / "emucc-cache-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    fs::create_directories(folder / "include");
    std::ofstream(folder / "include" / "mine.h") << "int mine;\n";
    setenv("CUEMU_CACHE", (folder / "cache").c_str(), 1);
    request.flags = {"-I" + (folder / "include").string()};
    request.includes = {"mine.h"};
  }
  void TearDown() override {
    if (!folder.empty()) fs::remove_all(folder);
    unsetenv("CUEMU_CACHE");
  }
  /// Requests the header until it is made.
  std::optional<PrecompiledHeader> precompile_at_last() const {
    for (int i = 0; i < 3; ++i) (void)precompile(request);
    return precompile(request);
  }
  fs::file_time_type made(const PrecompiledHeader& header) const {
    return fs::last_write_time(header.header() + ".gch");
  }

  fs::path folder;
  PrecompileRequest request;
};

TEST_F(Cache, MakesNoneForWhatIsCompiledAFewTimes) {
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(precompile(request)) << i;
  EXPECT_TRUE(precompile(request));
}

TEST_F(Cache, TheNumberOfWishesCanBeChosen) {
  request.wishes_before = 0;
  const auto first = precompile(request);
  ASSERT_TRUE(first);
  request.wishes_before = 5;
  EXPECT_TRUE(precompile(request)) << "it is there";
}

TEST_F(Cache, EntriesRequestedOnceDoNotPileUp) {
  for (int i = 0; i < 205; ++i) {
    request.flags = {"-DX=" + std::to_string(i)};
    EXPECT_FALSE(precompile(request));
  }
  const fs::directory_iterator entries(folder / "cache" / "headers");
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 200);
}

TEST_F(Cache, MakesAHeaderOnce) {
  const auto first = precompile_at_last();
  ASSERT_TRUE(first);
  const auto time = made(*first);
  const auto again = precompile(request);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->header(), first->header());
  EXPECT_EQ(made(*again), time);
}

TEST_F(Cache, WhileAnotherMakesItOneDoesWithout) {
  for (int i = 0; i < 3; ++i) (void)precompile(request);
  const fs::path entry = *fs::directory_iterator(folder / "cache" / "headers");
  const int lock = open((entry / "lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);
  EXPECT_FALSE(precompile(request));
  close(lock);
  EXPECT_TRUE(precompile(request));
}

TEST_F(Cache, OtherFlagsAreAnotherEntry) {
  const auto first = precompile_at_last();
  request.flags.push_back("-DX");
  const auto other = precompile_at_last();
  ASSERT_TRUE(first && other);
  EXPECT_NE(other->header(), first->header());
}

TEST_F(Cache, AChangedHeaderIsCompiledAgain) {
  std::string header;
  {
    const auto first = precompile_at_last();
    ASSERT_TRUE(first);
    header = first->header();
    fs::last_write_time(header + ".gch", fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  std::ofstream(folder / "include" / "mine.h") << "int mine, yours;\n";
  const auto again = precompile(request);
  ASSERT_TRUE(again);
  EXPECT_GT(made(*again), fs::file_time_type::clock::now() - std::chrono::minutes(30));
}

TEST_F(Cache, AHeaderThatAppearsCountsToo) {
  std::ofstream(folder / "include" / "mine.h")
      << "#if __has_include(\"yours.h\")\n#include \"yours.h\"\n#endif\n";
  std::string header;
  {
    const auto first = precompile_at_last();
    ASSERT_TRUE(first);
    header = first->header();
    fs::last_write_time(header + ".gch", fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  EXPECT_LT(made(*precompile(request)), fs::file_time_type::clock::now() - std::chrono::minutes(30));
  std::ofstream(folder / "include" / "yours.h") << "int yours;\n";
  const auto again = precompile(request);
  ASSERT_TRUE(again);
  EXPECT_GT(made(*again), fs::file_time_type::clock::now() - std::chrono::minutes(30));
}

TEST_F(Cache, AMovedEntryIsMadeAgain) {
  {
    const auto first = precompile_at_last();
    ASSERT_TRUE(first);
    fs::last_write_time(first->header() + ".gch", fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  fs::rename(folder / "cache", folder / "moved");
  setenv("CUEMU_CACHE", (folder / "moved").c_str(), 1);
  const auto again = precompile(request);
  ASSERT_TRUE(again);
  EXPECT_GT(made(*again), fs::file_time_type::clock::now() - std::chrono::minutes(30))
      << "it names the old place";
}

TEST_F(Cache, DamageAndLackCostOnlyTime) {
  request.includes = {"missing.h"};
  EXPECT_FALSE(precompile_at_last());
  request.includes = {"mine.h"};
  std::ofstream(folder / "file") << "x";
  setenv("CUEMU_CACHE", (folder / "file").c_str(), 1);
  EXPECT_FALSE(precompile_at_last());
  setenv("CUEMU_CACHE", "", 1);
  EXPECT_FALSE(precompile_at_last());
}

}  // namespace cache_test
}  // namespace emucc
