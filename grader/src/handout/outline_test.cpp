#include "handout/outline.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* handout = R"(# lab1: A title

A beginning
of two lines.

| | |
|---|---|
| You need | nothing |

## What you need to know

**Tiles.** A block reads `a. b`, and
its neighbours. It adds.

![A tile](figures/tile.svg)

**The guard** has two conditions:

**What there is to see.** This is drawn.

![A run](figures/seen.svg)

## Steps

**By size** in a table.

<details><summary>A nudge</summary>

Look at the index.
</details>

### Banks

![Banks](figures/banks.svg)

## Questions to think about

1. Why is it
   so slow?
2. And why not?

## For experts

1. No question.
)";

TEST(Outline, HasIdeasFiguresAndQuestions) {
  const Outline outline = outline_of(handout);
  EXPECT_EQ(outline.introduction, "A beginning\nof two lines.");
  EXPECT_THAT(outline.ideas, ElementsAre("**Tiles.** A block reads `a. b`, and its neighbours.",
                                         "**The guard** has two conditions."));
  EXPECT_THAT(outline.questions, ElementsAre("Why is it so slow?", "And why not?"));
  ASSERT_EQ(outline.figures.size(), 3u);
  EXPECT_EQ(outline.figures[0].title, "Tiles");
  EXPECT_EQ(outline.figures[0].image, "![A tile](figures/tile.svg)");
  EXPECT_EQ(outline.figures[1].title, "What there is to see");
  EXPECT_EQ(outline.figures[2].title, "Banks");
}

TEST(Outline, AnEmptyHandoutHasNothing) {
  const Outline outline = outline_of("");
  EXPECT_THAT(outline.introduction, IsEmpty());
  EXPECT_THAT(outline.figures, IsEmpty());
}

TEST(Outline, FoldsAreLeftOutButNotThoseOfCode) {
  const std::string text = without_folds(std::string(handout) + "\n```html\n<details>code</details>\n```\n");
  EXPECT_THAT(text, Not(HasSubstr("nudge")));
  EXPECT_THAT(text, Not(HasSubstr("Look at the index")));
  EXPECT_THAT(text, HasSubstr("### Banks"));
  EXPECT_THAT(text, HasSubstr("<details>code</details>"));
}

}  // namespace
}  // namespace grader
