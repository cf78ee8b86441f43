#include "chapters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace site {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Chapters, AStarStaysInItsFolder) {
  EXPECT_TRUE(fits("docs/*.md", "docs/student.md"));
  EXPECT_FALSE(fits("docs/*.md", "docs/results/lab1.1.md"));
  EXPECT_TRUE(fits("labs/*/README.md", "labs/lab0-hello_world/README.md"));
  EXPECT_TRUE(fits("**.md", "grader/src/report/README.md"));
  EXPECT_FALSE(fits("**.md", "grader/src/report/report.hpp"));
}

TEST(Chapters, ANamedPageIsInTheChapterThatNamesIt) {
  const auto result =
      chapters("# comment\nGuides\n  docs/b.md\n  docs/*.md\nArchitecture\n  docs/a.md  # first\n  **.md\n",
               {"common/emu/README.md", "docs/a.md", "docs/b.md", "docs/c.md"});
  ASSERT_EQ(result.size(), 2u);
  EXPECT_EQ(result[0].title, "Guides");
  EXPECT_THAT(result[0].pages, ElementsAre(fs::path("docs/b.md"), fs::path("docs/c.md")));
  EXPECT_THAT(result[1].pages, ElementsAre(fs::path("docs/a.md"), fs::path("common/emu/README.md")));
}

TEST(Chapters, APageWithoutAPlaceAndAPatternWithoutAPageAreErrors) {
  const auto said = [](const std::string& description) -> std::string {
    try {
      chapters(description, {"docs/a.md", "x/b.md"});
      return "nothing";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  };
  EXPECT_THAT(said("Guides\n  docs/*.md\n"), HasSubstr("no chapter has a place for x/b.md"));
  EXPECT_THAT(said("Guides\n  **.md\n  labs/*/README.md\n"), HasSubstr("no page fits labs/*/README.md"));
  EXPECT_THAT(said("  **.md\n"), HasSubstr("before the first chapter"));
}

TEST(Chapters, TheLayoutNamesPagesByTheirTitles) {
  Pages pages;
  pages["README.md"] = survey("README.md", "# The <kit> & `more`\n");
  pages["docs/a.md"] = survey("docs/a.md", "# A guide\n");
  const std::string text = layout({{"Start", {"README.md", "docs/a.md"}}}, pages);
  EXPECT_THAT(
      text,
      HasSubstr(
          "title=\"Start\">\n  <tab type=\"user\" url=\"index.html\" title=\"The &lt;kit> &amp; more\"/>\n"
          "  <tab type=\"user\" url=\"@ref docs-a\" title=\"A guide\"/>\n</tab>"));
  EXPECT_THAT(text, HasSubstr("title=\"Reference\""));
  EXPECT_THAT(text, Not(HasSubstr("level1")));
}

}  // namespace
}  // namespace site
