// The workbench's page in a headless Chromium, through the real server: used by keyboard, on a phone and on a
// wide screen, dark and light, while files change on disk. With KIT_SCREENSHOTS=DIR screenshots are stored
// there.
#include <gmock/gmock.h>

#include "browser.hpp"
#include "workbench.hpp"

namespace grader::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class ServePage : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Browser::program().empty()) GTEST_SKIP() << "no Chromium";
    browser_.emplace();
  }
  void TearDown() override {
    if (browser_) {
      EXPECT_THAT(browser_->complaints, IsEmpty());
    }
  }
  void open(const Serving& serving, const std::string& level, int width = 1600) {
    browser_->size(width, 900);
    browser_->open(serving.address());
    ASSERT_TRUE(browser_->wait_for("document.querySelector('#labs table')")) << "the labs are not listed";
    EXPECT_EQ(browser_->value_of("location.search"), "") << "the token stays in the address";
    if (level.empty()) return;
    browser_->click("document.querySelector('a[href=\"#" + level + "\"]')");
    ASSERT_TRUE(browser_->wait_for(
        "document.querySelector('.CodeMirror, textarea') && document.title.startsWith('lab')"));
    ASSERT_TRUE(browser_->wait_for("document.querySelector('#handout h1')"));
  }
  std::string text() { return browser_->value_of(editor + ".getValue()"); }
  void type_answer() {
    browser_->value_of("(()=>{const e=" + editor +
                       ";const line=e.getValue().split('\\n').findIndex(l=>l.includes('LAB_TODO(1)'));"
                       "e.focus();e.setSelection({line,ch:0},{line,ch:99})})()");
    browser_->type("  if (i < n) y[i] = 2 * x[i];");
  }
  std::string message() { return browser_->value_of("document.getElementById('message').textContent"); }
  std::string inside(const std::string& id) {
    return browser_->value_of("document.getElementById('" + id + "').innerText");
  }
  void keep_screenshot(const std::string& name) {
    const char* folder = std::getenv("KIT_SCREENSHOTS");
    if (folder != nullptr) write_file(fs::path(folder) / ("serve-" + name + ".png"), browser_->screenshot());
  }
  void expect_fits(int width) {
    EXPECT_LE(browser_->value_of("document.documentElement.scrollWidth").get<int>(), width);
    EXPECT_GE(browser_->least_contrast(), 4.5);
    // The editor's style sheet must not override the page's colours.
    EXPECT_EQ(
        browser_->value_of(
            "(()=>{const e=document.querySelector('.CodeMirror');"
            "return "
            "!e||getComputedStyle(e).backgroundColor===getComputedStyle(document.body).backgroundColor})()"),
        true);
  }

  const std::string editor = "document.querySelector('.CodeMirror').CodeMirror";
  std::optional<Browser> browser_;
};

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
  browser_->click("document.querySelectorAll('#conflict button')[1]");  // choose the disk's version
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
  browser_->click("document.querySelector('button.place')");  // CodeMirror only draws the visible lines
  ASSERT_TRUE(browser_->wait_for("document.querySelector('.at-error')")) << message();
  EXPECT_THAT(browser_->value_of("document.querySelector('.note-error').textContent").get<std::string>(),
              HasSubstr("race"));
  browser_->click("document.getElementById('view')");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('#kernel iframe')", 200)) << message();
  EXPECT_THAT(inside("verdict"), HasSubstr("mistakes found"));
  // The kernel's page has a separate origin, so the test can only compare its picture.
  sleep(3);
  keep_screenshot("finding-1600");
}

TEST_F(ServePage, IsPaintedQuickly) {
  const Serving serving;
  open(serving, "");
  const double first =
      browser_->value_of("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  RecordProperty("first_contentful_paint_ms", std::to_string(first));
  std::printf("first contentful paint: %.0f ms\n", first);
  EXPECT_LT(first, 2000);  // on a busy machine; the goal is 500 ms
}

}  // namespace
}  // namespace grader::testing
