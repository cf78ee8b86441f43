#include "html_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace site {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const char* drawing = "<svg><title>t</title><desc>d</desc><rect width=\"1\"/></svg>";

class HtmlCheckTest : public ::testing::Test {
 protected:
  void SetUp() override {
    html_ = fs::path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(html_);
    write("figures/a.svg", drawing);
    write("other.html", "<h1 id=\"top\">Other</h1>");
  }
  void TearDown() override { fs::remove_all(html_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((html_ / name).parent_path());
    std::ofstream(html_ / name) << text;
  }

  /// Returns the errors of a site whose start page has the given body.
  std::vector<std::string> errors(const std::string& body,
                                  const std::map<std::string, Expected>& expected = {}) {
    write("index.html", "<!DOCTYPE html><html><body>" + body + "</body></html>");
    return check_site(html_, expected).errors;
  }

  fs::path html_;
};

TEST_F(HtmlCheckTest, ASoundPageIsCounted) {
  write("index.html",
        "<p><a href=\"other.html#top\">o</a> <a href=\"https://example.org\">w</a></p><!-- <a "
        "href=\"no.html\"> -->"
        "<figure><img src=\"figures/a.svg\" alt=\"A\"></figure>"
        "<details><summary>Hint</summary><p>Text <math><mi>n</mi></math></p></details>"
        "<script>if (a < b) x = '<a href=\"no.html\">'</script><table><tr><th>a</th></tr></table>");
  const CheckResult result = check_site(html_, {{"index.html", {1, 1, 1}}});
  EXPECT_THAT(result.errors, IsEmpty());
  EXPECT_EQ(result.pages, 2);
  EXPECT_EQ(result.images, 1);
  EXPECT_EQ(result.folds, 1);
  EXPECT_EQ(result.formulas, 1);
  EXPECT_EQ(result.links, 2);  // the page and the figure; no network access
}

TEST_F(HtmlCheckTest, DeadLinksAndAnchors) {
  EXPECT_THAT(errors("<a href=\"gone.html\">x</a>"),
              ElementsAre("index.html: the link gone.html leads nowhere"));
  EXPECT_THAT(errors("<a href=\"other.html#end\">x</a>"), ElementsAre(HasSubstr("without that anchor")));
  EXPECT_THAT(errors("<a href=\"#here\">x</a>"), ElementsAre(HasSubstr("without that anchor")));
  EXPECT_THAT(errors("<a href=\"#here\">x</a><b id=\"here\">y</b>"), IsEmpty());
}

TEST_F(HtmlCheckTest, LinksOfTheSidebarAreData) {
  write("navtreedata.js",
        "var NAVTREE = [ [ \"A\", \"other.html#top\", null ], [ \"B\", \"lost.html\", null ] ];");
  EXPECT_THAT(errors(""), ElementsAre("navtreedata.js: the link lost.html leads nowhere"));
}

TEST_F(HtmlCheckTest, Images) {
  EXPECT_THAT(errors("<img src=\"figures/b.svg\" alt=\"B\">"),
              ElementsAre(HasSubstr("figures/b.svg leads nowhere")));
  EXPECT_THAT(errors("<img src=\"figures/a.svg\">"), ElementsAre(HasSubstr("has no description")));
  write("figures/b.svg", "<svg><title>t</title><desc>d</desc><g></svg>");
  EXPECT_THAT(errors("<img src=\"figures/b.svg\" alt=\"B\">"), ElementsAre(HasSubstr("no well-formed SVG")));
  write("figures/b.svg", "<svg><title>t</title></svg>");
  EXPECT_THAT(errors("<img src=\"figures/b.svg\" alt=\"B\">"), ElementsAre(HasSubstr("no <desc>")));
  write("figures/c.png", "GIF89a");
  EXPECT_THAT(errors("<img src=\"figures/c.png\" alt=\"C\">"), ElementsAre(HasSubstr("is no PNG")));
}

TEST_F(HtmlCheckTest, FoldsThatAreCutInTwo) {
  EXPECT_THAT(errors("<p><details><summary>Hint</summary></p><p>Text</p></details>"),
              ElementsAre(HasSubstr("cut in two")));
  EXPECT_THAT(errors("<details><summary>Hint</summary></details><p>Text</p>"),
              ElementsAre(HasSubstr("'Hint' is empty")));
  EXPECT_THAT(errors("<details><p>Text</p></details>"),
              ElementsAre(HasSubstr("does not begin with its summary")));
  EXPECT_THAT(errors("<div><details><summary>Hint</summary>Text</div></details>"),
              ElementsAre(HasSubstr("</div> ends what is not open")));
  EXPECT_THAT(errors("<ul><li>a</ul></details>"), ElementsAre(HasSubstr("</details> ends what is not open")));
}

TEST_F(HtmlCheckTest, EmptyHeadsOfTablesAndMarkupThatShows) {
  EXPECT_THAT(errors("<table><tr><th>&#160;</th><th>a</th></tr></table>"),
              ElementsAre(HasSubstr("empty head")));
  EXPECT_THAT(errors("<p>@section a b</p>"), ElementsAre(HasSubstr("shows markup")));
  EXPECT_THAT(errors("<p><code>x</code> $` <code>$`</code></p>"), ElementsAre(HasSubstr("shows markup")));
  EXPECT_THAT(errors("<p><code>@section</code></p><div class=\"line\">```</div>"), IsEmpty());
}

TEST_F(HtmlCheckTest, ContentsOfThePagesSourceMustBeThere) {
  EXPECT_THAT(errors("", {{"index.html", {1, 2, 3}}, {"lost.html", {}}}),
              ElementsAre("index.html: has 0 of 1 figures", "index.html: has 0 of 2 folds",
                          "index.html: has 0 of 3 formulas", "lost.html: is missing"));
}

}  // namespace
}  // namespace site
