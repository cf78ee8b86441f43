// Tests the removal of trees that are made to resist it.
#include "base/removal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/test_folder.hpp"

namespace grader {
namespace {

/// Creates nested folders, and returns the descriptor of the last one. Paths this long can't be opened by
/// name.
int nest(const fs::path& in, int levels, const std::string& name) {
  int at = ::open(in.c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < levels; ++i) {
    EXPECT_EQ(::mkdirat(at, name.c_str(), 0755), 0);
    const int next = ::openat(at, name.c_str(), O_RDONLY | O_DIRECTORY);
    ::close(at);
    at = next;
  }
  return at;
}

TEST(RemoveTree, TakesFilesFoldersAndNothing) {
  const TestFolder folder;
  folder.write("a/b/c.txt", "x");
  folder.write("a/d.txt", "x");
  folder.write("file", "x");
  EXPECT_FALSE(remove_tree(folder.path / "a"));
  EXPECT_FALSE(remove_tree(folder.path / "file"));
  EXPECT_FALSE(remove_tree(folder.path / "never-was"));
  EXPECT_TRUE(folder.names().empty());
}

TEST(RemoveTree, FollowsNoLink) {
  const TestFolder folder;
  folder.write("kept/file", "x");
  fs::create_directory(folder.path / "a");
  fs::create_directory_symlink(folder.path / "kept", folder.path / "a/link");
  fs::create_directory_symlink(folder.path / "kept", folder.path / "link");
  EXPECT_FALSE(remove_tree(folder.path / "a"));
  EXPECT_FALSE(remove_tree(folder.path / "link"));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"kept"});
  EXPECT_EQ(folder.read("kept/file"), "x");
}

TEST(RemoveTree, GoesIntoFoldersOfModeZero) {
  const TestFolder folder;
  folder.write("a/b/c/file", "x");
  for (const char* name : {"a/b/c", "a/b", "a"}) ::chmod((folder.path / name).c_str(), 0);
  EXPECT_FALSE(remove_tree(folder.path / "a"));
  EXPECT_TRUE(folder.names().empty());
}

TEST(RemoveTree, GoesDeeperThanAnyPath) {
  const TestFolder folder;
  fs::create_directory(folder.path / "a");
  ::close(nest(folder.path / "a", 3000, "d"));
  ::close(nest(folder.path / "a", 40, std::string(255, 'n')));
  const int deep = nest(folder.path / "a", 300, "e");
  ::close(::openat(deep, "file", O_CREAT | O_WRONLY, 0));
  ::fchmod(deep, 0);
  ::close(deep);
  EXPECT_FALSE(remove_tree(folder.path / "a"));
  EXPECT_TRUE(folder.names().empty());
}

TEST(RemoveTree, IsNotFooledByNamesOfItsOwn) {
  const TestFolder folder;
  folder.write("a/.deep-0/x/y", "x");
  folder.write("a/.deep-1", "x");
  folder.write("a/b/c/d/e", "x");
  EXPECT_FALSE(remove_tree(folder.path / "a"));
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace grader
