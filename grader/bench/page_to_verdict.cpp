// Measures the time from saving a file to the verdict, in the workbench's page and in a terminal.
//
//     page_to_verdict [LAB … [--runs N]]        default: all labs, 3 runs
//
// Each run appends a comment to a source of the lab's solution, so that its object is not cached, and grades
// it in emulation: once with Ctrl+S in the page (grader serve, headless Chromium), and once with `grader LAB`
// as a command. The program prints the medians of both times and their ratio. In the page, the time ends when
// the document shows the verdict.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "browser.hpp"
#include "catalog/catalog.hpp"
#include "workbench.hpp"
#include "workspace/submission.hpp"

namespace grader::testing {
namespace {

using Clock = std::chrono::steady_clock;

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const std::size_t n = v.size();
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/// Seconds from the key press to the verdict. @param name, text the file to save
double in_page(Browser& browser, const std::string& name, const std::string& text) {
  const std::string seconds = R"((async()=>{
    const button=[...document.querySelectorAll('#files button')].find(b=>b.textContent.split(' ')[0]===@NAME@);
    button.click();
    const editor=document.querySelector('.CodeMirror').CodeMirror,message=document.getElementById('message');
    editor.replaceRange(@TEXT@,{line:0,ch:0},{line:editor.lastLine()+1,ch:0});
    message.textContent='';
    const begin=performance.now();
    const verdict=new Promise(done=>new MutationObserver(()=>{
      if(message.textContent.includes(' points')||message.textContent.includes('not graded'))done(performance.now())
    }).observe(message,{childList:true}));
    dispatchEvent(new KeyboardEvent('keydown',{key:'s',ctrlKey:true,cancelable:true}));
    return (await verdict-begin)/1000})())";
  return browser
      .value_of(replace_all(replace_all(seconds, "@NAME@", nlohmann::json(name).dump()), "@TEXT@",
                            nlohmann::json(text).dump()))
      .get<double>();
}

void compare(const Kit& kit, const Lab& lab, int runs) {
  const Submission solution = read_submission(kit, lab, 1, Origin::solution);
  const std::string name = solution.sources().front().generic_string();
  std::string text;
  for (const SubmissionFile& file : solution.files)
    if (file.name == name) text = file.text;
  const Serving serving{kit.root};
  User user(kit.root);
  user.set("GRADER_WORKSPACE", user.folder() / "work");
  const std::string level = lab.id + "/level1/";
  for (const SubmissionFile& file : solution.files) {
    write_file(serving.work() / level / file.name, file.text);
    write_file(user.folder() / "work" / level / file.name, file.text);
  }
  Browser browser;
  browser.size(1600, 900);
  browser.open(serving.address());
  if (!browser.wait_for("document.querySelector('#labs table')")) throw std::runtime_error("no page");
  browser.value_of("location.hash='#" + lab.id + "/1'");
  if (!browser.wait_for("document.querySelector('.CodeMirror')&&document.querySelector('#handout h1')"))
    throw std::runtime_error("no editor");
  std::vector<double> page, terminal;
  std::string verdict;
  for (int i = -1; i < runs; ++i) {  // the first run fills caches, and does not count
    const auto changed = [&](const char* where) {
      return text + "// saved in a " + where + " at " +
             std::to_string(Clock::now().time_since_epoch().count()) + "\n";
    };
    const auto run_page = [&] {
      const double seconds = in_page(browser, name, changed("page"));
      if (i >= 0) page.push_back(seconds);
    };
    const auto run_terminal = [&] {
      write_file(user.folder() / "work" / level / name, changed("terminal"));
      const auto begin = Clock::now();
      const Ran ran = user.grader({lab.id});
      if (i >= 0) terminal.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
      if (ran.exit_code > 1) throw std::runtime_error(ran.out + ran.err);
    };
    if (i % 2 == 0) {  // alternately, since a machine's speed changes
      run_page();
      run_terminal();
    } else {
      run_terminal();
      run_page();
    }
  }
  verdict = browser.value_of("document.getElementById('message').textContent");
  std::printf("%-8s page %7.2f s   terminal %7.2f s   ratio %5.2f   (%s)\n", lab.id.c_str(), median(page),
              median(terminal), median(page) / median(terminal), verdict.c_str());
  std::fflush(stdout);
}

}  // namespace
}  // namespace grader::testing

int main(int argc, char** argv) try {
  using namespace grader;
  int runs = 3;
  std::vector<std::string> labs;
  for (int i = 1; i < argc; ++i) {
    if (argv[i] == std::string("--runs") && i + 1 < argc)
      runs = std::max(1, std::atoi(argv[++i]));
    else
      labs.emplace_back(argv[i]);
  }
  const Kit kit = Kit::find(KIT_SOURCE_DIR);
  const Catalog catalog = Catalog::load(kit);
  for (const Lab& lab : catalog.labs())
    if (labs.empty() || std::find(labs.begin(), labs.end(), lab.id) != labs.end())
      grader::testing::compare(kit, lab, runs);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
