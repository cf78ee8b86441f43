#include "author/release.hpp"

#include <gtest/gtest.h>

#include "author/level_maker.hpp"
#include "author/student_kit.hpp"
#include "base/files.hpp"
#include "catalog/test_kit.hpp"

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

struct ReleaseTest : testing::Test {
  TestKit kit;
  const fs::path labs = "labs/lab1.1-scale", solution = "solutions/lab1.1-scale/scale.cu";

  std::vector<std::string> problems() const {
    std::vector<std::string> out;
    for (const SkeletonProblem& problem : prove_levels(kit.kit, kit.lab()))
      out.push_back(problem.file.lexically_relative(kit.path).string() + ":" + std::to_string(problem.line) +
                    ": " + problem.what);
    return out;
  }
  void change(const fs::path& file, const std::string& from, const std::string& to) const {
    kit.write(file, replaced(kit.read(file), from, to));
  }
};

TEST_F(ReleaseTest, AProvedLabHasNoProblems) {
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(ReleaseTest, EveryWayToBeWrongIsNamed) {
  change(labs / "level1/scale.cu", "blocks = 1", "blocks = 2");
  EXPECT_THAT(problems(),
              ElementsAre(HasSubstr("labs/lab1.1-scale/level1/scale.cu:5: this line is outside the blanks")));
  kit.write(labs / "level1/scale.cu", TestKit::level1);

  fs::remove_all(kit.level(2));
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("level 2 has no blanks")));
  kit.write(labs / "level2/scale.cu", TestKit::level1);
  EXPECT_THAT(problems(),
              ElementsAre(HasSubstr("part 2 (\"Launch\") counts at level 2, but nothing is blank for it")));
  kit.write(labs / "level2/scale.cu", TestKit::level2);

  kit.write(labs / "level1/scale.cu", TestKit::level2);
  EXPECT_THAT(
      problems(),
      ElementsAre(HasSubstr("level1/scale.cu:6: part 2 is blank at level 1, where lab.toml does not")));
  kit.write(labs / "level1/scale.cu", TestKit::level1);

  kit.write(labs / "level1/old.cu", TestKit::level1);
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("level1/old.cu:0: ")));
  fs::remove(kit.level(1) / "old.cu");

  kit.write("solutions/lab1.1-scale/host.cu", "int main() {}\n");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("host.cu:0: it is blank at no level; it belongs in")));
  fs::remove(kit.path / "solutions/lab1.1-scale/host.cu");

  kit.write(labs / "level3/scale.cu", TestKit::level1);
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("level3:0: lab.toml says levels = 2")));
  fs::remove_all(kit.path / labs / "level3");

  change(labs / "given/scale.h", "#pragma once\n", "#pragma once\ninline void f() { LAB_TODO(1); }\n");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("given/scale.h:2: LAB_TODO(1) is in the solution")));
  kit.write(labs / "given/scale.h", "#pragma once\n");

  change(labs / "lab.toml", "[[part]]", "[[level]]\nid = 1\ncomplete = [\"scale.cu\", \"no.cu\"]\n[[part]]");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("scale.cu is `complete` at level 1, but it has blanks there"),
                                      HasSubstr("no.cu is `complete` at level 1, but it is not a file of")));
}

TEST_F(ReleaseTest, AChangeOfTheSolutionReachesEveryLevel) {
  if (!kit.commit()) GTEST_SKIP() << "no git";
  change(solution, "#include \"scale.h\"\n", "// Doubles.\n#include \"scale.h\"\n");
  change(solution, "v[i] *= 2;", "v[i] += v[i];");
  const auto released = carry_solution(kit.kit, kit.lab());
  ASSERT_EQ(released.size(), 2u);
  EXPECT_TRUE(released[0].changed);
  EXPECT_THAT(problems(), IsEmpty());
  EXPECT_EQ(kit.read(labs / "level1/scale.cu"), std::string("// Doubles.\n") + TestKit::level1);
  EXPECT_THAT(carry_solution(kit.kit, kit.lab()), IsEmpty());
}

