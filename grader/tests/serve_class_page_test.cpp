// Tests the page of a class in Chromium, with the real server: hand in, wait, read the feedback, look at the
// board.
#include <gmock/gmock.h>

#include "browser.hpp"
#include "served_class.hpp"

namespace grader::testing {
namespace {

using ::testing::HasSubstr;

class ServeClassPage : public ::testing::Test {
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
  void open(const std::string& link, int width) {
    browser_->size(width, 900);
    browser_->open(link);
    ASSERT_TRUE(
        browser_->wait_for("document.querySelector('.lab') && document.getElementById('queue').textContent"));
    EXPECT_EQ(browser_->value_of("location.search"), "") << "the token stays in the address";
  }
  /// Chooses a file with this text, as a user does in the browser's dialog.
  void choose(const std::string& name, const std::string& text) {
    browser_->value_of("(()=>{const d=new DataTransfer();d.items.add(new File([" +
                       nlohmann::json(text).dump() + "]," + nlohmann::json(name).dump() +
                       "));document.querySelector('input[type=file]').files=d.files})()");
  }
  std::string text() { return browser_->value_of("document.body.innerText"); }
  void look(const std::string& name) {
    for (const auto& [width, scheme] : {std::pair{360, "light"}, {360, "dark"}, {1280, "light"}}) {
      browser_->media("", scheme);
      browser_->size(width, 900);
      EXPECT_LE(browser_->value_of("document.documentElement.scrollWidth").get<int>(), width) << name;
      EXPECT_GE(browser_->least_contrast(), 4.5) << name << width << scheme;
      const char* folder = std::getenv("KIT_SCREENSHOTS");
      if (folder != nullptr)
        write_file(fs::path(folder) / ("class-" + name + "-" + std::to_string(width) + "-" + scheme + ".png"),
                   browser_->screenshot());
    }
    browser_->media("", "light");
  }
  std::optional<Browser> browser_;
};

TEST_F(ServeClassPage, AStudentHandsInAndReadsTheFeedback) {
  ServedClass served(
      "deadline = \"2099-01-01T00:00:00Z\"\nlate = { grace_hours = 2, per_day = 0.1, last_day = 3 }\n");
  open(served.link_of("ada"), 360);
  EXPECT_THAT(text(), HasSubstr("Deadline: 2099-01-01 00:00 UTC."));
  EXPECT_THAT(text(), HasSubstr("each day begun takes 10 % of the points"));
  const std::string message = "document.getElementById('message').textContent";
  browser_->click("document.querySelector('.hand-in button')");
  ASSERT_TRUE(browser_->wait_for(message + ".includes('No file is chosen')"));
  choose("notes <b>.pdf", "x");
  browser_->click("document.querySelector('.hand-in button')");
  ASSERT_TRUE(browser_->wait_for(message + ".includes('\"notes <b>.pdf\" is no file of lab9.1')")) << text();
  look("refused");
  browser_->complaints.clear();  // the browser reports the refused request
  choose("double.cu", small_answer(right_blank));
  browser_->click("document.querySelector('.hand-in button')");
  ASSERT_TRUE(browser_->wait_for("document.querySelector('.receipt')")) << text();
  EXPECT_THAT(text(), HasSubstr("SHA-256: " + served.history("ada")[0]["sha256"].get<std::string>()));
  ASSERT_TRUE(browser_->wait_for("document.body.innerText.includes('passed (counts)')", 120)) << text();
  EXPECT_THAT(text(), HasSubstr("Your mark: 4 of 4, of attempt 1."));
  ASSERT_TRUE(browser_->wait_for("document.querySelector('tr.own')", 60)) << text();
  look("graded");
  browser_->click("[...document.querySelectorAll('a')].find(a=>a.textContent==='feedback')");
  ASSERT_TRUE(browser_->wait_for("document.body.innerText.includes('attempt 1 of 1')"));
  look("feedback");
}

TEST_F(ServeClassPage, TheInstructorSeesTheClassesResults) {
  ServedClass served;
  ASSERT_EQ(served.hand_in("ada").status, 201);
  served.settled("ada");
  open(served.link_of(""), 1280);
  ASSERT_TRUE(browser_->wait_for("document.querySelector('.lab tr td')", 60)) << text();
  look("instructor");
  browser_->click("document.querySelector('a[href^=\"/class/\"]')");
  ASSERT_TRUE(browser_->wait_for("document.body.innerText.includes('Ada Lovelace')"));
}

}  // namespace
}  // namespace grader::testing
