// Tests the workbench's page with the keyboard, on a phone and on a wide screen, in dark and light mode, and
// while files change on disk.
#include <gmock/gmock.h>

#include "serve_page.hpp"

namespace grader::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(ServePage, FromTheFirstBlankToAllPointsByKeyboard) {
  const Serving serving;
  open(serving, "lab9.1/1");
  EXPECT_TRUE(browser_->value_of("document.querySelector('.blank') !== null")) << "no blank is marked";
  browser_->press_with(Browser::alt, "n");
  EXPECT_EQ(browser_->value_of(editor + ".hasFocus()"), true);
  type_answer();
  browser_->press_with(Browser::control, "s");
  ASSERT_TRUE(browser_->wait_for("document.getElementById('message').textContent.startsWith('passed')", 120))
      << message();
  EXPECT_THAT(inside("verdict"), HasSubstr("passed, 4 of 4 points"));
  EXPECT_THAT(read_file(serving.work() / "lab9.1/level1/double.cu"), HasSubstr("y[i] = 2 * x[i];"));
}

TEST_F(ServePage, MarksTheLineOfAnError) {
  const Serving serving;
  open(serving, "lab9.1/1");
  browser_->value_of(editor + ".setValue('" + "int main() { return nonsense; }\\n')");
  browser_->value_of(editor + ".replaceRange(' ',{line:0,ch:0})");
  browser_->press_with(Browser::control, "Enter");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('.note-error')", 120)) << message();
  EXPECT_THAT(browser_->value_of("document.querySelector('.note-error').textContent").get<std::string>(),
              HasSubstr("nonsense"));
  browser_->click("document.querySelector('button.place')");
  EXPECT_EQ(browser_->value_of(editor + ".getCursor().line"), 0);
  keep_screenshot("error-1600");
}

TEST_F(ServePage, FollowsAFileThatAnotherEditorSaves) {
  const Serving serving;
  const fs::path file = serving.work() / "lab9.1/level1/double.cu";
  ASSERT_EQ(serving.save(small_file, "int a;\n", serving.get(small_file)["sha256"]), 200);
  open(serving, "lab9.1/1");
  write_file(file, "int by_vim;\n");
  EXPECT_TRUE(browser_->wait_for(editor + ".getValue()==='int by_vim;\\n'")) << text();
  EXPECT_THAT(message(), HasSubstr("changed on disk"));
}

TEST_F(ServePage, AConflictShowsBothVersionsAndLosesNeither) {
  const Serving serving;
  const fs::path file = serving.work() / "lab9.1/level1/double.cu";
  ASSERT_EQ(serving.save(small_file, "int a;\n", serving.get(small_file)["sha256"]), 200);
  open(serving, "lab9.1/1");
  browser_->value_of(editor + ".replaceRange('int mine;\\n',{line:0,ch:0})");
  write_file(file, "int by_vim;\n");
  ASSERT_TRUE(browser_->wait_for("!document.getElementById('conflict').hidden"));
  EXPECT_THAT(inside("conflict"), HasSubstr("int by_vim;"));
  EXPECT_THAT(text(), StartsWith("int mine;"));
  EXPECT_EQ(read_file(file), "int by_vim;\n");
  browser_->click("document.querySelectorAll('#conflict button')[1]");  // chooses the version on disk
  EXPECT_TRUE(browser_->wait_for(editor + ".getValue()==='int by_vim;\\n'"));
  EXPECT_THAT(inside("conflict"), HasSubstr("int mine;"));
  browser_->value_of(editor + ".undo()");
  EXPECT_THAT(text(), StartsWith("int mine;"));
}

TEST_F(ServePage, WhatWasNotSavedIsThereAgainAfterACrash) {
  const Serving serving;
  open(serving, "lab9.1/1");
  browser_->value_of(editor + ".replaceRange('// not saved\\n',{line:0,ch:0})");
  browser_->value_of("setTimeout(()=>location.reload(),100),0");
  ASSERT_TRUE(browser_->wait_for("document.getElementById('message')?.textContent.includes('here again')"));
  EXPECT_THAT(text(), StartsWith("// not saved"));
  EXPECT_FALSE(fs::exists(serving.work() / "lab9.1")) << "a draft was written to the disk";
}

