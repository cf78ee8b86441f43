#include "page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace site {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Creates a small kit on disk: a handout, a guide, a figure, a source.
class PageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root_);
    for (const char* file :
         {"labs/lab1.1-scale/figures/tiles.svg", "labs/lab1.1-scale/peer/cub.cu", "LICENSE"}) {
      fs::create_directories((root_ / file).parent_path());
      std::ofstream(root_ / file) << "x";
    }
    pages_["docs/guide.md"] = survey("docs/guide.md", "# A guide\n\n## What it costs\n");
  }
  void TearDown() override { fs::remove_all(root_); }

  Prepared handout(const std::string& markdown) {
    const fs::path file = "labs/lab1.1-scale/README.md";
    pages_[file] = survey(file, markdown);
    return prepare(pages_[file], markdown, pages_, root_);
  }

  fs::path root_;
  Pages pages_;
};

TEST(PageNames, AreMadeOfPaths) {
  EXPECT_EQ(page_id("README.md"), "index");
  EXPECT_EQ(page_id("docs/student.md"), "docs-student");
  EXPECT_EQ(page_id("labs/lab3.2-mriQ/README.md"), "labs-lab3-2-mriq");
  EXPECT_EQ(figure_name("labs/lab3.2-mriQ/figures/tiles.svg"), "labs-lab3-2-mriq-figures-tiles.svg");
}

TEST(PageNames, AnchorsAreThoseOfGitHub) {
  EXPECT_EQ(slug("What it does not see"), "what-it-does-not-see");
  EXPECT_EQ(slug("First half: 512 numbers, `x`"), "first-half-512-numbers-x");
}

TEST_F(PageTest, SurveyFindsHeadingsButNotThoseInCode) {
  const Page page = survey(
      "docs/a.md", "# Title\n```\n# of threads\n## no\n```\n\n    ## nor this\n\n## Steps\n## Steps\n");
  EXPECT_EQ(page.title, "Title");
  EXPECT_THAT(page.anchors, ElementsAre("steps", "steps-1"));
}

TEST_F(PageTest, HeadingsGetAnchorsAndNoLevelIsLeftOut) {
  const Prepared page = handout("# lab1.1 {#mine}\n\n#### Deep\n\n## Steps\n");
  EXPECT_THAT(page.text, HasSubstr("# lab1.1 {#labs-lab1-1-scale}\n"));
  EXPECT_THAT(page.text, HasSubstr("\n## Deep {#labs-lab1-1-scale--deep}\n"));
  EXPECT_THAT(page.text, HasSubstr("\n## Steps {#labs-lab1-1-scale--steps}\n"));
}

TEST_F(PageTest, AFigureIsFoundFromEveryFolder) {
  const Prepared page = handout("# a\n\n![Tiles of \"P\"](figures/tiles.svg)\n");
  EXPECT_THAT(page.errors, IsEmpty());
  EXPECT_THAT(page.figures, ElementsAre(fs::path("labs/lab1.1-scale/figures/tiles.svg")));
  EXPECT_EQ(page.figure_count, 1);
  EXPECT_THAT(
      page.text,
      HasSubstr("<img src=\"figures/labs-lab1-1-scale-figures-tiles.svg\" alt=\"Tiles of &quot;P&quot;\">"));
}

TEST_F(PageTest, AFigureThatIsMissingOrNotDescribedIsAnError) {
  EXPECT_THAT(handout("# a\n\n![Tiles](figures/tile.svg)\n").errors,
              ElementsAre("labs/lab1.1-scale/README.md:3: there is no figure figures/tile.svg"));
  EXPECT_THAT(handout("# a\n\n![](figures/tiles.svg)\n").errors,
              ElementsAre(HasSubstr(":3: a figure without a description")));
}

