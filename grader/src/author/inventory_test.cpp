#include "author/inventory.hpp"

#include <gtest/gtest.h>

#include "catalog/test_kit.hpp"
#include "check/still_origin.hpp"

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Words = std::vector<std::string>;

struct InventoryTest : testing::Test {
  TestKit kit;

  InventoryTest() {
    replace("labs/lab1.1-scale/lab.toml", "title = \"Launch\"\n", "title = \"Launch\"\nhints = [\"h\"]\n");
    replace("labs/lab1.1-scale/lab.toml", "id = \"lines\"\n", "id = \"lines\"\nchecked = []\n");
    kit.write("labs/lab1.1-scale/oracle/oracle.cpp", "int main() {}\n");
    kit.write("solutions/lab1.1-scale/wrong.toml",
              "format = 1\n[[wrong]]\nname = \"a\"\ntitle = \"a\"\nfile = \"scale.cu\"\nfind = \"v[i] *= "
              "2;\"\nreplace = \"\"\nverdict = \"wrong_answer\"\n");
  }
  void replace(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = kit.read(file);
    kit.write(file, text.replace(text.find(from), from.size(), to));
  }
  Words problems() const { return inventory_problems(kit.kit, Catalog::load(kit.kit)); }
};

TEST_F(InventoryTest, ACompleteLabHasNone) {
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(InventoryTest, EachFileIsMissed) {
  fs::remove(kit.path / "labs/lab1.1-scale/README.md");
  fs::remove(kit.path / "labs/lab1.1-scale/oracle/oracle.cpp");
  fs::remove(kit.path / "labs/lab1.1-scale/level1/scale.cu");
  kit.write("labs/lab1.1-scale/level2/scale.cu", "#include \"scale.h\"\n\n");
  fs::remove(kit.path / "solutions/lab1.1-scale/wrong.toml");
  EXPECT_THAT(problems(),
              ElementsAre(HasSubstr("labs/lab1.1-scale/README.md: missing or empty; expected the handout"),
                          HasSubstr("labs/lab1.1-scale/lab.toml: part 1 (\"Kernel\") counts at level 2"),
                          HasSubstr("labs/lab1.1-scale/lab.toml: part 2 (\"Launch\") counts at level 2"),
                          HasSubstr("labs/lab1.1-scale/level1: level 1 has no blanks"),
                          HasSubstr("labs/lab1.1-scale/level2/scale.cu: nothing is blank in it"),
                          HasSubstr("labs/lab1.1-scale/oracle: no .cpp file"),
                          HasSubstr("wrong.toml does not exist")));
}

TEST_F(InventoryTest, ACaseSaysWhetherTheCheckerRuns) {
  replace("labs/lab1.1-scale/lab.toml", "checked = []\n", "");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("case \"lines\" may be right by luck")));
  replace("labs/lab1.1-scale/lab.toml", "id = \"lines\"\n", "id = \"lines\"\nunchecked = \"a reason\"\n");
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(InventoryTest, AMissingSolutionIsOneProblem) {
  fs::remove_all(kit.path / "solutions");
  EXPECT_THAT(problems(), testing::Contains(HasSubstr("expected the solution of lab1.1")));
}

TEST_F(InventoryTest, GoldCasesNeedTheirArrays) {
  replace("labs/lab1.1-scale/lab.toml", "[[part]]", "[data]\ninputs = [\"X\"]\noutput = \"Y\"\n[[part]]");
  replace("labs/lab1.1-scale/lab.toml", "id = \"lines\"", "id = \"n8\"\nverify = \"gold\"\nseed = 1");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("gold/lab1.1-scale/manifest.toml: missing"),
                                      HasSubstr("gold/lab1.1-scale/n8/X.npy: missing"),
                                      HasSubstr("gold/lab1.1-scale/n8/Y.npy: missing")));
  for (const char* file : {"manifest.toml", "n8/X.npy", "n8/Y.npy"})
    kit.write(fs::path("gold/lab1.1-scale") / file, "x");
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(InventoryTest, AHandoutWithQuestionsNeedsAnswers) {
  kit.write("solutions/lab1.1-scale/ANSWERS.md", "1. Twice.\n");
  EXPECT_THAT(problems(), IsEmpty()) << "it is known where it is not needed";
  fs::remove(kit.path / "solutions/lab1.1-scale/ANSWERS.md");
  kit.write("labs/lab1.1-scale/README.md", "# Scale\n\n## Questions to think about\n\n1. How often?\n");
  EXPECT_THAT(problems(),
              ElementsAre(HasSubstr("solutions/lab1.1-scale/ANSWERS.md: missing or empty; expected the "
                                    "answers to the handout's questions")));
}

TEST_F(InventoryTest, FiguresAndPeersAreKnownWhereTheHandoutLinksToThem) {
  kit.write("labs/lab1.1-scale/README.md",
            "![tree](figures/tree.svg) and [peer](peer/cub.cu), [lab](../lab0/README.md)\n");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("labs/lab1.1-scale/figures/tree.svg: missing"),
                                      HasSubstr("labs/lab1.1-scale/peer/cub.cu: missing")));
  kit.write("labs/lab1.1-scale/figures/tree.svg", "x");
  kit.write("labs/lab1.1-scale/peer/cub.cu", "x");
  EXPECT_THAT(problems(), IsEmpty());
  kit.write("labs/lab1.1-scale/figures/old.svg", "x");
  EXPECT_THAT(problems(), ElementsAre("labs/lab1.1-scale/figures/old.svg: stray: it belongs to no lab"));
}

