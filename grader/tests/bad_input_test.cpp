// Tests that the real program answers bad input with one clear sentence, the next step and the right exit
// code, and that no data are lost.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "small_kit.hpp"

#include "base/filesystem.hpp"

namespace grader {
namespace {

using testing::Ran;

struct BadCommand {
  const char* name;
  std::vector<std::string> arguments;
  int exit_code;
  const char* says;  ///< part of the expected standard error
};

class BadCommands : public ::testing::TestWithParam<BadCommand> {};

TEST_P(BadCommands, GetOneSentenceAndTheNextStep) {
  const BadCommand& bad = GetParam();
  const testing::TemporaryFolder folder;
  testing::User user(testing::write_small_kit(folder.path()));
  const Ran ran = user.grader(bad.arguments);
  EXPECT_EQ(ran.exit_code, bad.exit_code) << ran.out << ran.err;
  EXPECT_NE(ran.err.find(bad.says), std::string::npos) << "no word of '" << bad.says << "' in:\n" << ran.err;
  EXPECT_LT(std::count(ran.err.begin(), ran.err.end(), '\n'), 8)
      << "one sentence and the next step, not a page:\n"
      << ran.err;
}

INSTANTIATE_TEST_SUITE_P(
    Cli, BadCommands,
    ::testing::Values(
        BadCommand{"unknown_lab", {"lab9.2"}, 2, "lab9.1"},
        BadCommand{"mistyped_command", {"tabel", "lab9.1"}, 2, "table"},
        BadCommand{"unknown_level", {"lab9.1", "--level", "7"}, 2, "level"},
        BadCommand{"level_no_number", {"lab9.1", "--level", "one"}, 2, "level"},
        BadCommand{"level_negative", {"lab9.1", "--level", "-1"}, 2, "level"},
        BadCommand{"unknown_backend", {"lab9.1", "--backend", "tpu"}, 2, "emu"},
        BadCommand{"unknown_case", {"lab9.1", "--case", "n1001"}, 2, "n1000"},
        BadCommand{"folder_missing", {"grade", "lab9.1", "--from", "/nowhere"}, 2, "/nowhere"},
        BadCommand{"unknown_table", {"table", "lab9.1", "--id", "size"}, 2, "sizes"},
        BadCommand{"unknown_format", {"table", "lab9.1", "--format", "docx"}, 2, "latex"},
        BadCommand{"samples_zero", {"table", "lab9.1", "--samples", "0"}, 2, "samples"},
        BadCommand{"no_table_measured_yet", {"table", "lab9.1", "--last"}, 2, "grader table"},
        BadCommand{"gold_case_without_folder", {"gold", "lab9.1", "--case", "n1000"}, 2, "--to FOLDER"},
        BadCommand{"gold_of_unknown_case", {"gold", "lab9.1", "--case", "x", "--to", "d"}, 2, "n1000"},
        BadCommand{"unknown_part", {"hint", "lab9.1", "--part", "5"}, 2, "part"}),
    [](const auto& tested) { return tested.param.name; });

TEST(LabToml, BrokenOneIsShownWithLineAndCaret) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path());
  std::string text = testing::small_lab_toml();
  text.replace(text.find("levels = 1"), 10, "levels = \"one\"");
  testing::write_file(kit / "labs/lab9.1-double/lab.toml", text);
  testing::User user(kit);
  const Ran ran = user.grader({"lab9.1"});
  EXPECT_EQ(ran.exit_code, 4) << "it is the kit's fault\n" << ran.out;
  EXPECT_NE(ran.err.find("lab.toml:7:"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find('^'), std::string::npos) << ran.err;
  const Ran list = user.grader({"list"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_NE(list.out.find("lab9.1 can't be used"), std::string::npos) << list.out;
  EXPECT_EQ(user.grader({"gold", "--check"}).exit_code, 4) << "what was left out is no success";
}

TEST(RecordsFile, ThatIsNoDatabaseIsLeftAlone) {
  const testing::TemporaryFolder folder;
  testing::User user(testing::write_small_kit(folder.path()));
  ASSERT_EQ(user.grader({"lab9.1", "--backend", "emu"}).exit_code, 0);
  fs::path records;
  for (const auto& entry : fs::directory_iterator(user.state()))
    if (entry.path().extension() == ".sqlite" || entry.path().extension() == ".db") records = entry.path();
  ASSERT_FALSE(records.empty()) << "no records file in " << user.state();
  const std::string text(5000, 'x');
  testing::write_file(records, text);
  const Ran ran = user.grader({"results"});
  EXPECT_EQ(ran.exit_code, 2) << ran.out << ran.err;
  EXPECT_EQ(testing::read_file(records), text) << "the file is not ours to overwrite";
}

TEST(StudentsFile, UnreadableOrMissingIsSaid) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path());
  fs::remove(testing::students_file(kit));
  const Ran ran = testing::User(kit).grader({"lab9.1"});
  EXPECT_EQ(ran.exit_code, 2) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("reset"), std::string::npos) << "the next step puts the skeleton back:\n" << ran.err;
}

TEST(Reset, KeepsTheStudentsFile) {
  const testing::TemporaryFolder folder;
  const fs::path kit = testing::write_small_kit(folder.path(), "// my night's work\n");
  testing::User user(kit);
  const Ran ran = user.grader({"reset", "lab9.1"});
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_NE(testing::read_file(testing::students_file(kit)).find("LAB_TODO"), std::string::npos);
  bool kept = false;
  for (const auto& entry : fs::recursive_directory_iterator(user.state()))
    if (entry.is_regular_file()) kept |= testing::read_file(entry.path()) == "// my night's work\n";
  EXPECT_TRUE(kept) << ran.out;
}

TEST(Hints, ComeOneMoreEachTime) {
  const testing::TemporaryFolder folder;
  testing::User user(testing::write_small_kit(folder.path()));
  const std::string first = user.grader({"hint", "lab9.1"}).out, second = user.grader({"hint", "lab9.1"}).out,
                    third = user.grader({"hint", "lab9.1"}).out;
  EXPECT_NE(first.find("Each thread has one element"), std::string::npos) << first;
  EXPECT_EQ(first.find("Which one"), std::string::npos) << first;
  EXPECT_NE(second.find("Which one"), std::string::npos) << second;
  EXPECT_NE(third.find("y[i] = 2 * x[i]"), std::string::npos) << third;
}

}  // namespace
}  // namespace grader
