// Types the planted mistakes of a lab into the workbench's editor, one after the other, and grades them
// there. The page must say what the terminal prints about the same grading, and each line that the terminal
// names must have a note in the editor.
//
// By default, the test types one mistake of each kind of lab2.1. KIT_PLAY names labs of which it types all
// mistakes:
// KIT_PLAY="lab1.1 lab2.1 lab2.2" build/tests/integration_serve --gtest_filter='Labs/ServeMistakes.*'
#include <gmock/gmock.h>

#include <iterator>
#include <regex>
#include <set>

#include "author/wrong.hpp"
#include "serve_page.hpp"
#include "workspace/workspace.hpp"

namespace grader::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

std::vector<std::string> played_labs() {
  const char* labs = std::getenv("KIT_PLAY");
  std::istringstream in(labs != nullptr ? labs : "lab2.1");
  return {std::istream_iterator<std::string>(in), {}};
}

/// All mistakes, or by default one for each verdict and finding.
std::vector<WrongSolution> played(std::vector<WrongSolution> all) {
  std::set<std::pair<Verdict, std::string>> kinds;
  if (std::getenv("KIT_PLAY") == nullptr)
    std::erase_if(all, [&](const WrongSolution& wrong) {
      return !kinds.emplace(wrong.verdict, wrong.finding.rule).second;
    });
  return all;
}

std::string one_line(const std::string& text) {
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

class ServeMistakes : public ServePage, public ::testing::WithParamInterface<std::string> {
 protected:
  using Line = std::pair<std::string, int>;

  /// Types those files that differ from the page's.
  void type_in(const Submission& wrong) {
    for (const SubmissionFile& file : wrong.files) {
      const std::string button =
          "[...document.querySelectorAll('#files button')].find(b=>b.textContent.split(' ')[0]===" +
          nlohmann::json(file.name.generic_string()).dump() + ")";
      if (browser_->value_of("!!" + button) == false) continue;
      browser_->value_of(button + ".click()");
      browser_->value_of(
          "(()=>{const e=" + editor + ",text=" + nlohmann::json(file.text).dump() +
          ";if(e.getValue()!==text)e.replaceRange(text,{line:0,ch:0},{line:e.lastLine()+1,ch:0})})()");
    }
  }
  /// Presses the keys that save and run, and waits for the verdict.
  void run(const std::string& key, int modifiers = 0) {
    browser_->value_of("document.getElementById('message').textContent=''");
    browser_->press_with(Browser::control | modifiers, key);
    ASSERT_TRUE(browser_->wait_for(
        "document.getElementById('message').textContent&&document.getElementById('cancel').hidden", 120));
  }
  bool notes_of(const std::string& rule) {
    return browser_->value_of(
        "[...document.querySelectorAll('button.place')].some(e=>e.lastChild.textContent.startsWith('" + rule +
        ": '))");
  }

  /// The verdict, its sentence and the next steps, in the form in which the terminal's report begins.
  std::string first_lines() {
    return one_line(browser_->value_of(R"((()=>{
      const head=document.querySelector('#verdict h2'),[verdict,points]=head.textContent.split(', ');
      let out=verdict.toUpperCase()+(points?' '+points:'');
      for(let e=head.nextElementSibling;e?.tagName==='P';e=e.nextElementSibling)out+=' '+e.textContent;
      return out})())"));
  }

  /// The lines in the list below the verdict. Each entry leads to its line, where its note is.
  std::set<Line> lines_with_notes() {
    std::set<Line> out;
    const int count = browser_->value_of("document.querySelectorAll('button.place').length");
    for (int i = 0; i < count; ++i) {
      const std::string entry = "document.querySelectorAll('button.place')[" + std::to_string(i) + "]";
      const std::string place = browser_->value_of(entry + ".firstChild.textContent.trim()");
      const std::string text = browser_->value_of(entry + ".lastChild.textContent");
      browser_->value_of(entry + ".click()");
      const auto shown = browser_->value_of(
          "(()=>{const e=" + editor +
          ",line=e.getCursor().line;return {"
          "file:document.querySelector('#files [aria-pressed=true]').textContent.split(' ')[0],line:line+1,"
          "notes:(e.lineInfo(line).widgets??[]).map(w=>w.node.textContent)}})()");
      const Line line = {shown["file"], shown["line"]};
      EXPECT_EQ(line.first + ":" + std::to_string(line.second), place);
      EXPECT_THAT(shown["notes"].get<std::vector<std::string>>(), ::testing::Contains(text)) << place;
      out.insert(line);
    }
    return out;
  }
};

/// The lines that a report names as the cause: in a compiler's message, in a finding's accesses, or as "look
/// at k.cu:73".
std::set<std::pair<std::string, int>> lines_in(const std::string& report, const Submission& of) {
  std::set<std::pair<std::string, int>> out;
  const std::regex place(R"((?:^|\n|  |look at )([\w.]+\.\w+):(\d+)(?=\n|:\d+: ))");
  for (std::sregex_iterator at(report.begin(), report.end(), place); at != std::sregex_iterator(); ++at)
    for (const SubmissionFile& file : of.files)
      if (file.name == (*at)[1].str()) out.emplace((*at)[1], std::stoi((*at)[2]));
  return out;
}

TEST_P(ServeMistakes, EachIsSaidAsInATerminalAndNotedInItsLines) {
  const Kit kit{KIT_SOURCE_DIR};
  std::optional<int> none;
  const Catalog catalog = Catalog::load(kit);
  const Lab& lab = catalog.find(GetParam(), none);
  const Submission solution = read_submission(kit, lab, 1, Origin::solution);
  const Serving serving{fs::path(KIT_SOURCE_DIR)};
  User terminal;
  terminal.set("GRADER_HOME", serving.state());
  terminal.set("GRADER_WORKSPACE", serving.work());
  open(serving, lab.id + "/1");
  int gradings = 0, noted = 0, checked = 0;
  const auto compare = [&](const std::string& report, const Submission& files) {
    EXPECT_THAT(one_line(report), HasSubstr(first_lines()));
    const auto lines = lines_with_notes();
    EXPECT_THAT(lines, IsSupersetOf(lines_in(report, files))) << report;
    return !lines.empty();
  };
  for (const WrongSolution& wrong : played(read_wrong(kit, lab))) {
    SCOPED_TRACE(wrong.name + ": " + wrong.title);
    const Submission files = apply_wrong(solution, wrong);
    type_in(files);
    run("s");
    if (HasFatalFailure()) return;
    const Ran graded = terminal.grader({"results", "--id", std::to_string(++gradings)});
    ASSERT_EQ(graded.exit_code, 0) << graded.err;
    bool has_note = compare(graded.out, files);
    if (!wrong.finding.rule.empty() && !notes_of(wrong.finding.rule)) {
      run("Enter", Browser::shift);
      if (HasFatalFailure()) return;
      has_note = compare(terminal.grader({"check", lab.id}).out, files);
      EXPECT_TRUE(notes_of(wrong.finding.rule)) << "the check has no note on " << wrong.finding.rule;
      ++checked;
    }
    if (wrong.verdict == Verdict::compile_error) {
      EXPECT_TRUE(has_note) << graded.out;
    }
    noted += has_note;
  }
  std::printf("%s: %d mistakes, %d checked too, %d with notes in lines\n", lab.id.c_str(), gradings, checked,
              noted);
}

INSTANTIATE_TEST_SUITE_P(Labs, ServeMistakes, ::testing::ValuesIn(played_labs()), [](const auto& lab) {
  return std::regex_replace(lab.param, std::regex("\\W"), "_");
});

}  // namespace
}  // namespace grader::testing