TEST_F(ReleaseTest, ASolutionThatIsCommittedAlreadyIsCarriedFromTheCommitBefore) {
  if (!kit.commit()) GTEST_SKIP() << "no git";
  change(solution, "#include \"scale.h\"\n", "// Doubles.\n#include \"scale.h\"\n");
  ASSERT_TRUE(kit.commit());
  EXPECT_EQ(carry_solution(kit.kit, kit.lab()).size(), 2u);
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(ReleaseTest, AConflictLeavesTheSkeletonAndShowsBothTexts) {
  if (!kit.commit()) GTEST_SKIP() << "no git";
  change(solution, "v[i] *= 2;\nconst int blocks = 1;", "v[i] *= 3;\nconst int blocks = 2;");
  const auto released = carry_solution(kit.kit, kit.lab());
  ASSERT_EQ(released.size(), 2u);
  EXPECT_FALSE(released[0].changed);
  ASSERT_EQ(released[0].conflicts.size(), 1u);
  EXPECT_EQ(released[0].conflicts[0].solution, "v[i] *= 3;\nconst int blocks = 2;");
  EXPECT_EQ(kit.read(labs / "level1/scale.cu"), TestKit::level1);
}

TEST_F(ReleaseTest, AProvedSolutionIsCarriedWithoutACommit) {
  remember_proved(kit.kit, kit.lab());
  change(solution, "#include \"scale.h\"\n", "// Doubles.\n#include \"scale.h\"\n");
  EXPECT_EQ(carry_solution(kit.kit, kit.lab()).size(), 2u);
  EXPECT_THAT(problems(), IsEmpty());
  EXPECT_EQ(kit.read(labs / "level1/scale.cu"), std::string("// Doubles.\n") + TestKit::level1);
}

TEST_F(ReleaseTest, WithoutACommitNothingIsTouched) {
  change(solution, "blocks = 1", "blocks = 2");
  EXPECT_THAT(carry_solution(kit.kit, kit.lab()), IsEmpty());
  EXPECT_EQ(problems().size(), 2u);
}

// -- new-level -----------------------------------------------------------------------------------------------------

TEST_F(ReleaseTest, ANewLevelFromAnotherOne) {
  EXPECT_EQ(new_level(kit.kit, kit.lab(), 3, 2, {}).files.size(), 1u);
  EXPECT_EQ(kit.lab().levels, 3);
  EXPECT_EQ(kit.read(labs / "level3/scale.cu"), TestKit::level2);
  EXPECT_THAT([&] { new_level(kit.kit, kit.lab(), 3, 2, {}); },
              throws_error(ErrorKind::usage, "exists already"));
  EXPECT_THAT([&] { new_level(kit.kit, kit.lab(), 5, 2, {}); },
              throws_error(ErrorKind::usage, "the next one is 4"));
}

TEST_F(ReleaseTest, ANewLevelFromTheSolution) {
  new_level(kit.kit, kit.lab(), 3, {}, {});
  EXPECT_THAT(kit.read(labs / "level3/scale.cu"), HasSubstr("// ---- part 2: launch (one line) ---"));
  change(labs / "lab.toml", "levels = [2]", "levels = [2, 3]");
  EXPECT_THAT(problems(), IsEmpty());

  fs::remove_all(kit.path / labs / "level3");
  new_level(kit.kit, kit.lab(), 3, {},
            {parse_blank_request("scale.cu:2-4:1"), parse_blank_request("scale.cu:4:2")});
  EXPECT_THAT(kit.read(labs / "level3/scale.cu"),
              HasSubstr("// ---- parts 1 and 2: kernel; launch (3 lines) ---"));
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(ReleaseTest, ALevelIsReplacedOnRequestAndKept) {
  kit.write(labs / "level1/old.cu", TestKit::level1);
  const NewLevel made =
      new_level(kit.kit, kit.lab(), 1, {}, {parse_blank_request("scale.cu:2-3:1")}, LevelThere::replaced);
  EXPECT_EQ(made.files.size(), 1u);
  EXPECT_FALSE(fs::exists(kit.path / labs / "level1/old.cu"));
  EXPECT_THAT(problems(), IsEmpty());
  EXPECT_EQ(read_file(made.backup / "scale.cu", 1000), TestKit::level1);
  EXPECT_TRUE(fs::exists(made.backup / "old.cu"));
}

TEST_F(ReleaseTest, ABlankThatIsNone) {
  EXPECT_THAT([] { parse_blank_request("scale.cu:2"); },
              throws_error(ErrorKind::usage, "expected FILE:FIRST-LAST:PART"));
  EXPECT_THAT(
      [&] {
        new_level(kit.kit, kit.lab(), 3, {}, {{"no.cu", 1, 1, 1}});
      },
      throws_error(ErrorKind::usage, "has no file no.cu"));
  EXPECT_THAT(
      [&] {
        new_level(kit.kit, kit.lab(), 3, {}, {{"scale.cu", 1, 9, 1}});
      },
      throws_error(ErrorKind::usage, "has lines 1 to 4"));
  EXPECT_THAT(
      [&] {
        new_level(kit.kit, kit.lab(), 3, {}, {{"scale.cu", 1, 1, 7}});
      },
      throws_error(ErrorKind::usage, "has parts 1 to 2, not part 7"));
  EXPECT_FALSE(fs::exists(kit.path / labs / "level3"));
}

// -- a kit for students --------------------------------------------------------------------------------------------

struct StudentKitTest : ReleaseTest {
  StudentKitTest() {
    change(labs / "lab.toml", "[[case]]\nid = \"lines\"\n",
           "# seen\n[[case]]\nid = \"lines\"\n\n# not seen\n[[case]]\nid = \"secret\"\nvisibility = "
           "\"hidden\"\n");
    kit.write("solutions/lab1.1-scale/wrong.toml", "format = 1\n");
    kit.write("common/lab/x.hpp", "\n");
    kit.write("CMakeLists.txt", "\n");
    kit.write("grader/src/main.cpp", "\n");
    for (const char* name : {"beginners/no-guard.txt", "attacks/forks.cu", "approved/crash.txt"})
      kit.write(std::string("grader/tests/") + name, "with a planted mistake\n");
    kit.write(
        "gold/lab1.1-scale/manifest.toml",
        "format = 1\n[[case]]\nid = \"lines\"\n[[case.file]]\nname = \"a\"\n[[case]]\nid = \"secret\"\n");
    kit.write("gold/lab1.1-scale/secret/a.npy", "s");
    kit.write("gold/lab1.1-scale/lines/a.npy", "v");
  }
  StudentKit make(const std::vector<std::string>& levels, KitFor whom = KitFor::students) const {
    const Catalog catalog = Catalog::load(kit.kit);
    return write_student_kit(kit.kit, catalog, choose_levels(catalog, levels), kit.path / "class", whom);
  }
};

TEST_F(StudentKitTest, HoldsNothingThatAnswersIt) {
  kit.write(labs / "shared/rules.hpp", "#pragma once\n");
  kit.write(labs / "tests/rules_test.cpp", "x");
  const StudentKit made = make({"2"});
  EXPECT_EQ(made.notes, std::vector<std::string>{"lab1.1: 1 of 2 cases are left out (secret)."});
  EXPECT_FALSE(fs::exists(kit.path / "class/solutions"));
  EXPECT_TRUE(fs::exists(kit.path / "class/grader/src/main.cpp"));
  EXPECT_FALSE(fs::exists(kit.path / "class/grader/tests"));
  EXPECT_FALSE(fs::exists(kit.path / "class/labs/lab1.1-scale/level1"));
  EXPECT_EQ(kit.read("class/labs/lab1.1-scale/level2/scale.cu"), TestKit::level2);
  EXPECT_EQ(kit.read("class/labs/lab1.1-scale/given/scale.h"), "#pragma once\n");
  EXPECT_EQ(kit.read("class/labs/lab1.1-scale/shared/rules.hpp"), "#pragma once\n");
  EXPECT_FALSE(fs::exists(kit.path / "class/labs/lab1.1-scale/tests"));
  EXPECT_THAT(kit.read("class/labs/lab1.1-scale/lab.toml"), testing::Not(HasSubstr("secret")));
  EXPECT_THAT(kit.read("class/labs/lab1.1-scale/lab.toml"), testing::Not(HasSubstr("not seen")));
  EXPECT_EQ(kit.read("class/gold/lab1.1-scale/manifest.toml"),
            "format = 1\n[[case]]\nid = \"lines\"\n[[case.file]]\nname = \"a\"\n");
  EXPECT_EQ(kit.names("class/gold/lab1.1-scale"), (std::vector<std::string>{"lines", "manifest.toml"}));
  const Kit there{kit.path / "class"};
  EXPECT_EQ(level_files(there, Catalog::load(there).labs().at(0), 2).size(), 3u);
}

TEST_F(StudentKitTest, HoldsTheOracleWithoutWhatItsJudgeComparesWith) {
  kit.write(labs / "oracle/judge.hpp", "j");
  kit.write(labs / "oracle/withheld/best.hpp", "b");
  make({"1"});
  EXPECT_EQ(kit.names("class/labs/lab1.1-scale/oracle"), std::vector<std::string>{"judge.hpp"});
  fs::remove_all(kit.path / "class");
  make({"1"}, KitFor::grading);
  EXPECT_EQ(kit.names("class/labs/lab1.1-scale/oracle"), (std::vector<std::string>{"judge.hpp", "withheld"}));
}

TEST_F(StudentKitTest, NeverHoldsTheAnswersToTheQuestions) {
  kit.write("solutions/lab1.1-scale/ANSWERS.md", "1. Twice.\n");
  make({"1"});
  for (const fs::path& file : list_files(kit.path / "class")) EXPECT_NE(file.filename(), "ANSWERS.md");
  fs::remove_all(kit.path / "class");
  // A kit must not contain the answers under another name, in case an author put them there by mistake.
  kit.write(labs / "given/notes.txt", "1. Twice.\n");
  EXPECT_THAT([&] { make({"1"}); }, throws_error(ErrorKind::fault, "would hand out"));
  EXPECT_FALSE(fs::exists(kit.path / "class"));
}

TEST_F(StudentKitTest, RefusesLevelsThatAnswerEachOther) {
  kit.write("solutions/lab1.1-scale/more.cu", "more();\n");
  kit.write(labs / "level2/more.cu", "// ---- part 2: m ----\nLAB_TODO(2);\n// ---- end of part 2 ----\n");
  change(labs / "lab.toml", "[[part]]", "[[level]]\nid = 1\ncomplete = [\"more.cu\"]\n[[part]]");
  EXPECT_THAT(
      [&] { make({"1,2"}); },
      throws_error(ErrorKind::usage, "Level 1 of lab1.1 hands out more.cu whole, and level 2 asks for it"));
  EXPECT_FALSE(fs::exists(kit.path / "class"));
  make({"1"});
  EXPECT_EQ(kit.read("class/labs/lab1.1-scale/level1/more.cu"), "more();\n");
}

TEST_F(StudentKitTest, RefusesWhatIsNotProvedAndAFolderThatIsThere) {
  change(labs / "level1/scale.cu", "blocks = 1", "blocks = 2");
  EXPECT_THAT([&] { make({"1"}); }, throws_error(ErrorKind::usage, "are not proved"));
  kit.write(labs / "level1/scale.cu", TestKit::level1);
  make({"1"});
  EXPECT_THAT([&] { make({"1"}); }, throws_error(ErrorKind::usage, "exists already"));
}

TEST_F(StudentKitTest, ChoosesLevels) {
  const Catalog catalog = Catalog::load(kit.kit);
  EXPECT_EQ(choose_levels(catalog, {}).at("lab1.1"), std::vector<int>{1});
  EXPECT_EQ(choose_levels(catalog, {"1", "lab1.1=1,2"}).at("lab1.1"), (std::vector<int>{1, 2}));
  EXPECT_THAT([&] { choose_levels(catalog, {"x"}); }, throws_error(ErrorKind::usage, "chooses no levels"));
  EXPECT_THAT([&] { choose_levels(catalog, {"lab1.1=7"}); },
              throws_error(ErrorKind::usage, "has levels 1 to 2, not 7"));
  EXPECT_THAT([&] { choose_levels(catalog, {"7"}); },
              throws_error(ErrorKind::usage, "No lab has such a level"));
}

}  // namespace
}  // namespace grader
