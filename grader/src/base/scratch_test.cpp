// The folder of an owner is removed when the owner ends. If the owner was killed, the next grader removes it.
#include "base/scratch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "base/test_folder.hpp"

namespace grader {
namespace {

TEST(Scratch, GoesWithItsOwner) {
  const TestFolder folder;
  fs::path path;
  {
    const ScratchFolder scratch(folder.path / "work", "t");
    path = scratch.path();
    folder.write(path / "deep" / "file", "x");
    EXPECT_TRUE(fs::exists(path / "deep" / "file"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(Scratch, TwoAtOnceAreApart) {
  const TestFolder folder;
  const ScratchFolder a(folder.path, "t"), b(folder.path, "t");
  EXPECT_NE(a.path(), b.path());
  EXPECT_TRUE(fs::exists(a.path())) << "a living owner's folder is left alone";
}

TEST(Scratch, LeftoversOfAKilledOwnerAreRemoved) {
  const TestFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    new ScratchFolder(folder.path, "t");
    _exit(0);  // runs no destructor, as after kill -9
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(folder.names().size(), 1u);
  fs::create_directory(folder.path / "grader-t-notes");
  const std::string elsewhere = "grader-t-" + std::to_string(child) + ".1-another.machine-XXXXXX";
  fs::create_directory(folder.path / elsewhere);
  const ScratchFolder next(folder.path, "t");
  EXPECT_THAT(folder.names(),
              testing::UnorderedElementsAre("grader-t-notes", elsewhere, next.path().filename()))
      << "and nothing else is: that process may live on its own machine";
}

TEST(Scratch, AProcessThatGotTheOwnersNumberOwnsNothing) {
  const TestFolder folder;
  const std::string mine = owned_name("grader-t-"), number = std::to_string(getpid());
  const std::size_t dot = mine.find('.');
  ASSERT_EQ(mine.substr(0, dot), "grader-t-" + number);
  EXPECT_FALSE(is_abandoned(mine + "XXXXXX", "grader-t-"));
  EXPECT_TRUE(
      is_abandoned("grader-t-" + number + ".1" + mine.substr(mine.find('-', dot)) + "XXXXXX", "grader-t-"))
      << "a process that began at another moment had the number";
}

TEST(Scratch, AFolderThatCanNotBeMadeIsNamed) {
  const TestFolder folder;
  folder.write("plain", "x");
  EXPECT_THAT([&] { ScratchFolder(folder.path / "plain", "t"); },
              throws_error(ErrorKind::environment, "plain"));
  EXPECT_THAT([&] { ScratchFolder(folder.path / "plain" / "work", "t"); },
              throws_error(ErrorKind::environment, "Not a directory"))
      << "not that there is no such folder, of one that can't be made";
  EXPECT_THAT([&] { ScratchFolder(folder.path / "plain" / "work", "t"); },
              throws_error(ErrorKind::environment, "ls -ld '" + (folder.path / "plain").string() + "'"));
}

}  // namespace
}  // namespace grader
