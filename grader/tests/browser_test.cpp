// Tests the pages of a class in a headless Chromium: clicks, typing, printing, a phone, dark mode, and names
// that look like scripts. With KIT_SCREENSHOTS=DIR, screenshots are stored in DIR.
#include "browser.hpp"

#include <gmock/gmock.h>

#include "report/class_page.hpp"
#include "report/feedback.hpp"
#include "report/leaderboard_page.hpp"

namespace grader {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const char* const hostile =
    "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>\"'>";

Lab lab() {
  Lab out;
  out.id = "lab1.1";
  out.title = "Matrix product, one thread per element";
  for (const char* id : {"n8", "n128", "n37"}) {
    Case one;
    one.id = id;
    out.cases.push_back(one);
  }
  return out;
}

/// A class of forty students: some are right and fast, some wrong, some late, one is hostile, two are alike,
/// one is absent.
struct MadeClass {
  Lab its = lab();
  ClassFile course;
  std::vector<GradedAttempt> attempts;
  std::vector<Mark> all;
  ClassSimilarity similarity;
  Grading reference;
  Leaderboard board;

  static std::string student(int i) {
    if (i == 7) return std::string("y") + hostile;
    return "student" + std::to_string(100 + i);
  }

  MadeClass() {
    std::map<std::string, std::string> names;
    for (int i = 0; i < 40; ++i)
      for (int number = 1; number <= (i % 4 == 0 ? 2 : 1); ++number) attempts.push_back(attempt(i, number));
    std::sort(attempts.begin(), attempts.end(), [](const GradedAttempt& a, const GradedAttempt& b) {
      return std::tie(a.hand_in.student, a.hand_in.attempt) < std::tie(b.hand_in.student, b.hand_in.attempt);
    });
    for (const GradedAttempt& one : attempts)
      names[one.hand_in.student] = "Nick " + std::to_string(names.size() + 1);
    names[student(7)] = std::string("N") + hostile;
    course.students["absent"] = {.id = "absent", .name = "Grace Hopper"};
    course.students[student(3)] = {.id = student(3), .name = "Katherine Johnson", .group = "g1"};
    all = marks(course, attempts);
    reference = attempt(1, 1).grading;
    for (CaseResult& one : reference.cases)
      one.times[Measure{Measure::Kind::kernel}] = 1e-3, one.wall_s = 0.08;
    board = leaderboard(its, course, attempts, names, &reference);
    similarity.answers = {
        {"a", student(5), {{"matrixmul_kernel.cu", 40, "int todo = n;\nwhile (todo-- > 0) {\n"}}},
        {"b", student(7), {{"matrixmul_kernel.cu", 42, std::string("int rest = n;\n// ") + hostile + "\n"}}}};
    SimilarPair pair{
        .a = 0, .b = 1, .tokens = 40, .expected = 1e-4, .share_a = 0.9, .share_b = 0.8, .passages = {}};
    pair.passages = {{.first_a = 1, .last_a = 2, .first_b = 1, .last_b = 2, .tokens = 40}};
    similarity.found = {{pair}, 40};
  }

  static GradedAttempt attempt(int i, int number) {
    GradedAttempt out;
    out.hand_in.student = student(i);
    out.hand_in.attempt = number;
    out.hand_in.received_at = "2030-01-" + std::to_string(10 + (i * 7 + number * 5) % 18) + "T" +
                              std::to_string(10 + i % 12) + ":00:00Z";
    const bool right = i % 5 != 2;
    Grading& g = out.grading;
    g.lab = "lab1.1";
    g.verdict = right ? Verdict::passed : Verdict::wrong_answer;
    g.max_points = 10;
    g.points = right ? 10 : 2 + i % 6;
    g.time_source = "cupti";
    for (int part = 1; part <= 3; ++part) {
      PartResult result;
      result.id = part;
      result.title = part == 1   ? "Allocate device memory"
                     : part == 2 ? "Launch the kernel"
                                 : "The kernel: one element for each thread";
      result.max_points = 3;
      result.points = right || part == 1 ? 3 : 0;
      g.parts.push_back(result);
    }
    for (const char* id : {"n8", "n128", "n37"}) {
      CaseResult one;
      one.id = id;
      one.wall_s = 0.05 + 0.01 * ((i * 13) % 37);
      one.verdict = g.verdict;
      if (right)
        one.times[Measure{Measure::Kind::kernel}] = 1e-3 * (0.7 + ((i * 17 + number * 3) % 29) / 10.0);
      if (!right) {
        one.message = "24 of 25 elements are wrong." + std::string(i == 7 ? hostile : "");
        one.mismatch.emplace();
        one.mismatch->pattern = "transposed";
        one.mismatch->explanation = "The output is the transpose of the right result.";
        Finding finding;
        finding.rule = "race";
        finding.headline = "two threads write P[3] with no barrier between them";
        one.findings = {finding};
      }
      g.cases.push_back(one);
    }
    if (i == 7) out.notes = {hostile};
    return out;
  }

