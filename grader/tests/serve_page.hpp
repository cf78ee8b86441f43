/// @file
/// The workbench's page in a headless Chromium, with the real server. With KIT_SCREENSHOTS=DIR, screenshots
/// are stored in DIR.
#pragma once
#include <gmock/gmock.h>

#include "browser.hpp"
#include "workbench.hpp"

namespace grader::testing {

class ServePage : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Browser::program().empty()) GTEST_SKIP() << "no Chromium";
    browser_.emplace();
  }
  void TearDown() override {
    if (browser_) {
      EXPECT_THAT(browser_->complaints, ::testing::IsEmpty());
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
  /// Opens the views, chooses the first one whose label contains these words, and focuses its button.
  void choose_view(const std::string& words) {
    browser_->press_with(Browser::alt, "4");
    browser_->value_of(
        "(()=>{const "
        "s=document.getElementById('what');s.selectedIndex=[...s.options].findIndex(o=>o.label.includes('" +
        words + "'));s.dispatchEvent(new Event('change'));s.form.querySelector('button').focus()})()");
  }
  void keep_screenshot(const std::string& name) {
    const char* folder = std::getenv("KIT_SCREENSHOTS");
    if (folder != nullptr) write_file(fs::path(folder) / ("serve-" + name + ".png"), browser_->screenshot());
  }
  void expect_fits(int width) {
    EXPECT_LE(browser_->value_of("document.documentElement.scrollWidth").get<int>(), width);
    EXPECT_GE(browser_->least_contrast(), 4.5);
    // The editor's style sheet must not replace the page's colours.
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

}  // namespace grader::testing