TEST_F(ServePage, AFileWithMarkupInNameAndTextIsText) {
  const Serving serving;
  const std::string hostile = "<img src=x onerror=window.hacked=1>";
  ASSERT_EQ(
      serving.save(small_file, "int main() { return \"" + hostile + "\"; }  // </script>" + hostile + "\n",
                   serving.get(small_file)["sha256"]),
      200);
  write_file(serving.work() / "lab9.1/level1" / (hostile + ".h"), "// " + hostile + "\n");
  open(serving, "lab9.1/1");
  browser_->press_with(Browser::control, "Enter");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('button.place, #verdict pre')", 120)) << message();
  EXPECT_THAT(inside("files"), HasSubstr(hostile));
  EXPECT_EQ(browser_->value_of("document.querySelectorAll('img').length"), 0);
  EXPECT_TRUE(browser_->value_of("window.hacked").is_null());
}

TEST_F(ServePage, WorksWithATextFieldWhereCodeMirrorIsMissing) {
  const Serving serving;
  open(serving, "");
  browser_->value_of("document.documentElement.removeAttribute('data-codemirror')");
  browser_->value_of("location.hash='#lab9.1/1'");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('textarea')?.value.includes('LAB_TODO(1)')"));
  browser_->value_of(
      "(()=>{const t=document.querySelector('#editor textarea');const at=t.value.indexOf('LAB_TODO(1);');"
      "t.focus();t.setSelectionRange(at,at+12)})()");
  browser_->type("if (i < n) y[i] = 2 * x[i];");
  browser_->press_with(Browser::control, "s");
  EXPECT_TRUE(browser_->wait_for("document.getElementById('message').textContent.startsWith('passed')", 120))
      << message();
}

TEST_F(ServePage, ARealLabFitsEveryWidthDarkAndLight) {
  const Serving serving{fs::path(KIT_SOURCE_DIR)};
  for (const auto& [width, scheme] :
       {std::pair{1600, "light"}, {1600, "dark"}, {900, "light"}, {360, "dark"}, {360, "light"}}) {
    const std::string name = std::to_string(width) + "-" + scheme;
    browser_->media("", scheme);
    open(serving, "", width);
    expect_fits(width);
    keep_screenshot("labs-" + name);
    browser_->value_of("location.hash='#lab2.1/1'");
    ASSERT_TRUE(
        browser_->wait_for("document.querySelector('.CodeMirror') && document.querySelector('#handout h1')"));
    for (const char* pane : {"1", "3", "4", "2"}) {
      browser_->press_with(Browser::alt, pane);
      expect_fits(width);
      if (width < 1000 || std::string(pane) == "2") keep_screenshot("lab2.1-" + name + "-" + pane);
    }
  }
}

TEST_F(ServePage, ShowsAFindingInItsLineAndTheKernelBeside) {
  const Serving serving{fs::path(KIT_SOURCE_DIR)};
  open(serving, "lab2.1/1");
  const User author;
  author.write_solution("lab2.1-matrixmul", "wrong", "__syncthreads();", "");
  for (const auto& file : fs::directory_iterator(author.folder() / "wrong"))
    write_file(serving.work() / "lab2.1/level1" / file.path().filename(), read_file(file));
  ASSERT_TRUE(browser_->wait_for(
      "!document.querySelector('.CodeMirror').CodeMirror.getValue().includes('LAB_TODO')"));
  browser_->click("document.getElementById('check')");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('button.place')", 200)) << message();
  browser_->click("document.querySelector('button.place')");  // CodeMirror draws only the visible lines
  ASSERT_TRUE(browser_->wait_for("document.querySelector('.at-error')")) << message();
  EXPECT_THAT(browser_->value_of("document.querySelector('.note-error').textContent").get<std::string>(),
              HasSubstr("race"));
  browser_->click("document.getElementById('view')");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('#views iframe')", 200)) << message();
  EXPECT_THAT(inside("verdict"), HasSubstr("mistakes found"));
  // The page of the kernel has another origin, so the test can compare only its picture.
  sleep(3);
  keep_screenshot("finding-1600");
  choose_view("why an element");
  browser_->value_of("document.getElementById('element').value='P[0][0]'");
  browser_->press("Enter");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('#view-of pre')", 200)) << inside("views");
  EXPECT_THAT(inside("view-of"), HasSubstr("P[0][0]"));
  keep_screenshot("element-1600");
}