/// A still image contains its origin. The inventory compares only the origin, without a run.
TEST_F(InventoryTest, AStillIsThatOfThePresentSolution) {
  const Kit its{kit.path};
  const auto write_still = [&] {
    const Catalog catalog = Catalog::load(its);
    const Lab& lab = catalog.labs().front();
    kit.write("labs/lab1.1-scale/figures/seen.svg",
              "<svg><metadata>" + still_origin(read_submission(its, lab, 1, Origin::solution, "")) +
                  "</metadata></svg>");
  };
  replace("labs/lab1.1-scale/lab.toml", "[[part]]",
          "[view]\nstory = \"Who writes.\"\n[[view.panel]]\ndraws = \"threads\"\n[[part]]");
  EXPECT_THAT(
      problems(),
      ElementsAre(HasSubstr("README.md: does not show the still; expected ![Who writes.]("),
                  HasSubstr("figures/seen.svg: missing or empty; expected the still that lab.toml declares "
                            "(grader view lab1.1 --solution --still labs/lab1.1-scale/figures/seen.svg)")));
  kit.write("labs/lab1.1-scale/README.md", "![Who writes.](figures/seen.svg)\n");
  write_still();
  EXPECT_THAT(problems(), IsEmpty());
  replace("labs/lab1.1-scale/lab.toml", "\"threads\"", "\"threads\"\ntitle = \"Threads\"");
  EXPECT_THAT(problems(),
              ElementsAre(HasSubstr("figures/seen.svg: out of date; make it anew: grader view lab1.1")));
  write_still();
  EXPECT_THAT(problems(), IsEmpty());
  kit.write("labs/lab1.1-scale/oracle/oracle.cpp", "int main() { return 0; }\n");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("figures/seen.svg: out of date")));
}

TEST_F(InventoryTest, PeersThatAreDeclaredMustBeThere) {
  const std::string peer = "[[peer]]\nname = \"p\"\ntitle = \"P\"\n";
  replace("labs/lab1.1-scale/lab.toml", "[[case]]", peer + "source = \"cub.cu\"\n[[case]]");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("labs/lab1.1-scale/peer/cub.cu: missing")));
  kit.write("labs/lab1.1-scale/peer/cub.cu", "x");
  EXPECT_THAT(problems(), IsEmpty());
  replace("labs/lab1.1-scale/lab.toml", "source = \"cub.cu\"", "lab = \"lab7\"");
  EXPECT_THAT(problems(),
              testing::Contains(HasSubstr("the solution of \"lab7\", which is not a lab of the kit")));
}

TEST_F(InventoryTest, ALabMayHaveTests) {
  kit.write("labs/lab1.1-scale/tests/rules_test.cpp", "x");
  EXPECT_THAT(problems(), IsEmpty());
  kit.write("labs/lab1.1-scale/tests/rules.txt", "x");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("labs/lab1.1-scale/tests/rules.txt: stray")));
}

TEST_F(InventoryTest, UndeclaredFilesAreNamed) {
  for (const char* file :
       {"labs/notes.txt", "labs/scratch/a/b.cu", "labs/lab1.1-scale/a.out", "labs/lab1.1-scale/level1/old.cu",
        "labs/lab1.1-scale/oracle/data.bin", "solutions/lab1.1-scale/notes.md", "solutions/lab9.9-gone/x.cu",
        "gold/lab1.1-scale/n8/X.npy", "gold/.gitkeep"}) {
    kit.write(file, "x");
  }
  EXPECT_THAT(problems(),
              ElementsAre("gold/lab1.1-scale/n8/X.npy: stray: it belongs to no lab",
                          "labs/lab1.1-scale/a.out: stray: it belongs to no lab",
                          HasSubstr("labs/lab1.1-scale/level1/old.cu: "),
                          "labs/lab1.1-scale/oracle/data.bin: stray: it belongs to no lab",
                          "labs/notes.txt: stray: it belongs to no lab",
                          "labs/scratch: undeclared: no lab.toml declares a lab of this name",
                          "solutions/lab1.1-scale/notes.md: stray: it belongs to no lab",
                          "solutions/lab9.9-gone: undeclared: no lab.toml declares a lab of this name"));
}

TEST_F(InventoryTest, WrongSolutionsMustFit) {
  replace("solutions/lab1.1-scale/wrong.toml", "v[i] *= 2;", "v[i] *= 3;");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("does not occur in scale.cu")));
  kit.write("solutions/lab1.1-scale/wrong.toml", "format = 1\n");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("lists nothing")));
}

TEST_F(InventoryTest, LevelsMustBeProved) {
  replace("labs/lab1.1-scale/level2/scale.cu", "LAB_TODO(2)", "LAB_TODO(3)");
  EXPECT_THAT(problems(),
              ElementsAre(HasSubstr("level2/scale.cu: line 6: the blank of part 2 has no LAB_TODO(2)"),
                          HasSubstr("level2/scale.cu: line 7: LAB_TODO(3) is in the blank of part 2")));
}

TEST_F(InventoryTest, HintsAndPrerequisites) {
  replace("labs/lab1.1-scale/lab.toml", "hints = [\"h\"]\n", "");
  replace("labs/lab1.1-scale/lab.toml", "levels = 2\n", "levels = 2\nprerequisites = [\"lab0\"]\n");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("part 2 has no hints"),
                                      HasSubstr("prerequisite \"lab0\" is not another lab")));
}

}  // namespace
}  // namespace grader