  /// The feedback for the hostile student.
  std::string feedback() const {
    const auto mark =
        std::find_if(all.begin(), all.end(), [](const Mark& m) { return m.student == student(7); });
    const auto attempt = std::find_if(attempts.begin(), attempts.end(), [](const GradedAttempt& one) {
      return one.hand_in.student == student(7);
    });
    GradedAttempt shown = *attempt;
    shown.grading.cases[1].visibility = Visibility::hidden;
    shown.grading.cases[1].id = "timers2048";
    shown.grading.parts[2].todo = true;
    shown.grading.todo = {{3, "matrixmul_kernel.cu", 138}};
    shown.grading.cases[2].next_step =
        "look at which of blockIdx.x and blockIdx.y makes the row: P[row * width + column]";
    Mark late = *mark;
    late.share = 0.5;
    return feedback_page({its, shown, late, false});
  }

  std::string page() const {
    return class_page({.lab = its,
                       .attempts = attempts,
                       .marks = all,
                       .made_at = "2030-02-01T00:00:00Z",
                       .reference = &reference,
                       .similarity = &similarity,
                       .board = &board});
  }
};

class BrowserTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!testing::Browser::program().empty()) browser = std::make_unique<testing::Browser>();
  }
  static void TearDownTestSuite() { browser.reset(); }
  void SetUp() override {
    if (browser == nullptr)
      GTEST_SKIP() << "there is no Chromium: install the package chromium, as bootstrap does where the "
                      "distribution has it";
    browser->complaints.clear();
    browser->media("");
    browser->size(1200, 800);
  }
  void show(const std::string& name, const std::string& page) {
    file = folder / (name + ".html");
    testing::write_file(file, page);
    browser->open_file(file);
  }
  void keep(const std::string& name, bool whole = true) {
    const std::string png = browser->screenshot(whole);
    EXPECT_GT(png.size(), 5000u);
    if (const char* to = std::getenv("KIT_SCREENSHOTS"))
      testing::write_file(fs::path(to) / (name + ".png"), png);
  }
  nlohmann::json value(const std::string& expression) { return browser->value_of(expression); }
  std::string first_student() {
    return value("document.querySelector('#students tbody tr:not([hidden]) th').textContent");
  }

  /// Checks the properties that every page must have.
  void expect_sound() {
    EXPECT_THAT(browser->complaints, IsEmpty());
    EXPECT_TRUE(value("window.hacked === undefined"));
    EXPECT_EQ(value("document.images.length"), 0);
    EXPECT_TRUE(value(
        "[...document.querySelectorAll('table')].every(t=>t.caption&&[...t.tHead.rows[0].cells].every(c=>"
        "c.tagName==='TH'&&c.scope==='col')&&[...t.tBodies[0].rows].every(r=>r.cells[0].scope==='row'))"));
    EXPECT_TRUE(
        value("[...document.querySelectorAll('svg')].every(s=>s.getAttribute('role')==='img'&&s.getAttribute("
              "'aria-label').length>20)"));
    EXPECT_TRUE(value("[...document.querySelectorAll('input')].every(i=>i.labels.length===1)"));
    EXPECT_EQ(value("document.documentElement.lang"), "en");
    EXPECT_EQ(value("new "
                    "Set([...document.querySelectorAll('[id]')].map(e=>e.id)).size===document."
                    "querySelectorAll('[id]').length"),
              true);
  }

  static std::unique_ptr<testing::Browser> browser;
  const testing::TemporaryFolder folder;
  fs::path file;
  const MadeClass made;
};
std::unique_ptr<testing::Browser> BrowserTest::browser;

TEST_F(BrowserTest, TheInstructorsPageSortsAndFilters) {
  show("class", made.page());
  expect_sound();
  keep("class");
  const std::string mark =
      "[...document.querySelectorAll('#students th button')].find(b=>b.textContent==='Mark')";
  browser->click(mark);
  EXPECT_EQ(value(mark + ".closest('th').getAttribute('aria-sort')"), "ascending");
  EXPECT_TRUE(
      value("(()=>{const m=[...document.querySelectorAll('#students tbody "
            "tr')].map(r=>Number(r.cells[2].dataset.key));"
            "return m.every((v,i)=>i===0||m[i-1]<=v)})()"));
  EXPECT_EQ(first_student(), "absent");
  browser->click(mark);
  EXPECT_EQ(value(mark + ".closest('th').getAttribute('aria-sort')"), "descending");
  EXPECT_NE(first_student(), "absent");
  browser->click("document.querySelector('input[data-table=students]')");
  browser->type("WRONG answer");
  EXPECT_EQ(value("document.getElementById('students-count').textContent"), "8 of 41 students");
  EXPECT_EQ(value("[...document.querySelectorAll('#students tbody tr')].filter(r=>!r.hidden).length"), 8);
  keep("class-filtered", false);
}

