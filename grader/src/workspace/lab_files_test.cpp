#include "workspace/lab_files.hpp"

#include <gtest/gtest.h>

#include "catalog/test_kit.hpp"

namespace grader {
namespace {

struct LabFilesTest : testing::Test {
  TestKit kit;

  static std::string text(const std::vector<LabFile>& files, const std::string& name) {
    for (const LabFile& file : files)
      if (file.name == name) return file.text;
    return "(none)";
  }
  void lab_toml(const std::string& level_tables) const {
    const std::string toml = kit.read("labs/lab1.1-scale/lab.toml");
    kit.write("labs/lab1.1-scale/lab.toml", toml + level_tables);
  }
};

TEST_F(LabFilesTest, TheSolutionIsGivenAndSolutions) {
  const auto files = solution_files(kit.kit, kit.lab());
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].text, TestKit::solution);
  EXPECT_EQ(files[1].origin, kit.path / "labs/lab1.1-scale/given/scale.h");
}

TEST_F(LabFilesTest, SharedHeadersAreGiven) {
  kit.write("labs/lab1.1-scale/shared/rules.hpp", "#pragma once\n");
  for (const auto& files : {solution_files(kit.kit, kit.lab()), level_files(kit.kit, kit.lab(), 1)})
    EXPECT_EQ(text(files, "rules.hpp"), "#pragma once\n");
  kit.write("labs/lab1.1-scale/given/rules.hpp", "");
  EXPECT_THAT([&] { solution_files(kit.kit, kit.lab()); },
              throws_error(ErrorKind::usage, "rules.hpp is in "));
}

TEST_F(LabFilesTest, ALevelBorrowsBlanksAndNeverAnswers) {
  kit.write("solutions/lab1.1-scale/expert.cu", "fast();\n");
  kit.write("labs/lab1.1-scale/level2/expert.cu",
            "// ---- part 2: e ----\nLAB_TODO(2);\n// ---- end of part 2 ----\n");
  EXPECT_EQ(text(level_files(kit.kit, kit.lab(), 1), "expert.cu"),
            kit.read("labs/lab1.1-scale/level2/expert.cu"));
  EXPECT_EQ(text(level_files(kit.kit, kit.lab(), 1), "scale.h"), "#pragma once\n");
  lab_toml("[[level]]\nid = 1\ncomplete = [\"expert.cu\"]\n");
  EXPECT_EQ(text(level_files(kit.kit, kit.lab(), 1), "expert.cu"), "fast();\n");
  fs::remove(kit.level(2) / "expert.cu");
  EXPECT_THAT([&] { level_files(kit.kit, kit.lab(), 2); },
              throws_error(ErrorKind::usage, "is blank at no level"));
}

TEST_F(LabFilesTest, DataAndTheProfilersConfigurationGoWithTheSources) {
  kit.write("labs/lab1.1-scale/given/data.txt", "1 2 3\n");
  kit.write("labs/lab1.1-scale/given/profile_config", "warp_serialize\n");
  kit.write("labs/lab1.1-scale/given/notes.md", "not for students\n");
  const auto files = level_files(kit.kit, kit.lab(), 1);
  EXPECT_EQ(text(files, "data.txt"), "1 2 3\n");
  EXPECT_EQ(text(files, "profile_config"), "warp_serialize\n");
  EXPECT_EQ(text(files, "notes.md"), "(none)");
}

TEST_F(LabFilesTest, TheCommandInABannerNamesTheLevel) {
  kit.write("labs/lab1.1-scale/given/scale.h",
            "// grader lab1.1, grader lab1.1.1, grader lab1.10, grader lab1.1.\n");
  EXPECT_EQ(text(level_files(kit.kit, kit.lab(), 1), "scale.h"),
            "// grader lab1.1, grader lab1.1.1, grader lab1.10, grader lab1.1.\n");
  EXPECT_EQ(text(level_files(kit.kit, kit.lab(), 2), "scale.h"),
            "// grader lab1.1.2, grader lab1.1.1, grader lab1.10, grader lab1.1.2.\n");
}

TEST_F(LabFilesTest, SaysWhatIsMissing) {
  kit.write("solutions/lab1.1-scale/scale.h", "twice\n");
  EXPECT_THAT([&] { solution_files(kit.kit, kit.lab()); },
              throws_error(ErrorKind::usage, "expected it in one of them"));
  fs::remove_all(kit.path / "solutions");
  EXPECT_THAT([&] { solution_files(kit.kit, kit.lab()); },
              throws_error(ErrorKind::usage, "expected the solution of lab1.1"));
  EXPECT_EQ(text(level_files(kit.kit, kit.lab(), 2), "scale.cu"), TestKit::level2);
  fs::remove_all(kit.level(2));
  EXPECT_THAT([&] { level_files(kit.kit, kit.lab(), 2); },
              throws_error(ErrorKind::environment, "The skeleton of lab1.1 level 2 is missing"));
}

}  // namespace
}  // namespace grader
