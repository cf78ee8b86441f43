// Each test first changes files and then waits. The watch is active from its construction on, so no test
// depends on time.
#include "process/watch_files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "base/test_folder.hpp"

namespace grader {
namespace {

using Saved = std::optional<std::vector<fs::path>>;

struct WatchTest : testing::Test {
  TestFolder folder;
  fs::path level = folder.path / "level1";

  WatchTest() {
    folder.write("level1/x.cu", "old");
    folder.write("level1/sub/y.h", "old");
  }
  /// A watch that gives up after this many iterations without a change.
  FileWatch watch(int turns = 50) const {
    return FileWatch(level, [left = turns]() mutable { return left-- == 0; });
  }
};

TEST_F(WatchTest, SeesAFileThatIsWritten) {
  FileWatch watching = watch();
  folder.write("level1/x.cu", "new");
  EXPECT_EQ(watching.wait(), Saved({level / "x.cu"}));
}

TEST_F(WatchTest, SeesAFileInASubfolder) {
  FileWatch watching = watch();
  folder.write("level1/sub/y.h", "new");
  EXPECT_EQ(watching.wait(), Saved({level / "sub" / "y.h"}));
}

TEST_F(WatchTest, SeesAnEditorThatRenames) {
  FileWatch watching = watch();
  folder.write("level1/.x.cu.swp", "new");
  folder.write("level1/4913", "");  // vim tests in this way whether it may create files here
  fs::remove(level / "4913");
  fs::rename(level / "x.cu", level / "x.cu~");
  folder.write("level1/x.cu.new", "new");
  fs::rename(level / "x.cu.new", level / "x.cu");
  fs::remove(level / "x.cu~");
  EXPECT_EQ(watching.wait(), Saved({level / "x.cu"}));
}

TEST_F(WatchTest, OneSaveIsOneChange) {
  FileWatch watching = watch();
  folder.write("level1/x.cu", "1");
  folder.write("level1/x.cu", "2");
  folder.write("level1/a.cu", "3");
  EXPECT_EQ(watching.wait(), Saved({level / "a.cu", level / "x.cu"}));
  folder.write("level1/x.cu", "4");
  EXPECT_EQ(watching.wait(), Saved({level / "x.cu"}));
}

TEST_F(WatchTest, EditorsOwnFilesAndReadersDoNotCount) {
  FileWatch watching = watch(3);
  folder.write("level1/.x.cu.swp", "");
  folder.write("level1/#x.cu#", "");
  folder.write("level1/x.cu~", "");
  EXPECT_EQ(folder.read("level1/x.cu"), "old");
  fs::remove(level / "x.cu");
  EXPECT_EQ(watching.wait(), Saved());
}

TEST_F(WatchTest, ANewSubfolderIsWatched) {
  FileWatch watching = watch();
  folder.write("level1/more/z.h", "1");
  EXPECT_TRUE(watching.wait().has_value());
  folder.write("level1/more/z.h", "2");
  EXPECT_EQ(watching.wait(), Saved({level / "more" / "z.h"}));
}

TEST_F(WatchTest, AReplacedFolderIsWatchedAgain) {
  FileWatch watching = watch();
  fs::rename(level, folder.path / "old");
  folder.write("level1/x.cu", "new");
  EXPECT_EQ(watching.wait(), Saved(std::vector<fs::path>{}));
  folder.write("level1/x.cu", "newer");
  EXPECT_EQ(watching.wait(), Saved({level / "x.cu"}));
}

TEST_F(WatchTest, ADeletedFolderIsWaitedFor) {
  FileWatch watching = watch();
  fs::remove_all(level);
  std::thread other([&] { folder.write("level1/x.cu", "new"); });
  EXPECT_TRUE(watching.wait().has_value());
  other.join();
}

TEST_F(WatchTest, ADeletedFolderIsReportedOnce) {
  int reports = 0;
  FileWatch watching(
      level, [left = 3]() mutable { return left-- == 0; }, [&] { ++reports; });
  fs::remove_all(level);
  EXPECT_FALSE(watching.wait().has_value());
  EXPECT_EQ(reports, 1);
}

/// Most file systems reuse the folder's inode number for the next new folder.
TEST_F(WatchTest, ADeletedFolderMayComeBackUnderItsNumber) {
  for (int i = 0; i < 20; ++i) {
    FileWatch watching = watch();
    fs::remove_all(level);
    folder.write("level1/x.cu", "new");
    ASSERT_EQ(watching.wait(), Saved(std::vector<fs::path>{}));
    folder.write("level1/x.cu", "newer");
    ASSERT_EQ(watching.wait(), Saved({level / "x.cu"}));
  }
}

TEST_F(WatchTest, LostEventsAreAnUnknownChange) {
  std::ifstream limit("/proc/sys/fs/inotify/max_queued_events");
  std::size_t most = 0;
  if (!(limit >> most) || most > 100000) GTEST_SKIP() << "the queue is too long to fill";
  FileWatch watching = watch();
  folder.write("level1/a", "1");
  folder.write("level1/b", "1");
  for (std::size_t i = 0; i <= most; ++i) {  // two files alternately, since inotify merges equal neighbours
    close(open((level / (i % 2 == 0 ? "a" : "b")).c_str(), O_WRONLY | O_CLOEXEC));
  }
  EXPECT_EQ(watching.wait(), Saved(std::vector<fs::path>{}));
}

TEST_F(WatchTest, EndsOnRequest) {
  EXPECT_EQ(FileWatch(level, [] { return true; }).wait(), Saved());
}

TEST_F(WatchTest, AFolderMustBeThere) {
  EXPECT_THAT([&] { FileWatch(folder.path / "none"); }, throws_error(ErrorKind::usage, "can't be watched"));
  EXPECT_THAT([&] { FileWatch(level / "x.cu"); }, throws_error(ErrorKind::usage, "can't be watched"));
}

}  // namespace
}  // namespace grader
