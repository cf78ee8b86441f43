// Tests entries that are sound, damaged, or made by two graders at once, and caches with too many entries.
#include "build/build_cache.hpp"

#include <sys/stat.h>

#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "base/test_folder.hpp"

namespace grader {
namespace {

struct CacheTest : testing::Test {
  TestFolder folder;
  FileSystem& files = this_machine().files;
  BuildCache cache{folder.path / "cache", files};

  static fs::path put(const BuildCache& cache, const std::string& key, const std::string& text) {
    const BuildCache::Workshop workshop(cache.new_workshop());
    std::ofstream(workshop.path / "made") << text;
    return cache.keep(key, workshop.path, workshop.path / "made", "words of " + text).program;
  }
  std::string content(const std::string& key) const { return folder.read("cache/" + key + "/program"); }
};

TEST_F(CacheTest, GivesBackWhatWasKept) {
  EXPECT_FALSE(cache.find("a"));
  put(cache, "a", "one");
  ASSERT_TRUE(cache.find("a"));
  EXPECT_EQ(content("a"), "one");
  EXPECT_EQ(cache.find("a")->diagnostics, "words of one");
  EXPECT_EQ(folder.names("cache"), std::vector<std::string>{"a"}) << "the workshop is gone";
}

TEST_F(CacheTest, DamagedEntriesAreNotFoundAndReplaced) {
  const std::vector<std::function<void()>> damages = {
      [&] { folder.write("cache/a/program", "onx"); },
      [&] { folder.write("cache/a/program", ""); },
      [&] { fs::remove(folder.path / "cache/a/program"); },
      [&] { folder.write("cache/a/entry.json", "{"); },
      [&] { folder.write("cache/a/entry.json", "[]"); },
      [&] { fs::remove(folder.path / "cache/a/entry.json"); },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    put(cache, "a", "one");
    damages[i]();
    EXPECT_FALSE(cache.find("a")) << i;
  }
  put(cache, "a", "two");
  EXPECT_TRUE(cache.find("a"));
  EXPECT_EQ(content("a"), "two");
}

TEST_F(CacheTest, TheFirstOfTwoGradersWins) {
  put(cache, "a", "one");
  put(cache, "a", "two");
  EXPECT_EQ(content("a"), "one");
}

TEST_F(CacheTest, ManyAtOnceLeaveOneSoundEntry) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([this] {
      for (int round = 0; round < 20; ++round) put(BuildCache(folder.path / "cache", files), "a", "same");
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(cache.find("a"));
  EXPECT_EQ(folder.names("cache"), std::vector<std::string>{"a"});
}

TEST_F(CacheTest, TheOldestEntriesGo) {
  const BuildCache small(folder.path / "cache", files, {.entries = 2, .bytes = 1 << 20, .spared_s = 0});
  for (const char* key : {"a", "b"}) put(small, key, key);
  const auto hour = std::chrono::hours(1);
  fs::last_write_time(folder.path / "cache/a", fs::file_time_type::clock::now() - hour);
  put(small, "c", "c");
  EXPECT_EQ(folder.names("cache"), (std::vector<std::string>{"b", "c"}));
}

TEST_F(CacheTest, EntriesInUseStay) {
  const BuildCache small(folder.path / "cache", files, {.entries = 1, .bytes = 1 << 20, .spared_s = 600});
  for (const char* key : {"a", "b", "c"}) put(small, key, key);
  EXPECT_EQ(folder.names("cache").size(), 3u);
}

TEST_F(CacheTest, LeftoversOfAKilledGraderAreRemovedAfterADay) {
  fs::create_directories(folder.path / "cache/tmp-abandoned");
  fs::create_directories(folder.path / "cache/tmp-at-work");
  fs::last_write_time(folder.path / "cache/tmp-abandoned",
                      fs::file_time_type::clock::now() - std::chrono::hours(48));
  put(cache, "a", "a");
  EXPECT_EQ(folder.names("cache"), (std::vector<std::string>{"a", "tmp-at-work"}));
}

TEST_F(CacheTest, SaysThatItCanNotBeWritten) {
  folder.write("file", "");
  EXPECT_THAT([&] { BuildCache(folder.path / "file" / "cache", files); },
              throws_error(ErrorKind::environment, "GRADER_HOME"));
  setenv("GRADER_CACHE", "/elsewhere", 1);
  EXPECT_THAT([&] { BuildCache(folder.path / "file" / "cache", files); },
              throws_error(ErrorKind::environment, "point GRADER_CACHE to"));
  unsetenv("GRADER_CACHE");
}

}  // namespace
}  // namespace grader
