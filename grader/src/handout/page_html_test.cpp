#include "handout/page_html.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(PageHtml, KeepsFoldsTablesAndCode) {
  const std::string html = page_html(
      "# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<details><summary>Hint</summary>\n\n*text*\n\n"
      "</details>\n\n```cuda\nx < y\n```\n");
  EXPECT_THAT(html, HasSubstr("<h1>Title</h1>"));
  EXPECT_THAT(html, HasSubstr("<td>1</td>"));
  EXPECT_THAT(html, HasSubstr("<details><summary>Hint</summary>"));
  EXPECT_THAT(html, HasSubstr("<em>text</em>"));
  EXPECT_THAT(html, HasSubstr("x &lt; y"));
}

TEST(PageHtml, TypesetsFormulasInALineAndAlone) {
  const std::string html = page_html("Work is $`a_i * b_j * c`$ here.\n\n```math\nn^2\n```\n");
  EXPECT_THAT(html, HasSubstr("<msub><mi>a</mi><mi>i</mi></msub>"));
  EXPECT_THAT(html, Not(HasSubstr("<em>")));
  EXPECT_THAT(html, HasSubstr("<math display=\"block\"><msup>"));
}

TEST(PageHtml, LeavesDollarsInCodeAlone) {
  EXPECT_THAT(page_html("```console\n$ grader $`x`$\n```\n"), HasSubstr("$ grader $`x`$"));
}

TEST(PageHtml, ShowsAFormulaThatCannotBeReadAsItWasWritten) {
  EXPECT_THAT(page_html("$`\\nosuch{x}`$"), HasSubstr("<code>\\nosuch{x}</code>"));
}

}  // namespace
}  // namespace grader