TEST_F(ServePage, MeasuresATableAndDrawsItsPlot) {
  const Serving serving;
  write_file(serving.work() / "lab9.1/level1/double.cu", small_program());
  open(serving, "lab9.1/1");
  choose_view("table: Time by size");
  browser_->press("Enter");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('#view-of pre')", 200)) << inside("views");
  EXPECT_THAT(inside("view-of"), HasSubstr("Transfer in"));
  if (find_program("gnuplot").empty()) GTEST_SKIP() << "no gnuplot";
  browser_->click("document.querySelector('#view-of button')");
  EXPECT_TRUE(browser_->wait_for("document.querySelector('#view-of img')?.naturalWidth>0"))
      << inside("views");
  keep_screenshot("table-1600");
}

TEST_F(ServePage, ShowsAnEarlierVersionBeside) {
  const Serving serving{fs::path(KIT_SOURCE_DIR)};
  const auto write = [&](const std::string& begin_of_sum) {
    const User author;
    author.write_solution("lab1.1-matrixmul", "version", "Real sum = 0;", "Real sum = " + begin_of_sum + ";");
    for (const auto& file : fs::directory_iterator(author.folder() / "version"))
      write_file(serving.work() / "lab1.1/level1" / file.path().filename(), read_file(file));
  };
  const auto grade = [&](const std::string& verdict) {
    browser_->press_with(Browser::control, "s");
    ASSERT_TRUE(browser_->wait_for(
        "document.getElementById('message').textContent.startsWith('" + verdict + "')", 200))
        << message();
  };
  write("0");
  open(serving, "lab1.1/1");
  grade("passed");
  write("1");
  ASSERT_TRUE(
      browser_->wait_for("document.getElementById('message').textContent.includes('changed on disk')"));
  grade("wrong answer");
  ASSERT_TRUE(browser_->wait_for(
      "[...document.querySelectorAll('#what option')].filter(o=>o.label.startsWith('beside')).length===2"));
  choose_view("passed, 10 of 10 points");
  browser_->press("Enter");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('#views iframe')", 200)) << inside("views");
  EXPECT_THAT(serving.client().Get("/view/lab1.1/1")->body, HasSubstr("results differ in"));
  sleep(4);  // the frame has another origin, so it is unknown when it was painted
  keep_screenshot("beside-1600");
}

TEST_F(ServePage, PlaysAFilm) {
  const Serving serving{fs::path(KIT_SOURCE_DIR)};
  const User author;
  author.write_solution("lab5.1-nbody", "right", "", "");
  for (const auto& file : fs::directory_iterator(author.folder() / "right"))
    write_file(serving.work() / "lab5.1/level1" / file.path().filename(), read_file(file));
  open(serving, "lab5.1/1");
  choose_view("the film");
  browser_->press("Enter");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('#views iframe')", 200)) << inside("views");
  sleep(4);
  keep_screenshot("film-1600");
}

TEST_F(ServePage, IsPaintedQuickly) {
  const Serving serving;
  open(serving, "");
  const double first =
      browser_->value_of("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  RecordProperty("first_contentful_paint_ms", std::to_string(first));
  std::printf("first contentful paint: %.0f ms\n", first);
  EXPECT_LT(first, 2000);  // on a busy machine; on others the goal is 500 ms
}

}  // namespace
}  // namespace grader::testing
