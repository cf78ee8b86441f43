#include "workspace/workspace.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "base/files.hpp"
#include "catalog/test_kit.hpp"
#include "model/grading.hpp"
#include "workspace/editor_files.hpp"
#include "workspace/hints.hpp"

namespace grader {
namespace workspace_test {

struct WorkspaceTest : testing::Test {
  TestKit kit;
  Lab lab = kit.lab();

  WorkspaceTest() { open_workspace(kit.kit, lab, 1); }
  Submission read(Origin origin = Origin::student, const fs::path& folder = {}) const {
    return read_submission(kit.kit, lab, 1, origin, folder);
  }
};

TEST_F(WorkspaceTest, IsMadeOnceAndSaysWhatItIs) {
  const Workspace again = open_workspace(kit.kit, lab, 1);
  EXPECT_FALSE(again.made);
  EXPECT_EQ(again.note, "");
  EXPECT_EQ(kit.names("work/lab1.1"), std::vector<std::string>{"level1"});
  const std::string note = kit.read("work/lab1.1/level1/.workspace.toml");
  EXPECT_NE(note.find("lab = \"lab1.1\"\nlevel = 1\nkit = \""), std::string::npos) << note;
  EXPECT_EQ(kit.read("labs/lab1.1-scale/level1/scale.cu"), TestKit::level1);
}

TEST_F(WorkspaceTest, EditorsFilesAreNoPartOfASubmission) {
  const std::string clangd = kit.read("work/lab1.1/level1/.clangd");
  EXPECT_NE(clangd.find("- cuemu/editor.h\n"), std::string::npos) << clangd;
  const std::string tasks = kit.read("work/lab1.1/level1/.vscode/tasks.json");
  EXPECT_NE(tasks.find("\"lab1.1.1\""), std::string::npos) << tasks;
  EXPECT_TRUE(workspace_changes(kit.kit, lab, 1).empty());
  for (const SubmissionFile& file : read().files) EXPECT_FALSE(is_hidden(file.name)) << file.name;
}

TEST_F(WorkspaceTest, DumpsAndTheirPagesAreNoPartOfASubmission) {
  kit.write("work/lab1.1/level1/scale.frames", "");
  kit.write("work/lab1.1/level1/scale.html", "");
  fs::resize_file(kit.work(1) / "scale.frames", submission_limits.file_bytes + 1);
  EXPECT_EQ(read().files.size(), 2u);
}

TEST_F(WorkspaceTest, ProgramsThatAStudentHasBuiltAreNoPartOfASubmission) {
  kit.write("work/lab1.1/level1/a.out",
            "\x7f"
            "ELF");
  fs::resize_file(kit.work(1) / "a.out", submission_limits.file_bytes + 1);
  EXPECT_EQ(read().files.size(), 2u);
}

TEST_F(WorkspaceTest, ASourceThatIsGoneIsNamedWithTheWayBack) {
  fs::remove(kit.work(1) / "scale.h");
  try {
    need_whole(kit.kit, read());
    ADD_FAILURE() << "whole";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("scale.h is missing in "), std::string::npos) << e.what();
    EXPECT_NE(e.next_step().find("cp '"), std::string::npos) << e.next_step();
    EXPECT_NE(e.next_step().find("given/scale.h' '"), std::string::npos) << e.next_step();
  }
}

TEST_F(WorkspaceTest, TheKitCompletesASingleFile) {
  kit.write("handed/scale.cu", TestKit::level1);
  const Submission submission = read(Origin::folder, kit.path / "handed");
  ASSERT_EQ(submission.files.size(), 2u);
  EXPECT_EQ(submission.files[1].name, "scale.h");
  kit.write("other/main.cu", "int main() {}\n");
  EXPECT_EQ(read(Origin::folder, kit.path / "other").files.size(), 1u);
}

TEST_F(WorkspaceTest, EditorsFilesAreJsonWithComments) {
  int read = 0;
  for (const EditorFile& file : editor_files(kit.kit, lab, 1)) {
    if (file.name.extension() != ".json") continue;
    EXPECT_FALSE(nlohmann::json::parse(file.text, nullptr, false, true).is_discarded()) << file.text;
    ++read;
  }
  EXPECT_EQ(read, 3);
}

TEST_F(WorkspaceTest, EditorsFilesThatAStudentTookOverStay) {
  const std::string before = kit.read("work/lab1.1/level1/.clangd");
  kit.write("work/lab1.1/level1/.vscode/settings.json", "{}\n");               // lacks the kit's line
  kit.write("work/lab1.1/level1/.clangd", before + "# of a kit elsewhere\n");  // has the kit's line
  fs::remove(kit.work(1) / ".vscode/tasks.json");

  open_workspace(kit.kit, lab, 1);
  EXPECT_EQ(kit.read("work/lab1.1/level1/.clangd"), before);
  EXPECT_FALSE(fs::exists(kit.work(1) / ".vscode/tasks.json"));  // deleted by the user, so not created again
  reset_level(kit.kit, lab, 1);
  EXPECT_TRUE(fs::exists(kit.work(1) / ".vscode/tasks.json"));
  EXPECT_EQ(kit.read("work/lab1.1/level1/.vscode/settings.json"), "{}\n");

  kit.write("work/lab1.1/level1/scale.cu", "my work\n");
  reset_level(kit.kit, lab, 1);
  EXPECT_EQ(kit.read("work/lab1.1/level1/.vscode/settings.json"), "{}\n");
}

/// The fields of the first pattern that matches a line: file, line, column, severity, message.
std::vector<std::string> matched(const std::string& line) {
  for (const ProblemPattern& pattern : problem_patterns()) {
    std::smatch match;
    if (!std::regex_match(line, match, std::regex(pattern.regexp))) continue;
    std::vector<std::string> found;
    for (const int group : {pattern.file, pattern.line, pattern.column, pattern.severity, pattern.message})
      found.push_back(group == 0 ? "" : match[static_cast<std::size_t>(group)].str());
    return found;
  }
  return {};
}

TEST(ProblemPatterns, ReadWhatCompilersPrint) {
  using Found = std::vector<std::string>;
  EXPECT_EQ(matched("k.cu:63:21: error: ‘foo’ was not declared in this scope"),
            (Found{"k.cu", "63", "21", "error", "‘foo’ was not declared in this scope"}));
  EXPECT_EQ(matched("a/k.h:3:10: fatal error: x.h: No such file or directory"),
            (Found{"a/k.h", "3", "10", "error", "x.h: No such file or directory"}));
  EXPECT_EQ(matched("n.cu(2): error: identifier \"foo\" is undefined"),
            (Found{"n.cu", "2", "", "error", "identifier \"foo\" is undefined"}));
  EXPECT_EQ(matched("n.cu(3): warning #177-D: variable \"x\" was declared but never referenced"),
            (Found{"n.cu", "3", "", "warning", "variable \"x\" was declared but never referenced"}));
  EXPECT_EQ(matched("/kit/common/lab/include/lab/timer.hpp:3:1: note: declared here"),
            (Found{"/kit/common/lab/include/lab/timer.hpp", "3", "1", "note", "declared here"}));
  for (const char* other :
       {"   63 |     int oops = \"x\"; foo();", "Next: write it; for a hint: grader hint lab1.1",
        "  write by thread (0,0,0)   matrixmul_kernel.cu:61", "lab1.1  Matrix product"})
    EXPECT_EQ(matched(other), Found()) << other;
}

TEST_F(WorkspaceTest, ReadingBeforeThereIsOneGivesTheSkeletonAndWritesNothing) {
  EXPECT_EQ(read_submission(kit.kit, lab, 2, Origin::student).files[0].text, TestKit::level2);
  EXPECT_FALSE(fs::exists(kit.work(2)));
}

TEST_F(WorkspaceTest, SaysWhenTheSkeletonIsAnotherOneNow) {
  kit.write("labs/lab1.1-scale/given/scale.h", "#pragma once\n// new\n");
  EXPECT_NE(open_workspace(kit.kit, lab, 1).note.find("has changed since you began"), std::string::npos);
}

TEST_F(WorkspaceTest, RefusesTheFolderOfAnotherLevel) {
  fs::rename(kit.work(1), kit.work(2));
  EXPECT_THAT([&] { open_workspace(kit.kit, lab, 2); },
              throws_error(ErrorKind::usage, "is the folder of lab1.1 level 1, not of lab1.1 level 2"));
}

TEST_F(WorkspaceTest, LiesWhereTheEnvironmentSays) {
  setenv("GRADER_WORKSPACE", (kit.path / "mine").c_str(), 1);
  const Workspace workspace = open_workspace(kit.kit, lab, 1);
  unsetenv("GRADER_WORKSPACE");
  EXPECT_EQ(workspace.folder, kit.path / "mine/lab1.1/level1");
  EXPECT_TRUE(workspace.made);
}

TEST_F(WorkspaceTest, TwoAtOnceMakeItOnce) {
  Workspace first, second;
  std::thread other([&] { first = open_workspace(kit.kit, lab, 2); });
  second = open_workspace(kit.kit, lab, 2);
  other.join();
  EXPECT_NE(first.made, second.made);
}

TEST_F(WorkspaceTest, ShowsWhatAStudentChanged) {
  EXPECT_TRUE(workspace_changes(kit.kit, lab, 1).empty());
  const std::string text = TestKit::level1;
  std::string filled = text;
  kit.write("work/lab1.1/level1/scale.cu",
            filled.replace(filled.find("LAB_TODO(1);"), 12, "v[i] += v[i];\n// done"));
  auto changes = workspace_changes(kit.kit, lab, 1);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_FALSE(changes[0].outside_blanks);
  EXPECT_NE(changes[0].diff.find("-LAB_TODO(1);\n+v[i] += v[i];"), std::string::npos) << changes[0].diff;
  EXPECT_NE(changes[0].diff.find("+++ yours/scale.cu"), std::string::npos);

  std::string outside = text;
  kit.write("work/lab1.1/level1/scale.cu", outside.replace(outside.find("blocks = 1"), 10, "blocks = 2"));
  kit.write("work/lab1.1/level1/notes.txt", "mine\n");
  fs::remove(kit.work(1) / "scale.h");
  changes = workspace_changes(kit.kit, lab, 1);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_TRUE(changes[0].added);
  EXPECT_TRUE(changes[1].outside_blanks);
  EXPECT_TRUE(changes[2].removed);
}

TEST_F(WorkspaceTest, ReadsAStudentsLevel) {
  kit.write("work/lab1.1/level1/data/in.txt", "LAB_TODO(2)");
  kit.write("work/lab1.1/level1/.scale.cu.swp", "x");
  const Submission submission = read();
  EXPECT_EQ(submission.folder, kit.work(1));
  ASSERT_EQ(submission.files.size(), 3u);
  EXPECT_EQ(submission.files[0].name, "data/in.txt");
  EXPECT_EQ(submission.files[1].text, TestKit::level1);
  EXPECT_EQ(submission.sources(), std::vector<fs::path>{"scale.cu"});
  ASSERT_EQ(submission.todo.size(), 1u);
  EXPECT_EQ(submission.todo[0].part, 1);
  EXPECT_EQ(submission.todo[0].line, 3u);
  EXPECT_EQ(submission.sha256.size(), 64u);
}

TEST_F(WorkspaceTest, ReadsTheSolution) {
  const Submission submission = read(Origin::solution);
  ASSERT_EQ(submission.files.size(), 2u);
  EXPECT_EQ(submission.files[0].text, TestKit::solution);
  EXPECT_TRUE(submission.todo.empty());
}

TEST_F(WorkspaceTest, TheDigestIsOfNamesAndContents) {
  const std::string before = read().sha256;
  EXPECT_EQ(read(Origin::folder, kit.work(1)).sha256, before);
  fs::rename(kit.work(1) / "scale.h", kit.work(1) / "scalf.h");
  const std::string renamed = read().sha256;
  EXPECT_NE(renamed, before);
  kit.write("work/lab1.1/level1/scalf.h", "#pragma  once\n");
  EXPECT_NE(read().sha256, renamed);
}

TEST_F(WorkspaceTest, SaysWhatIsWrongWithAFolder) {
  EXPECT_THAT([&] { read(Origin::folder, kit.path / "none"); },
              throws_error(ErrorKind::usage, "does not exist"));
  EXPECT_THAT([&] { read(Origin::folder, kit.work(1) / "scale.h"); },
              throws_error(ErrorKind::usage, "is not a folder"));
  fs::remove(kit.work(1) / "scale.cu");
  EXPECT_THAT([&] { read(); }, throws_error(ErrorKind::usage, "holds no .cu or .cpp file"));
  EXPECT_THAT([&] { read(); }, throws_error(ErrorKind::usage, "grader reset lab1.1.1"));
  EXPECT_NO_THROW(read_files(kit.work(1))) << "a header may be all that a level leaves blank";
  fs::remove(kit.work(1) / "scale.h");
  EXPECT_THAT([&] { read_files(kit.work(1)); }, throws_error(ErrorKind::usage, "holds no source"));
}

TEST_F(WorkspaceTest, KeepsItsLimits) {
  kit.write("work/lab1.1/level1/core", std::string((4 << 20) + 1, 'x'));
  EXPECT_THAT([&] { read(); }, throws_error(ErrorKind::usage, "core is larger than 4096 KiB"));
  fs::remove(kit.work(1) / "core");
  for (int i = 0; i < 9; ++i)
    kit.write(fmt::format("work/lab1.1/level1/data{}", i), std::string(4 << 20, 'x'));
  EXPECT_THAT([&] { read(); }, throws_error(ErrorKind::usage, "more than 32 MiB"));
  for (int i = 0; i < 199; ++i) kit.write(fmt::format("work/lab1.1/level1/data{}", i), "x");
  EXPECT_THAT([&] { read(); }, throws_error(ErrorKind::usage, "more than 200 files"));
}

TEST_F(WorkspaceTest, LinksStayInside) {
  fs::create_symlink("scale.h", kit.work(1) / "inside.h");
  EXPECT_EQ(read().files.size(), 3u);
  const fs::path link = kit.work(1) / "link.cu";
  fs::create_symlink("/etc/passwd", link);
  EXPECT_THAT([&] { read(); }, throws_error(ErrorKind::usage, "links to a place outside"));
  fs::remove(link);
  kit.write("work/lab1.1/level2/scale.cu", "x");
  fs::create_symlink("../level2/scale.cu", link);
  EXPECT_THAT([&] { read(); }, throws_error(ErrorKind::usage, "links to a place outside"));
  fs::remove(link);
  fs::create_symlink("gone", link);
  EXPECT_THAT([&] { read(); }, throws_error(ErrorKind::usage, "is a link to nothing"));
  fs::remove(link);
  fs::create_directory_symlink(".", link);
  EXPECT_THAT([&] { read(); }, throws_error(ErrorKind::usage, "expected a file"));
  fs::remove(link);
  ASSERT_EQ(mkfifo(link.c_str(), 0600), 0);
  EXPECT_THAT([&] { read(); }, throws_error(ErrorKind::usage, "a pipe"));
}

TEST_F(WorkspaceTest, ResetKeepsTheStudentsWork) {
  EXPECT_EQ(reset_level(kit.kit, lab, 1), fs::path());
  kit.write("work/lab1.1/level1/scale.cu", "my work\n");
  kit.write("work/lab1.1/level1/extra.cu", "more\n");
  const fs::path backup = reset_level(kit.kit, lab, 1).lexically_relative(kit.path);
  EXPECT_EQ(kit.read(backup / "scale.cu"), "my work\n");
  EXPECT_EQ(kit.read(backup / "extra.cu"), "more\n");
  EXPECT_EQ(kit.read("work/lab1.1/level1/scale.cu"), TestKit::level1);
  EXPECT_FALSE(fs::exists(kit.work(1) / "extra.cu"));
  EXPECT_EQ(reset_level(kit.kit, lab, 1), fs::path());
}

TEST_F(WorkspaceTest, ResetBringsBackADeletedLevel) {
  bool changed = true;
  reset_level(kit.kit, lab, 1, &changed);
  EXPECT_FALSE(changed);
  fs::remove_all(kit.work(1));
  EXPECT_EQ(reset_level(kit.kit, lab, 1, &changed), fs::path());
  EXPECT_TRUE(changed);
  EXPECT_EQ(kit.read("work/lab1.1/level1/scale.cu"), TestKit::level1);
}

TEST_F(WorkspaceTest, ResetDoesNotWriteThroughALink) {
  kit.write("elsewhere.cu", "precious\n");
  fs::remove(kit.work(1) / "scale.cu");
  fs::create_symlink(kit.path / "elsewhere.cu", kit.work(1) / "scale.cu");
  reset_level(kit.kit, lab, 1);
  EXPECT_EQ(kit.read("elsewhere.cu"), "precious\n");
  EXPECT_EQ(kit.read("work/lab1.1/level1/scale.cu"), TestKit::level1);
}

TEST_F(WorkspaceTest, ResetWorksInAKitWithoutSolutions) {
  fs::remove_all(kit.path / "solutions");
  kit.write("work/lab1.1/level1/scale.cu", "my work\n");
  EXPECT_FALSE(reset_level(kit.kit, lab, 1).empty());
  EXPECT_EQ(kit.read("work/lab1.1/level1/scale.cu"), TestKit::level1);
}

TEST_F(WorkspaceTest, ResetWithoutAnySkeletonChangesNothing) {
  fs::remove_all(kit.path / "solutions");
  fs::remove_all(kit.level(1));
  kit.write("work/lab1.1/level1/scale.cu", "my work\n");
  EXPECT_THAT([&] { reset_level(kit.kit, lab, 1); },
              throws_error(ErrorKind::environment, "from a fresh copy of the kit"));
  EXPECT_EQ(kit.read("work/lab1.1/level1/scale.cu"), "my work\n");
}

TEST_F(WorkspaceTest, TwoResetsAtOnceKeepEverything) {
  kit.write("work/lab1.1/level1/scale.cu", "my work\n");
  fs::path first, second;
  std::thread other([&] { first = reset_level(kit.kit, lab, 1); });
  second = reset_level(kit.kit, lab, 1);
  other.join();
  EXPECT_NE(first.empty(), second.empty());
  EXPECT_EQ(kit.read((first.empty() ? second : first).lexically_relative(kit.path) / "scale.cu"),
            "my work\n");
}

// -- hints --------------------------------------------------------------------------------------------------

TEST_F(WorkspaceTest, EachHintIsOneMore) {
  EXPECT_EQ(next_hint(kit.kit, lab, 1, 0).size(), 1u);
  const auto hints = next_hint(kit.kit, lab, 1, 0);
  ASSERT_EQ(hints.size(), 2u);
  EXPECT_EQ(hints[1].text, "second");
  EXPECT_EQ(hints[1].number, 2);
  EXPECT_EQ(hints[1].of, 2);
  EXPECT_EQ(hints[1].part, 1);
  EXPECT_EQ(hints[1].part_title, "Kernel");
  EXPECT_EQ(next_hint(kit.kit, lab, 1, 0).size(), 2u);
}

TEST_F(WorkspaceTest, TheHintIsForTheFirstPartStillToDo) {
  lab.parts[1].hints = {"for two"};
  kit.write("work/lab1.1/level2/scale.cu", "LAB_TODO(2);\n");
  EXPECT_EQ(next_hint(kit.kit, lab, 2, 0).at(0).part, 2);
  kit.write("work/lab1.1/level2/scale.cu", "done\n");
  EXPECT_EQ(next_hint(kit.kit, lab, 2, 0).at(0).part, 1);
  EXPECT_EQ(next_hint(kit.kit, lab, 2, 2).at(0).text, "for two");
}

TEST_F(WorkspaceTest, HintsAreCountedForEachLevel) {
  next_hint(kit.kit, lab, 1, 1);
  EXPECT_EQ(next_hint(kit.kit, lab, 1, 1).size(), 2u);
  EXPECT_EQ(next_hint(kit.kit, lab, 2, 1).size(), 1u);
}

TEST_F(WorkspaceTest, APartWithoutHintsOrOutOfRange) {
  EXPECT_TRUE(next_hint(kit.kit, lab, 1, 2).empty());
  EXPECT_THAT([&] { next_hint(kit.kit, lab, 1, 3); },
              throws_error(ErrorKind::usage, "has parts 1 to 2, not part 3"));
  EXPECT_THAT([&] { next_hint(kit.kit, lab, 1, -1); }, throws_error(ErrorKind::usage, "not part -1"));
}

TEST_F(WorkspaceTest, ADamagedHintsFileStartsAgainWithANote) {
  next_hint(kit.kit, lab, 1, 1);
  for (const char* damaged : {"", "{", "[]", "{\"format\": 2}", "{\"format\": 1, \"shown\": 3}"}) {
    kit.write(".grader/hints.json", damaged);
    std::string note;
    EXPECT_EQ(next_hint(kit.kit, lab, 1, 1, &note).size(), 1u) << damaged;
    EXPECT_NE(note.find("damaged"), std::string::npos) << damaged;
  }
  kit.write(".grader/hints.json", "{\"format\": 1, \"shown\": {\"lab1.1\": {\"1\": -7}, \"lab2\": 3}}");
  std::string note;
  EXPECT_EQ(next_hint(kit.kit, lab, 1, 1, &note).size(), 1u);
  EXPECT_EQ(note, "");
}

TEST_F(WorkspaceTest, TwoHintsAtOnceBothCount) {
  lab.parts[0].hints.assign(40, "h");
  const auto work = [&] {
    for (int i = 0; i < 10; ++i) next_hint(kit.kit, lab, 1, 1);
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(next_hint(kit.kit, lab, 1, 1).size(), 21u);
}

}  // namespace workspace_test
}  // namespace grader
