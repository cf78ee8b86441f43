// Tests `grader view LAB` with the real program: the kernel of a planted mistake as an approved text
// (approved/kernel-*.txt), as JSON, and as a page in a headless Chromium that is controlled by mouse, keys
// and touch. With KIT_SCREENSHOTS=DIR, screenshots are stored in DIR.
#include <gmock/gmock.h>

#include <algorithm>
#include <iostream>

#include "approved.hpp"
#include "author/wrong.hpp"
#include "browser.hpp"
#include "catalog/catalog.hpp"
#include "grader_runner.hpp"
#include "view/kernel_page.hpp"

namespace grader {
namespace view_kernel_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Ran;

class ViewKernel : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    user = std::make_unique<testing::User>();
    if (!testing::Browser::program().empty()) browser = std::make_unique<testing::Browser>();
  }
  static void TearDownTestSuite() {
    browser.reset();
    user.reset();
  }

  /// Writes the files of a lab's solution with a planted mistake to a folder of the user.
  static std::string plant(const std::string& lab_id, const std::string& name) {
    const std::string folder = lab_id + "-" + name;
    if (fs::exists(user->folder() / folder)) return folder;
    const Kit kit{KIT_SOURCE_DIR};
    const Catalog catalog = Catalog::load(kit);
    std::optional<int> level;
    const Lab& lab = catalog.find(lab_id, level);
    const std::vector<WrongSolution> all = read_wrong(kit, lab);
    const auto planted =
        std::find_if(all.begin(), all.end(), [&](const WrongSolution& wrong) { return wrong.name == name; });
    if (planted == all.end()) throw std::runtime_error("no such mistake: " + name);
    for (const SubmissionFile& file :
         apply_wrong(read_submission(kit, lab, 1, Origin::solution, ""), *planted).files)
      testing::write_file(user->folder() / folder / file.name, file.text);
    return folder;
  }

  static Ran view(const std::string& lab, const std::string& mistake, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"view", lab, "--from", plant(lab, mistake)};
    words.insert(words.end(), more.begin(), more.end());
    return user->grader(words);
  }

  static void expect_approved(const std::string& name, const Ran& ran) {
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    testing::expect_approved("kernel-" + name, ran.out);
  }

  static std::unique_ptr<testing::User> user;
  static std::unique_ptr<testing::Browser> browser;
};
std::unique_ptr<testing::User> ViewKernel::user;
std::unique_ptr<testing::Browser> ViewKernel::browser;

TEST_F(ViewKernel, ReportsPlantedMistakes) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"lab2.1", "no-barrier-before"}, {"lab2.1", "no-barrier-after"}, {"lab2.1", "transposed"},
      {"lab2.1", "early-return"},      {"lab1.1", "truncated-grid"},   {"lab1.1", "no-guard"},
      {"lab1.1", "sum-from-memory"},   {"lab1.1", "row-stride"},       {"lab1.1", "host-pointer"},
      {"lab2.2", "no-barrier-in-tree"}};
  for (const auto& [lab, mistake] : mistakes)
    expect_approved(lab + "-" + mistake, view(lab, mistake, {"--format", "text"}));
}

/// Both kernels are right, but expensive: in scheme 1b, neighbouring threads cause bank conflicts, and in
/// scheme 1a every warp diverges.
TEST_F(ViewKernel, ReportsConflictsAndDivergence) {
  for (const std::string scheme : {"scheme1a", "scheme1b"})
    expect_approved("lab1.2-" + scheme,
                    user->grader({"view", "lab1.2", "--solution", "--case", scheme, "--format", "text"}));
}