TEST_F(PageTest, AFoldStaysWhole) {
  const Prepared page =
      handout("# a\n\n<details><summary>Part 1: `n < 2`?</summary>\n\nA hint.\n</details>\n");
  EXPECT_EQ(page.fold_count, 1);
  EXPECT_THAT(
      page.text,
      HasSubstr(
          "\\htmlonly[block]\n<details><summary>Part 1: <code>n &lt; 2</code>?</summary>\n\\endhtmlonly"));
  EXPECT_THAT(page.text, HasSubstr("A hint.\n\n\\htmlonly[block]\n</details>\n\\endhtmlonly"));
  EXPECT_THAT(handout("# a\n\n<details><summary>Open</summary>\n\nA hint.\n").errors,
              ElementsAre(HasSubstr("without its </details>")));
}

TEST_F(PageTest, ATableWithoutAHeadGetsHeadsAtTheLeft) {
  const Prepared page =
      handout("# a\n\n| | |\n|---|---|\n| Files | `a|b`, [guide](../../docs/guide.md) |\n\nText.\n");
  EXPECT_THAT(page.text,
              HasSubstr("<tr><th>Files</th><td>`a|b`, [guide](@ref docs-guide)</td></tr>\n</table>"));
  EXPECT_THAT(page.text, HasSubstr("Text.\n"));
}

TEST_F(PageTest, LinksLeadToPagesHeadingsAndFiles) {
  const Prepared page = handout(
      "# a\n\nSee [the\nguide](../../docs/guide.md), [costs](../../docs/guide.md#what-it-costs), "
      "[here](#steps), "
      "[web](https://example.org) and [cub](peer/cub.cu).\n\n## Steps\n");
  EXPECT_THAT(page.errors, IsEmpty());
  EXPECT_THAT(page.text, HasSubstr("[the guide](@ref docs-guide), [costs](@ref docs-guide--what-it-costs), "
                                   "[here](@ref labs-lab1-1-scale--steps), [web](https://example.org) and "
                                   "[cub](@ref labs-lab1-1-scale-peer-cub-cu)."));
  EXPECT_THAT(page.listings, ElementsAre(fs::path("labs/lab1.1-scale/peer/cub.cu")));
}

TEST_F(PageTest, ADeadLinkIsAnErrorWithItsLine) {
  EXPECT_THAT(handout("# a\n\nText,\n[b](../lab9/README.md) and [c](../../docs/guide.md#prices).\n").errors,
              ElementsAre("labs/lab1.1-scale/README.md:4: the link ../lab9/README.md leads nowhere",
                          "labs/lab1.1-scale/README.md:4: the link ../../docs/guide.md#prices asks for a "
                          "heading that isn't there"));
}

TEST_F(PageTest, CodeStaysAsItIs) {
  const std::string code = "```\n[a](b) ![c](d) $`x`$ <details>\n```\n\n    [e](f)\n\n* item\n\n      more\n";
  const Prepared page = handout("# a\n\n" + code + "and `[](threadIdx, …)` too\n");
  EXPECT_THAT(page.errors, IsEmpty());
  EXPECT_THAT(page.text, HasSubstr(code));
  EXPECT_THAT(page.text, HasSubstr("`[](threadIdx, …)`"));
}

TEST_F(PageTest, FormulasInALineAndOfTheirOwn) {
  const Prepared page = handout("# a\n\nLet $`n^2`$ be.\n\n```math\n\\sum_k x_k\n```\n");
  EXPECT_EQ(page.formula_count, 2);
  EXPECT_THAT(page.text,
              HasSubstr("Let \\htmlonly<math><msup><mi>n</mi><mn>2</mn></msup></math>\\endhtmlonly be."));
  EXPECT_THAT(page.text, HasSubstr("<math display=\"block\"><munder><mo>∑</mo>"));
  EXPECT_THAT(page.text, Not(HasSubstr("```")));
  EXPECT_THAT(handout("# a\n\nLet $`\\foo`$ be.\n").errors,
              ElementsAre(HasSubstr(":3: formula: \\foo is not known here")));
}

TEST_F(PageTest, LongPagesHaveATableOfContents) {
  EXPECT_THAT(handout("# a\n\n## b\n\n## c\n\n## d\n").text, HasSubstr("[TOC]"));
  EXPECT_THAT(handout("# a\n\n## b\n\n## c\n").text, Not(HasSubstr("[TOC]")));
}

}  // namespace
}  // namespace site
