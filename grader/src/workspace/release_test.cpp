#include "workspace/release.hpp"

#include <gtest/gtest.h>

#include "catalog/test_kit.hpp"

namespace grader {
namespace {

using Kind = ReleaseChange::Kind;

struct ReleaseTest : testing::Test {
  TestKit kit;

  std::vector<ReleaseChange> run(bool check = false) const { return release(kit.kit, kit.lab(), check); }
};

TEST_F(ReleaseTest, WritesEveryLevelAndThenHasNothingToDo) {
  EXPECT_EQ(run().size(), 4u);
  EXPECT_EQ(kit.read("labs/lab1.1-scale/level1/scale.cu"), TestKit::level1);
  EXPECT_EQ(kit.read("labs/lab1.1-scale/level2/scale.cu"), TestKit::level2);
  EXPECT_EQ(kit.names("labs/lab1.1-scale/level1"), (std::vector<std::string>{"scale.cu", "scale.h"}));
  EXPECT_TRUE(run(true).empty());
  EXPECT_TRUE(run().empty());
}

TEST_F(ReleaseTest, CheckNamesTheFirstLineAndWritesNothing) {
  run();
  kit.write("labs/lab1.1-scale/level1/scale.cu", "#include \"scale.h\"\nLAB_TODO(2);\nlaunch();\n");
  fs::remove(kit.level(2) / "scale.h");
  kit.write("labs/lab1.1-scale/level2/notes.txt", "n");
  kit.write("labs/lab1.1-scale/level3/scale.cu", "x");
  const auto changes = run(true);
  ASSERT_EQ(changes.size(), 4u);
  EXPECT_EQ(changes[0].kind, Kind::differs);
  EXPECT_EQ(changes[0].path, kit.level(1) / "scale.cu");
  EXPECT_EQ(changes[0].first_line, 2u);
  EXPECT_EQ(changes[1].kind, Kind::missing);
  EXPECT_EQ(changes[1].path, kit.level(2) / "scale.h");
  EXPECT_EQ(changes[2].kind, Kind::stray);
  EXPECT_EQ(changes[2].path, kit.level(2) / "notes.txt");
  EXPECT_EQ(changes[3].path, kit.level(3) / "scale.cu");
  EXPECT_FALSE(fs::exists(kit.level(2) / "scale.h"));
  EXPECT_FALSE(fs::exists(kit.path / ".grader"));
}

TEST_F(ReleaseTest, AMissingFinalNewlineIsADifference) {
  run();
  kit.write("labs/lab1.1-scale/level1/scale.h", "#pragma once");
  ASSERT_EQ(run(true).size(), 1u);
  EXPECT_EQ(run(true)[0].first_line, 1u);
}

TEST_F(ReleaseTest, AnEditedFileIsKeptAndAnUneditedOneIsNot) {
  run();
  if (!kit.commit()) GTEST_SKIP() << "no git";
  kit.write("labs/lab1.1-scale/level1/scale.cu", "my work\n");
  kit.write("solutions/lab1.1-scale/scale.h", "#pragma once\n// new\n");
  const auto changes = run();
  ASSERT_EQ(changes.size(), 3u);
  for (const ReleaseChange& change : changes) {
    if (change.path != kit.level(1) / "scale.cu") {
      EXPECT_TRUE(change.backup.empty()) << change.path;
      continue;
    }
    EXPECT_EQ(kit.read(change.backup.lexically_relative(kit.path)), "my work\n");
  }
  EXPECT_EQ(kit.read("labs/lab1.1-scale/level1/scale.cu"), TestKit::level1);
}

TEST_F(ReleaseTest, WithoutGitEveryDifferingFileIsKept) {
  run();
  kit.write("labs/lab1.1-scale/level1/scale.cu", "my work\n");
  const auto changes = run();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(kit.read(changes[0].backup.lexically_relative(kit.path)), "my work\n");
}

TEST_F(ReleaseTest, AStrayThatIsCommittedGoesAndAnotherStays) {
  kit.write("labs/lab1.1-scale/level1/old.cu", "old skeleton\n");
  run();
  if (!kit.commit()) GTEST_SKIP() << "no git";
  kit.write("labs/lab1.1-scale/level1/mine.cu", "mine\n");
  const auto changes = run();
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_TRUE(changes[0].left_alone);
  EXPECT_FALSE(changes[1].left_alone);
  EXPECT_TRUE(fs::exists(kit.level(1) / "mine.cu"));
  EXPECT_FALSE(fs::exists(kit.level(1) / "old.cu"));
}

TEST_F(ReleaseTest, ABrokenMarkerChangesNothing) {
  run();
  kit.write("solutions/lab1.1-scale/scale.h", "#pragma once\n// new\n");
  kit.write("solutions/lab1.1-scale/scale.cu", "//@part 1 \"Kernel\"\n");
  EXPECT_THAT([&] { run(); }, throws_error(ErrorKind::usage, "scale.cu:1: //@part 1 is never closed"));
  EXPECT_EQ(kit.read("labs/lab1.1-scale/level1/scale.h"), "#pragma once\n");
}

TEST_F(ReleaseTest, EveryPartMustBeMarked) {
  kit.write("solutions/lab1.1-scale/scale.cu", "int x;\n");
  EXPECT_THAT([&] { run(true); }, throws_error(ErrorKind::usage, "marks part 1 (\"Kernel\")"));
}

TEST_F(ReleaseTest, ASolutionMustBeThere) {
  fs::remove(kit.path / "solutions/lab1.1-scale/scale.cu");
  EXPECT_THAT([&] { run(true); }, throws_error(ErrorKind::usage, "holds no .cu or .cpp file"));
  fs::remove_all(kit.path / "solutions");
  EXPECT_THAT([&] { run(true); },
              throws_error(ErrorKind::usage, "expected the annotated solution of lab1.1"));
}

TEST_F(ReleaseTest, OtherFilesBesideTheSolutionAreNotReleased) {
  kit.write("solutions/lab1.1-scale/wrong.toml", "format = 1\n");
  kit.write("solutions/lab1.1-scale/.hidden.cu", "x");
  EXPECT_EQ(skeleton_files(kit.kit, kit.lab(), 1).size(), 2u);
}

}  // namespace
}  // namespace grader