TEST_F(BrowserTest, TheKeyboardAloneSuffices) {
  show("class", made.page());
  // The keyboard moves the focus from the head of the page over links, the filter and the table to the
  // table's headings.
  bool reached = false;
  for (int i = 0; i < 40 && !reached; ++i) {
    browser->press("Tab");
    reached = value("document.activeElement.textContent") == "Mark" &&
              value("document.activeElement.tagName") == "BUTTON";
    EXPECT_NE(value("getComputedStyle(document.activeElement).outlineStyle"), "none");
  }
  ASSERT_TRUE(reached);
  browser->press("Enter");
  EXPECT_EQ(value("document.activeElement.closest('th').getAttribute('aria-sort')"), "ascending");
  browser->press("Space");
  EXPECT_EQ(value("document.activeElement.closest('th').getAttribute('aria-sort')"), "descending");
  value("document.querySelector('details.pair summary').focus()");
  browser->press("Enter");
  EXPECT_TRUE(value("document.querySelector('details.pair').open"));
  EXPECT_THAT(value("document.querySelector('.beside').textContent").get<std::string>(), HasSubstr("todo"));
  value("document.querySelector('details.pair').scrollIntoView()");
  keep("class-pair", false);
}

TEST_F(BrowserTest, PagesAreReadableOnAPhoneInTheDarkAndOnPaper) {
  for (const auto& [name, page] :
       {std::pair{std::string("class"), made.page()},
        {"leaderboard", leaderboard_page(made.its, made.board, "2030-02-01T00:00:00Z")}}) {
    show(name, page);
    for (const char* scheme : {"light", "dark"}) {
      browser->media("", scheme);
      EXPECT_GE(browser->least_contrast(), 4.5) << name << " " << scheme;
    }
    keep(name + "-dark");
    browser->media("");
    browser->size(360, 740, true);
    EXPECT_LE(value("document.documentElement.scrollWidth").get<int>(), 360) << name;
    keep(name + "-phone", false);
    browser->size(790, 1100);
    browser->media("print");
    EXPECT_EQ(
        value("[...document.querySelectorAll('nav,label')].every(e=>getComputedStyle(e).display==='none')"),
        true);
    keep(name + "-print");
    browser->media("");
    browser->size(1200, 800);
  }
}

TEST_F(BrowserTest, AStudentReadsTheFeedbackWithoutScrollingSideways) {
  for (const int width : {1280, 375}) {
    browser->size(width, 800, width < 500);
    show("feedback", made.feedback());
    expect_sound();
    EXPECT_TRUE(
        value("[document.documentElement,...document.querySelectorAll('.scroll,pre')].every(e=>"
              "e.scrollWidth<=e.clientWidth)"))
        << width;
    // Names and verdicts break only between words, so "wrong answer" has at most two lines.
    EXPECT_TRUE(value(
        "[...document.querySelectorAll('#cases tbody th,#cases tbody span')].every(e=>{const r=document."
        "createRange();r.selectNodeContents(e);const lines=new Set([...r.getClientRects()].map(b=>b.y));"
        "return lines.size<=e.textContent.split(' ').length})"))
        << width;
    keep("feedback-" + std::to_string(width));
    for (const char* scheme : {"light", "dark"}) {
      browser->media("", scheme);
      EXPECT_GE(browser->least_contrast(), 4.5) << scheme;
    }
    browser->media("");
  }
  EXPECT_THAT(value("document.querySelector('#cases').textContent"), HasSubstr("Next: look at which"));
  // The keyboard moves the focus visibly from table to table and to the report.
  for (const char* place : {"Parts", "Cases", "PRE"}) {
    browser->press("Tab");
    EXPECT_EQ(value("document.activeElement.ariaLabel||document.activeElement.tagName"), place);
    EXPECT_NE(value("getComputedStyle(document.activeElement).outlineStyle"), "none");
  }
}

TEST_F(BrowserTest, TheStudentsPageShowsNoName) {
  show("leaderboard", leaderboard_page(made.its, made.board, "2030-02-01T00:00:00Z"));
  expect_sound();
  const std::string text = value("document.documentElement.outerHTML");
  for (const Mark& mark : made.all) {
    EXPECT_THAT(text, Not(HasSubstr(mark.student)));
    if (mark.name.empty()) continue;
    EXPECT_THAT(text, Not(HasSubstr(mark.name)));
  }
  EXPECT_THAT(text, HasSubstr("Nick 1"));
  EXPECT_EQ(value("document.querySelectorAll('#board tbody tr').length"), 32);
  EXPECT_EQ(value("document.querySelectorAll('polyline').length"), 12);
  browser->click("[...document.querySelectorAll('#board th button')].find(b=>b.textContent==='Nickname')");
  EXPECT_TRUE(
      value("(()=>{const m=[...document.querySelectorAll('#board tbody tr')].map(r=>r.cells[0].textContent);"
            "return m.every((v,i)=>i===0||m[i-1].localeCompare(v)<=0)})()"));
  keep("leaderboard");
}

}  // namespace
}  // namespace grader