TEST_F(ViewKernel, TheSameProgramGivesTheSamePage) {
  const Ran first = view("lab2.1", "no-barrier-before", {"-o", "first.html"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("lab2.1, case n8 (8): first.html ("));
  ASSERT_EQ(view("lab2.1", "no-barrier-before", {"-o", "second.html", "--case", "n8"}).exit_code, 0);
  const std::string page = testing::read_file(user->folder() / "first.html");
  EXPECT_TRUE(page == testing::read_file(user->folder() / "second.html"));
  EXPECT_LT(page.size(), std::size_t{5} << 20);
}

TEST_F(ViewKernel, GivesMachinesTheSame) {
  const Ran ran = view("lab2.1", "no-barrier-before", {"--format", "json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto parsed = ran.json();
  EXPECT_EQ(parsed["kind"], "kernel");
  EXPECT_EQ(parsed["right"], false);
  EXPECT_EQ(parsed["findings"][0]["rule"], "race");
  const auto& launch = parsed["launches"][0];
  EXPECT_EQ(launch["kernel"], "matrixMul");
  ASSERT_EQ(launch["blocks"].size(), 1u);
  // A block has 256 threads, which are 8 warps. Each warp makes two reads and two writes for the tiles, and
  // 16 products. 4 warps also store.
  std::size_t steps = 0, reads_of_nothing = 0;
  for (const auto& phase : launch["blocks"][0]["phases"])
    for (const auto& step : phase["steps"]) {
      ++steps;
      if (step[3] == 0)
        for (const auto& value : step[7]) reads_of_nothing += value == 0 ? 1 : 0;
    }
  EXPECT_EQ(steps, 8 * (2 + 2 + 2 * 16) - 4 * 2 + 4u) << "warps 4 to 7 lie outside of M, those of N too";
  EXPECT_GT(reads_of_nothing, 0u);
  EXPECT_EQ(parsed["values"][0], "");
}

/// If a program misses a requirement, the page has the same verdict and sentence as `grader check`.
TEST_F(ViewKernel, SaysWhatACheckSays) {
  user->write_solution("lab0-hello_world", "missed", "return lab::finish(true);",
                       "fprintf(stderr, \"it is too slow\\n\"); return 5;");
  const Ran checked = user->grader({"check", "lab0", "--from", "missed", "--json"});
  const auto result = checked.json()["cases"][0];
  EXPECT_EQ(result["verdict"], "requirement_failed") << checked.out;
  const Ran shown = user->grader({"view", "lab0", "--from", "missed", "--format", "json"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  const auto parsed = shown.json();
  EXPECT_EQ(parsed["verdict"], result["verdict"]);
  EXPECT_EQ(parsed["message"], result["message"]);
  EXPECT_EQ(parsed["right"], true);
  const std::string text = user->grader({"view", "lab0", "--from", "missed", "--format", "text"}).out;
  EXPECT_THAT(text, HasSubstr("The output is right, but: it is too slow."));
  EXPECT_THAT(text, Not(HasSubstr("The result is right.")));
}

/// Hidden cases stay hidden, and the page of a student contains only the student's files.
TEST_F(ViewKernel, KeepsWhatIsSecret) {
  const Ran hidden = user->grader({"view", "lab2.1", "--solution", "--case", "n17"});
  EXPECT_EQ(hidden.exit_code, 2);
  EXPECT_THAT(hidden.err, HasSubstr("lab2.1 has no case \"n17\" to view"));
  ASSERT_EQ(view("lab2.1", "transposed", {"-o", "secret.html"}).exit_code, 0);
  const std::string page = testing::read_file(user->folder() / "secret.html");
  EXPECT_THAT(page, HasSubstr("P[col * n + row] = sum;"));
  EXPECT_THAT(page, Not(HasSubstr("P[row * n + col] = sum;"))) << "that is the solution's line";
}

/// `grader check --view` makes the page of the first case with a finding.
TEST_F(ViewKernel, IsMadeOfWhatACheckFound) {
  const std::string folder = plant("lab1.1", "no-guard");
  const fs::path page = user->folder() / "lab1.1.html";
  fs::remove(page);
  const Ran wrong = user->grader({"check", "lab1.1", "--from", folder, "--view"});
  EXPECT_EQ(wrong.exit_code, 1) << wrong.err;
  EXPECT_THAT(wrong.out, HasSubstr("lab1.1, case n8 (8): lab1.1.html"));
  EXPECT_TRUE(fs::exists(page));
  fs::remove(page);
  const Ran right = user->grader({"check", "lab1.1", "--solution", "--view"});
  EXPECT_EQ(right.exit_code, 0) << right.err;
  EXPECT_THAT(right.err, HasSubstr("No page was made, since the checker found nothing"));
  EXPECT_FALSE(fs::exists(page));
  EXPECT_THAT(user->grader({"check", "lab1.1", "--view", "--json"}).out,
              HasSubstr("grader view lab1.1 --format json"));
  EXPECT_THAT(user->grader({"check", "lab1.1", "--view", "--backend", "gpu"}).err,
              HasSubstr("needs emulation"));
}

TEST_F(ViewKernel, SaysWhatCannotBeSeen) {
  const Ran gpu = user->grader({"view", "lab2.1", "--backend", "gpu"});
  EXPECT_EQ(gpu.exit_code, 2);
  EXPECT_THAT(gpu.err, HasSubstr("Only emulation records the steps of a kernel"));
  const Ran todo = user->grader({"view", "lab1.1", "--level", "1"});
  EXPECT_EQ(todo.exit_code, 2) << todo.out;
  EXPECT_THAT(replace_all(todo.err, "\n", " "), HasSubstr("No kernel ran, so there is nothing to see"))
      << todo.err;
  testing::write_file(user->folder() / "mine.html", "mine");
  const Ran other = view("lab2.1", "transposed", {"-o", "mine.html"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_EQ(testing::read_file(user->folder() / "mine.html"), "mine");
  // If the page can't be written, this is reported before anything is built: these files would not compile.
  testing::write_file(user->folder() / "broken" / "matrixmul_kernel.cu", "no C++");
  const Ran nowhere = user->grader({"view", "lab2.1", "--from", "broken", "-o", "nowhere/x.html"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("nowhere/x.html can't be written: nowhere does not exist."));
  EXPECT_THAT(nowhere.err, HasSubstr("Next: mkdir -p nowhere"));
  EXPECT_FALSE(fs::exists(user->folder() / "nowhere"));
}

class KernelPage : public ViewKernel {
 protected:
  void SetUp() override {
    if (browser == nullptr) GTEST_SKIP() << "there is no Chromium: install the package chromium";
    browser->complaints.clear();
    browser->media("", "light", true);
    browser->size(1280, 900);
  }
  void open(const std::string& lab, const std::string& mistake) {
    const std::string page = lab + "-" + mistake + ".html";
    const Ran made = view(lab, mistake, {"-o", page});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    browser->open_file(user->folder() / page);
  }
  nlohmann::json value(const std::string& expression) { return browser->value_of(expression); }
  std::string text(const std::string& id) { return value("element('" + id + "').textContent"); }
  int time() { return value("player.time"); }
  void keep(const std::string& name) {
    if (const char* to = std::getenv("KIT_SCREENSHOTS"))
      testing::write_file(fs::path(to) / (name + ".png"), browser->screenshot());
  }
};

/// The page first shows where the barrier is missing: both accesses, both lines, and the rows of the tile
/// that no thread has filled yet.
TEST_F(KernelPage, BeginsWithTheMistake) {
  open("lab2.1", "no-barrier-before");
  EXPECT_THAT(text("verdict"), HasSubstr("64 of 64 elements of P are wrong"));
  EXPECT_THAT(text("findings"), HasSubstr("two threads of a warp of block (0,0,0) touch tile_M[0][0]"));
  EXPECT_THAT(text("now"), HasSubstr("Warp 0: 32 of 32 lanes read tile_M[0][0]"));
  EXPECT_EQ(value("[...document.querySelectorAll('.line.here .number')].map(n=>n.textContent)"),
            nlohmann::json({"61", "67"}));
  EXPECT_EQ(value("[...player.marked.values()]"), nlohmann::json({"A", "B"}));
  EXPECT_THAT(text("element-words"), HasSubstr("with no barrier between"));
  EXPECT_EQ(value("player.clashes.size"), 512) << "all elements of both tiles";
  keep("kernel-no-barrier-before-1280");
  browser->size(420, 900, true);
  EXPECT_LE(value("document.documentElement.scrollWidth"), 420);
  keep("kernel-no-barrier-before-420");
  browser->size(1280, 900);
  for (const std::string scheme : {"light", "dark"}) {
    browser->media("", scheme, true);
    EXPECT_GE(browser->least_contrast(), 4.5) << scheme;
  }
  keep("kernel-dark");
  EXPECT_THAT(browser->complaints, IsEmpty());
}

/// Values are written on pale colours of warps. Colour-blind readers must be able to distinguish these
/// colours: in light and dark mode, their distance in CIE's L*a*b* is at least 7 under the matrices of
/// Machado, Oliveira and Fernandes (2009).
TEST_F(KernelPage, ColoursDifferForTheColourBlind) {
  open("lab2.1", "transposed");
  const std::string least = R"((paper => {
    const kinds = [[1,0,0, 0,1,0, 0,0,1],
      [.152286,1.052583,-.204868, .114503,.786281,.099216, -.003882,-.048116,1.051998],
      [.367322,.860646,-.227968, .280085,.672501,.047413, -.011820,.042940,.968881],
      [1.255528,-.076749,-.178779, -.078411,.930809,.147602, .004733,.691367,.303900]];
    const linear = v => v / 255 <= .04045 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4;
    const f = t => t > .008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116;
    const lab = ([r, g, b]) => {
      const x = f((.4124 * r + .3576 * g + .1805 * b) / .95047), y = f(.2126 * r + .7152 * g + .0722 * b), z = f((.0193 * r + .1192 * g + .9505 * b) / 1.08883);
      return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
    };
    let least = Infinity;
    for (const m of kinds) {
      const seen = warpColours.map(colour => {
        const rgb = [1, 3, 5].map(i => linear((parseInt(colour.slice(i, i + 2), 16) + paper) / 2));
        return lab([0, 3, 6].map(i => Math.min(Math.max(m[i] * rgb[0] + m[i + 1] * rgb[1] + m[i + 2] * rgb[2], 0), 1)));
      });
      for (let i = 0; i < 8; ++i)
        for (let j = 0; j < i; ++j) least = Math.min(least, Math.hypot(...seen[i].map((v, k) => v - seen[j][k])));
    }
    return least;
  }))";
  EXPECT_GT(value(least + "(255)"), 7);
  EXPECT_GT(value(least + "(20)"), 7);
}

/// A thread can be followed by a key, a choice or a click: the page shows its steps, its place in the source,
/// and its last access.
TEST_F(KernelPage, FollowsAThread) {
  open("lab2.1", "transposed");
  browser->press("Home");
  EXPECT_EQ(value("element('thread-story').hidden"), true);
  EXPECT_EQ(value("element('thread').disabled"), true) << "a warp comes first";
  browser->press("t");
  EXPECT_EQ(text("thread-story"),
            "Thread (0,0,0), lane 0 of warp 0, is still to go on. It has touched nothing yet.");
  EXPECT_EQ(value("element('warp').value + ' ' + element('thread').value"), "0 0");
  browser->press("ArrowRight");
  EXPECT_EQ(
      text("thread-story"),
      "Thread (0,0,0), lane 0 of warp 0, takes part. Last it read M[0][0] (0.5) at matrixmul_kernel.cu:61.");
  EXPECT_EQ(value("[...document.querySelectorAll('.line.here .number')].map(n=>n.textContent)"),
            nlohmann::json({"61"}));
  // Thread (9,0,0) is outside of the matrices of 8 × 8. It only fills the tiles with zeros.
  value("element('thread').value = 9, element('thread').dispatchEvent(new Event('change'))");
  browser->press("Home");
  browser->press("ArrowRight");
  EXPECT_THAT(text("thread-story"), HasSubstr("Last it wrote tile_M[0][9] (0) at matrixmul_kernel.cu:61."));
  // A click on a thread selects the thread and its warp. Another click selects no thread.
  const std::string click =
      "(() => { const box = element('thread-grid').getBoundingClientRect(), size = threadLayout().size;"
      "  element('thread-grid').dispatchEvent(new MouseEvent('click', { clientX: box.left + 3.5 * size, "
      "clientY: "
      "box.top + 4.5 * size })); return player.thread; })()";
  EXPECT_EQ(value(click), 4 * 16 + 3);
  EXPECT_THAT(text("thread-story"), HasSubstr("Thread (3,4,0), lane 3 of warp 2, "));
  EXPECT_EQ(value("element('warp').value"), "2");
  browser->press("End");
  EXPECT_THAT(text("thread-story"), AllOf(HasSubstr("has returned"), HasSubstr("Last it wrote P[3][4]")));
  keep("kernel-thread");
  EXPECT_EQ(value(click), -1);
  EXPECT_EQ(value("element('thread-story').hidden"), true);
  EXPECT_THAT(browser->complaints, IsEmpty());
}

/// If the result is right, the page begins at the most expensive place: bank conflicts or divergent warps. If
/// nothing is expensive, it begins at the start.
TEST_F(KernelPage, BeginsAtTheExpensivePlace) {
  const std::pair<const char*, const char*> schemes[] = {
      {"scheme1a", "Warp 0: 16 of 32 lanes"},
      {"scheme1b", "Warp 0: 32 of 32 lanes read sums[0] … sums[496]"},
      {"scheme2", "Block (0,0,0) begins."}};
  for (const auto& [scheme, now] : schemes) {
    const std::string page = std::string(scheme) + ".html";
    ASSERT_EQ(user->grader({"view", "lab1.2", "--solution", "--case", scheme, "-o", page}).exit_code, 0);
    browser->open_file(user->folder() / page);
    EXPECT_THAT(text("now"), HasSubstr(now));
    keep(std::string("kernel-") + scheme);
  }
}

TEST_F(KernelPage, StepsByMouseKeysAndFingers) {
  open("lab2.1", "no-barrier-after");
  const int begin = time();
  browser->press("ArrowRight");
  EXPECT_EQ(time(), begin + 1);
  browser->press("ArrowLeft");
  EXPECT_EQ(time(), begin);
  browser->press("Home");
  EXPECT_EQ(time(), 0);
  EXPECT_THAT(text("now"), HasSubstr("Block (0,0,0) begins. 2 barriers"));
  browser->press("PageDown");
  EXPECT_THAT(text("now"), HasSubstr("Barrier: 256 of 256 threads wait at matrixmul_kernel.cu:63."));
  EXPECT_THAT(text("thread-words"), HasSubstr("wait at the barrier"));
  browser->click("element('barrier-on')");
  EXPECT_EQ(value("player.step().phase"), 1);
  browser->click("element('barrier-back')");
  EXPECT_EQ(value("player.step().phase"), 0);
  browser->press("w");
  browser->press("w");
  EXPECT_EQ(value("element('warp').value"), "1");
  browser->press("ArrowRight");
  EXPECT_EQ(value("player.step().warp"), 1) << "the others' steps are passed over";
  browser->press("W", true);
  browser->press("b");
  EXPECT_EQ(value("player.blockNumber"), 1);
  EXPECT_EQ(time(), 0);
  browser->press("End");
  EXPECT_THAT(text("now"), HasSubstr("The block's end: all threads have returned."));
  browser->press("f");
  EXPECT_EQ(value("player.blockNumber"), 0) << "that is where the checker saw it";
  value("document.activeElement.blur()");  // otherwise a key press would activate the focused button
  browser->press("Space");
  EXPECT_TRUE(value("player.playing"));
  const int then = time();
  EXPECT_TRUE(value("new Promise(done=>setTimeout(()=>done(true),700))"));
  EXPECT_GT(time(), then);
  browser->click("element('play')");
  EXPECT_FALSE(value("player.playing"));
  // The mouse, the keys and a finger can select elements of an array.
  browser->click("grids[1].canvas");
  EXPECT_EQ(value("player.chosen.array"), 1);
  EXPECT_THAT(text("element-words"), HasSubstr("tile_M["));
  value("grids[1].canvas.focus()");
  browser->press("ArrowRight");
  browser->press("ArrowDown");
  browser->press("Enter");
  EXPECT_EQ(text("element-head"), "tile_M[1][1]");
  browser->size(420, 900, true);
  const nlohmann::json at = value(
      "(()=>{const b=element('on');b.scrollIntoView({block:'center'});const "
      "r=b.getBoundingClientRect();return "
      "[r.x+r.width/2,r.y+r.height/2]})()");
  value("player.go(0)");
  browser->touch({{at[0], at[1]}}, {{at[0], at[1]}});
  EXPECT_TRUE(value("new Promise(done=>setTimeout(()=>done(true),400))"));
  EXPECT_EQ(time(), 1) << "a tap";
  EXPECT_THAT(browser->complaints, IsEmpty());
}

/// The values that a picture shows are those of the run.
TEST_F(KernelPage, MemoryIsThatOfTheRun) {
  open("lab2.1", "transposed");
  EXPECT_THAT(text("verdict"), HasSubstr("56 of 64 elements of P are wrong, P[0][1] first."));
  EXPECT_THAT(text("element-words"), HasSubstr("It should be"));
  keep("kernel-transposed-1280");
  browser->size(420, 900, true);
  keep("kernel-transposed-420");
  browser->size(1280, 900);
  EXPECT_TRUE(value(R"((()=>{player.go(player.block.steps.length);
    const number=name=>trace.arrays.findIndex(a=>a.name===name);
    const at=(name,i,j)=>Number(trace.values[player.memory.arrays[number(name)].get(8*i+j).value]);
    for(let i=0;i<8;++i)for(let j=0;j<8;++j){let sum=0;for(let k=0;k<8;++k)sum+=at('M',i,k)*at('N',k,j);
      if(sum!==at('P',j,i))return false}return true})())"))
      << "P is the transpose of the product of what stands in M and N";
  EXPECT_TRUE(
      value("(()=>{const all=[];for(const back of "
            "[false,true]){player.go(100);if(back){player.go(250);player.go(100)}"
            "all.push(JSON.stringify(player.memory.arrays.map(a=>[...a])))}return all[0]===all[1]})()"))
      << "there and back";
  EXPECT_THAT(browser->complaints, IsEmpty());
}

TEST_F(KernelPage, MistakesOfOtherKinds) {
  open("lab2.1", "early-return");
  EXPECT_THAT(text("now"),
              HasSubstr("Barrier: 64 of 256 threads wait at matrixmul_kernel.cu:64; 192 have returned."));
  EXPECT_THAT(text("thread-words"), HasSubstr("192 have returned (crossed)"));
  keep("kernel-early-return-1280");
  open("lab1.1", "no-guard");
  EXPECT_THAT(text("now"), HasSubstr("32 of them outside of M: M[8][0]."));
  EXPECT_THAT(text("element-words"), HasSubstr("M[8][0] is outside of M, which has 64 elements."));
  keep("kernel-no-guard-1280");
  open("lab1.1", "truncated-grid");
  EXPECT_THAT(text("element-words"), HasSubstr("No thread writes P[0][32]. It should be"));
  keep("kernel-truncated-grid-1280");
  EXPECT_THAT(browser->complaints, IsEmpty());
}

/// A held key steps through the kernel without delay. Other programs slow down the page as much as a
/// reference loop, so the test compares the two.
TEST_F(KernelPage, IsQuick) {
  open("lab2.1", "no-barrier-after");
  const auto loaded = static_cast<int>(value("performance.getEntriesByType('navigation')[0].loadEventEnd"));
  double step = 1e9, loop = 1e9;
  for (int run = 0; run < 5; ++run) {
    step = std::min<double>(
        step, value("(()=>{const t=performance.now();player.go(0);for(let i=0;i<300;++i)player.on();return "
                    "(performance.now()-t)/300})()"));
    loop = std::min<double>(
        loop,
        value("(()=>{const t=performance.now();let s=0;for(let i=0;i<1e7;++i)s+=i%7;window.sum=s;return "
              "performance.now()-t})()"));
  }
  std::cout << "loaded in " << loaded << " ms; a step takes " << step << " ms, ten million additions " << loop
            << " ms\n";
  RecordProperty("loaded_ms", loaded);
  EXPECT_LT(loaded, 5000) << "about 300 on an idle machine";
  EXPECT_LT(step, loop);
}

/// Names, printed text and source of a student can't become script.
TEST_F(KernelPage, NothingHostileRuns) {
  const std::string hostile =
      "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>\"'-->";
  ASSERT_EQ(view("lab2.1", "no-barrier-before", {"-o", "good.html"}).exit_code, 0);
  nlohmann::json trace = view("lab2.1", "no-barrier-before", {"--format", "json"}).json();
  for (auto& array : trace["arrays"]) array["name"] = array["type"] = array["on_device"] = hostile;
  for (auto& finding : trace["findings"]) {
    finding["headline"] = finding["hint"] = finding["rule"] = hostile;
    for (auto& party : finding["parties"]) party["what"] = party["text"] = hostile;
  }
  trace["sources"][0]["text"] =
      "// " + hostile + "\n<!--<script>\n" + trace["sources"][0]["text"].get<std::string>();
  trace["launches"][0]["kernel"] = trace["case"] = trace["end"] = hostile;
  trace["args"] = trace["left_out"] = {hostile};
  for (std::size_t i = 1; i < trace["values"].size(); ++i) trace["values"][i] = hostile;
  const std::string page = kernel_page(trace.dump(), "lab " + hostile);
  testing::write_file(user->folder() / "hostile.html", page);
  browser->open_file(user->folder() / "hostile.html");
  for (const char* key : {"f", "End", "Home", "PageDown", "ArrowRight", "w", "b"}) browser->press(key);
  browser->click("grids[1].canvas");
  EXPECT_EQ(value("window.hacked===undefined"), true);
  EXPECT_EQ(value("document.images.length"), 0);
  EXPECT_EQ(value("document.scripts.length"), 2);
  EXPECT_THAT(text("source"), HasSubstr(hostile));
  EXPECT_THAT(browser->complaints, IsEmpty());
}

}  // namespace view_kernel_test
}  // namespace grader
