#include "base/files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <thread>

#include "base/test_folder.hpp"

namespace grader {
namespace {

TEST(ReadFileTest, ReadsWhatWasWritten) {
  const TestFolder folder;
  const std::string bytes("a\0b\r\n", 5);
  write_file(folder.path / "new" / "f", bytes);
  EXPECT_EQ(read_file(folder.path / "new" / "f", 5), bytes);
}

TEST(ReadFileTest, SaysWhyItCanNotRead) {
  const TestFolder folder;
  folder.write("large", "123456");
  ASSERT_EQ(mkfifo((folder.path / "pipe").c_str(), 0600), 0);
  EXPECT_THAT([&] { read_file(folder.path / "none", 5); }, throws_error(ErrorKind::usage, "does not exist"));
  EXPECT_THAT([&] { read_file(folder.path, 5); }, throws_error(ErrorKind::usage, "is a folder"));
  EXPECT_THAT([&] { read_file(folder.path / "large", 5); }, throws_error(ErrorKind::usage, "is larger"));
  EXPECT_THAT([&] { read_file(folder.path / "pipe", 5); },
              throws_error(ErrorKind::usage, "not a regular file"));
}

TEST(WriteFileTest, ReplacesWholeAndLeavesNothingElse) {
  const TestFolder folder;
  folder.write("f", "old");
  fs::permissions(folder.path / "f", fs::perms::owner_read | fs::perms::owner_write);
  write_file(folder.path / "f", "new");
  EXPECT_EQ(folder.read("f"), "new");
  EXPECT_EQ(fs::status(folder.path / "f").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"f"});
}

TEST(WriteFileTest, AFailureKeepsTheOldState) {
  const TestFolder folder;
  folder.write("f", "old");
  fs::create_directory(folder.path / "d");
  EXPECT_THAT([&] { write_file(folder.path / "d", "x"); },
              throws_error(ErrorKind::environment, "can't be written"));
  EXPECT_THAT([&] { write_file(folder.path / "f" / "g", "x"); },
              throws_error(ErrorKind::environment, "can't be written"));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"d", "f"}));
  EXPECT_THAT([] { write_file("/dev/full/x", "x"); },
              throws_error(ErrorKind::environment, "can't be written"));
}

TEST(MakeUniqueFolderTest, NeverGivesTheSameTwice) {
  const TestFolder folder;
  std::set<fs::path> made;
  for (int i = 0; i < 5; ++i) made.insert(make_unique_folder(folder.path / "backups", "lab1.1"));
  EXPECT_EQ(made.size(), 5u);
  for (const fs::path& one : made) EXPECT_TRUE(fs::is_directory(one));
}

TEST(FileLockTest, HoldsOthersOff) {
  const TestFolder folder;
  const fs::path file = folder.path / "lock";
  std::atomic<int> inside{0};
  bool overlapped = false;
  const auto work = [&] {
    for (int i = 0; i < 50; ++i) {
      const FileLock lock(file);
      if (++inside != 1) overlapped = true;
      std::this_thread::yield();
      --inside;
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_FALSE(overlapped);
}

TEST(Utf8Test, FindsTheFirstBadLine) {
  EXPECT_EQ(first_line_not_utf8(""), 0u);
  EXPECT_EQ(first_line_not_utf8("µ×行😀\n"), 0u);
  EXPECT_EQ(first_line_not_utf8("a\nb\xff"), 2u);
  EXPECT_EQ(first_line_not_utf8("a\n\xc3"), 2u);
  EXPECT_EQ(first_line_not_utf8("\xc0\x80"), 1u);
  EXPECT_EQ(first_line_not_utf8("\xed\xa0\x80"), 1u);
  EXPECT_EQ(first_line_not_utf8(std::string("a\n\n\0", 4)), 3u);
}

TEST(ShownTest, IsRelativeOnlyBelowTheCurrentFolder) {
  const fs::path here = fs::current_path();
  EXPECT_EQ(shown(here / "a" / "b"), "a/b");
  EXPECT_EQ(shown("/nowhere/a"), "/nowhere/a");
  EXPECT_EQ(shown("a"), "a");
}

}  // namespace
}  // namespace grader
