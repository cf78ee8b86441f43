#include "handout/print.hpp"

#include <gmock/gmock.h>

#include "base/files.hpp"
#include "base/test_folder.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* figure = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>";
constexpr const char* text =
    "# lab1: Sums\n\nAdd it up, as in [lab0](../lab0/README.md).\n\n## What you need to know\n\n"
    "**Banks.** See [a page](https://example.org).\n\n![Eight <banks>](figures/banks.svg)\n\n"
    "<details><summary>A nudge</summary>\n\nLook at the index.\n</details>\n\n"
    "| size | time |\n|---|---|\n| 8 | |\n\n## Questions to think about\n\n1. Why?\n";

class PrintTest : public ::testing::Test {
 protected:
  PrintTest() {
    write_file(folder_.path / "figures/banks.svg", figure);
    lab_.folder = folder_.path;
    lab_.id = "lab1";
    lab_.title = "Sums \"in\" banks";
    lab_.objectives = {"to add"};
  }
  Handout handout(const std::string& answers = {}) const { return {&lab_, text, answers}; }

  TestFolder folder_;
  Lab lab_;
};

TEST_F(PrintTest, AFigureIsPartOfThePageWithItsWords) {
  const std::string page = handouts_page({handout()});
  EXPECT_THAT(page, HasSubstr("src=\"data:image/svg+xml;base64,PHN2Zy"));
  EXPECT_THAT(page, HasSubstr("<figcaption>Eight &lt;banks&gt;</figcaption>"));
  EXPECT_THAT(page, Not(HasSubstr("figures/banks.svg")));
}

TEST_F(PrintTest, LinksToFilesBecomeText) {
  const std::string page = handouts_page({handout()});
  EXPECT_THAT(page, HasSubstr("as in lab0."));
  EXPECT_THAT(page, HasSubstr("<a href=\"https://example.org\">a page</a>"));
}

TEST_F(PrintTest, OnlyInstructorsHaveFoldsAndAnswers) {
  EXPECT_THAT(handouts_page({handout()}), Not(HasSubstr("Look at the index")));
  const std::string page = handouts_page({handout("# Answers\n\nBecause.\n")});
  EXPECT_THAT(page, HasSubstr("<details open><summary>A nudge"));
  EXPECT_THAT(page, HasSubstr("Because."));
}

TEST_F(PrintTest, EachPageNamesItsLab) {
  EXPECT_THAT(handouts_page({handout(), handout()}),
              HasSubstr("@page lab1 { @top-left { content: \"lab1: Sums "
                        "\\\"in\\\" banks\"; } }"));
}

TEST_F(PrintTest, SlidesHaveTitleIdeasFiguresAndQuestions) {
  const std::string page = slides_page({handout()});
  EXPECT_THAT(page, HasSubstr("<h1>Sums \"in\" banks</h1>"));
  EXPECT_THAT(page, HasSubstr("<li>to add</li>"));
  EXPECT_THAT(page, HasSubstr("<h1>Ideas</h1>"));
  EXPECT_THAT(page, HasSubstr("<h1>Banks</h1>"));
  EXPECT_THAT(page, HasSubstr("<ol start=1><li><p>Why?</p>"));
}

TEST_F(PrintTest, LongListsTakeSeveralSlides) {
  Handout many = handout();
  for (int i = 2; i <= 20; ++i) many.text += std::to_string(i) + ". Why?\n";
  const std::string page = slides_page({many});
  EXPECT_THAT(page, HasSubstr("<ol start=10>"));
  EXPECT_THAT(page, HasSubstr("<ol start=19>"));
}

int count_of(const std::string& part, const std::string& whole) {
  int count = 0;
  for (std::size_t at = whole.find(part); at != std::string::npos; at = whole.find(part, at + 1)) ++count;
  return count;
}

TEST_F(PrintTest, EveryLabHasItsFiguresAndFormulasOnPaperAndOnSlides) {
  int labs = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(KIT_SOURCE_DIR) / "labs")) {
    if (!fs::exists(entry.path() / "README.md")) continue;
    ++labs;
    SCOPED_TRACE(entry.path().filename().string());
    lab_.folder = entry.path();
    const Handout one{&lab_, read_file(entry.path() / "README.md", 1 << 20), "Because."};
    const int figures = count_of("\n![", one.text);
    const std::string paper = handouts_page({one}), slides = slides_page({one});
    EXPECT_EQ(count_of("<figure>", paper), figures);
    EXPECT_EQ(count_of("<figure>", slides), figures);
    EXPECT_EQ(count_of("\n<details>", one.text), count_of("<details open>", paper));
    EXPECT_THAT(slides, HasSubstr("<h1>Questions</h1>"));
    for (const char* unread : {"$`", "<code>\\"}) EXPECT_THAT(paper, Not(HasSubstr(unread)));
  }
  EXPECT_GE(labs, 12);
}

TEST_F(PrintTest, ChromiumPrintsAPageForEachHandout) {
  if (find_program("chromium").empty() && find_program("google-chrome").empty())
    GTEST_SKIP() << "no Chromium is installed";
  const fs::path file = folder_.path / "out.pdf";
  write_pdf(handouts_page({handout("Because."), handout("Because.")}), file, folder_.path);
  const std::string pdf = read_file(file, 8 << 20);
  EXPECT_TRUE(pdf.starts_with("%PDF-"));
  EXPECT_THAT(pdf, HasSubstr("/Count 4"));
}

TEST_F(PrintTest, WithoutChromiumOneSentenceNamesTheNextStep) {
  const char* const path = std::getenv("PATH");
  const std::string before = path == nullptr ? "" : path;
  setenv("PATH", folder_.path.c_str(), 1);
  try {
    write_pdf("<p>", folder_.path / "out.pdf", folder_.path);
    ADD_FAILURE() << "no Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::environment);
    EXPECT_THAT(error.next_step(), HasSubstr("--html FILE"));
  }
  setenv("PATH", before.c_str(), 1);
}

}  // namespace
}  // namespace grader
