// Tests `emucc --record` with the real program: a program that belongs to no lab leaves a page about its
// kernels, however it ends. The page is tested as text (approved/program-counting_sort.txt), as JSON, and in
// a headless Chromium. With KIT_SCREENSHOTS=DIR, screenshots are stored in DIR.
#include <gmock/gmock.h>

#include "approved.hpp"
#include "browser.hpp"
#include "grader_runner.hpp"

namespace grader {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Ran;

class ViewProgram : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    user = std::make_unique<testing::User>();
    for (const std::string name : {"counting_sort", "ends"}) {
      fs::copy_file(fs::path(KIT_SOURCE_DIR) / "grader/tests/programs" / (name + ".cu"),
                    user->folder() / (name + ".cu"));
      const Ran built = user->shell(EMUCC_BINARY " --record " + name + ".cu -o " + name + ".out");
      ASSERT_EQ(built.exit_code, 0) << built.err;
    }
  }
  static void TearDownTestSuite() { user.reset(); }

  /// Waits for a page, which may be complete only a moment after the end of a program that could not wait for
  /// it.
  static bool comes(const std::string& file) {
    for (int i = 0; i < 220; ++i) {
      if (fs::exists(user->folder() / file)) return true;
      usleep(100'000);
    }
    return false;
  }
  static Ran end_as(const std::string& how) {
    fs::remove(user->folder() / "ends.html");
    return user->shell("./ends.out " + how +
                       " 2>&1; s=$?; i=0; while [ ! -e ends.html ] && [ $i -lt 200 ]; do sleep .1; "
                       "i=$((i+1)); done; exit $s");
  }

  static std::unique_ptr<testing::User> user;
};
std::unique_ptr<testing::User> ViewProgram::user;

/// The program's output is unchanged. The sentence about the page is written to standard error.
TEST_F(ViewProgram, LeavesAPage) {
  const Ran ran = user->shell("./counting_sort.out");
  EXPECT_EQ(ran.exit_code, 1) << "the program's own";
  EXPECT_THAT(ran.out, HasSubstr("wrong: sorted["));
  EXPECT_THAT(ran.out, Not(HasSubstr(".html")));
  EXPECT_THAT(ran.err, HasSubstr("counting_sort.out: counting_sort.html ("));
  EXPECT_THAT(ran.err, HasSubstr("race: two threads of block (0,0,0) touch sum["));
  const std::string page = testing::read_file(user->folder() / "counting_sort.html");
  EXPECT_THAT(page, HasSubstr("__global__ void scatter"));
  EXPECT_THAT(page, Not(HasSubstr(user->folder().string()))) << "it tells nothing of the user's folders";
  ASSERT_EQ(user->shell("CUEMU_RECORD=file=again.html ./counting_sort.out").exit_code, 1);
  EXPECT_TRUE(page == testing::read_file(user->folder() / "again.html")) << "the same program, the same page";
}

TEST_F(ViewProgram, ReportsInWords) {
  const Ran ran = user->shell("CUEMU_RECORD=format=text,file=words.txt,keys=16x32 ./counting_sort.out");
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  const std::string parsed = testing::read_file(user->folder() / "words.txt");
  testing::expect_approved("program-counting_sort", parsed);
  EXPECT_THAT(user->shell("CUEMU_RECORD=format=text ./counting_sort.out 2>&1").out,
              HasSubstr("scan<<<(1,1,1), (64,1,1)>>>, launch 2 of 3"));
}

/// The record may be written on a machine that can't make a page. Another machine can show it in any form.
TEST_F(ViewProgram, ReadsARecord) {
  const Ran ran = user->shell("CUEMU_RECORD=record=sort.record ./counting_sort.out");
  EXPECT_THAT(ran.err, HasSubstr("grader view sort.record makes a page of it"));
  const Ran page = user->grader({"view", "sort.record"});
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_THAT(page.out, HasSubstr("counting_sort.out: sort.html ("));
  const auto parsed =
      user->grader({"view", "sort.record", "--format", "json", "--shape", "keys=16x32"}).json();
  EXPECT_EQ(parsed["program"], "counting_sort.out");
  EXPECT_EQ(parsed["right"], nullptr) << "nobody knows what should come out";
  EXPECT_EQ(parsed["launches"].size(), 3u);
  EXPECT_EQ(parsed["findings"][0]["rule"], "race") << "what comes first leads";
  EXPECT_EQ(parsed["findings"][0]["parties"][0]["file"], "counting_sort.cu");
  EXPECT_EQ(parsed["sources"].size(), 1u);
  for (const auto& array : parsed["arrays"]) {
    if (array["name"] != "keys") continue;
    EXPECT_EQ(array["shape"], nlohmann::json({16, 32}));
  }
  for (const auto& [shape, says] : std::map<std::string, std::string>{
           {"keys=3x5", "keys has 2048 bytes, too many or too few for 3 × 5 elements"},
           {"none=2x2", "No kernel touches an array none"},
           {"keys=", "no array with its shape"},
           {"keys=0x2", "no array with its shape"},
           {"=2x2", "no array with its shape"}})
    EXPECT_THAT(user->grader({"view", "sort.record", "--format", "text", "--shape", shape}).err,
                HasSubstr(says));
  // If the end of a record is missing, the rest is shown.
  const std::string record = testing::read_file(user->folder() / "sort.record");
  testing::write_file(user->folder() / "half.record", record.substr(0, record.size() * 9 / 10));
  const Ran half = user->grader({"view", "half.record", "--format", "text"});
  EXPECT_EQ(half.exit_code, 0) << half.err;
  EXPECT_THAT(half.out, HasSubstr("ended suddenly"));
  testing::write_file(user->folder() / "bad.record", "{\"kind\":\"program\"\n\n\n");
  EXPECT_THAT(user->grader({"view", "bad.record"}).err, HasSubstr("bad.record is no record of a program."));
}

TEST_F(ViewProgram, IsThereWhateverEndsTheProgram) {
  for (const auto& [how, says] : std::map<std::string, std::string>{
           {"", "ends.out: ends.html ("},
           {"exit", "The program exited with code 5."},
           {"_exit", "The program ended suddenly"},
           {"abort", "The program died of signal 6"},
           {"host-fault", "The program died of signal 11"},
           {"device-pointer", "device-pointer: host code uses device memory, d_a"},
           {"interrupted", "The program died of signal 2"},
           {"killed", "The program ended suddenly"},
           {"endless", "Block (0,0,0) of launch 2 (endless) is recorded in its beginning only"},
           {"kernel-fault", "out-of-bounds: a thread reads 4 bytes at d_a[64]"},
           {"many", "Of 10000 launches the first 32 are recorded."},
           {"elsewhere", "ends.out elsewhere: ends.html ("}}) {
    const Ran ran = end_as(how);
    EXPECT_TRUE(fs::exists(user->folder() / "ends.html")) << how;
    EXPECT_THAT(replace_all(ran.out, "\n", " "), HasSubstr(says)) << how;
  }
  const Ran none = user->shell("./ends.out no-kernel");
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.err, HasSubstr("ends.out launched no kernel, so there is nothing to see and no page."));
}

/// The run may have taken long. So if a page can't be written to its place, it is written elsewhere.
TEST_F(ViewProgram, LosesNoPage) {
  testing::write_file(user->folder() / "mine.html", "mine");
  const Ran mine = user->shell(
      "CUEMU_RECORD=file=mine.html; TMPDIR=$PWD/tmp; export TMPDIR CUEMU_RECORD; mkdir tmp; ./ends.out");
  EXPECT_EQ(testing::read_file(user->folder() / "mine.html"), "mine");
  EXPECT_THAT(replace_all(mine.err, "\n", " "),
              HasSubstr("mine.html is there already, and no page of grader view. So it goes to "));
  ASSERT_TRUE(fs::exists(user->folder() / "tmp"));
  std::size_t pages = 0;
  for (const auto& entry : fs::recursive_directory_iterator(user->folder() / "tmp"))
    pages += entry.path().filename() == "mine.html" ? 1 : 0;
  EXPECT_EQ(pages, 1u);
  EXPECT_EQ(user->shell("CUEMU_RECORD=file=mine.html,replace ./ends.out").exit_code, 0);
  EXPECT_THAT(testing::read_file(user->folder() / "mine.html"), HasSubstr("<title>"));
}

TEST_F(ViewProgram, RecordsOnRequest) {
  const Ran wrong = user->shell("CUEMU_RECORD=nonsense ./ends.out");
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_THAT(wrong.err, HasSubstr("CUEMU_RECORD: 'nonsense' is no setting; they are file=FILE"));
  EXPECT_THAT(user->shell("CUEMU_RECORD=blocks=0 ./ends.out").err,
              HasSubstr("blocks needs a number above 0"));
  EXPECT_THAT(user->shell("CUEMU_RECORD=blocks=1,format=text ./ends.out").err,
              HasSubstr("Of the 2 blocks of add the first is recorded."));
  const Ran late = user->shell("CUEMU_RECORD=from=9000,format=text ./ends.out many");
  EXPECT_THAT(late.err, HasSubstr("launch 9000 of 10000"));
  EXPECT_THAT(late.err, HasSubstr("Of 10000 launches 9000 to 9031 are recorded."));
  EXPECT_THAT(user->shell("CUEMU_RECORD=from=3 ./ends.out").err,
              HasSubstr("ends.out launched 1 kernel, and none was to be recorded."));
  fs::remove(user->folder() / "ends.html");
  EXPECT_EQ(user->shell("CUEMU_RECORD=off ./ends.out").err, "");
  EXPECT_FALSE(fs::exists(user->folder() / "ends.html"));
  ASSERT_EQ(user->shell("CUEMU_RECORD=format=json ./ends.out").exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(testing::read_file(user->folder() / "ends.json"))["program"], "ends.out");
}

/// A record may be larger than a page. Then each launch gets a share of the page.
TEST_F(ViewProgram, PagesAreSmall) {
  testing::write_file(
      user->folder() / "large.cu",
      "__global__ void first(float* a) { for (int i = 0; i < 220; ++i) a[threadIdx.x * 7 % 256] += i; }\n"
      "__global__ void second(float* a) { a[threadIdx.x] += 1; }\n"
      "int main() { float* a; cudaMalloc(&a, 1024); cudaMemset(a, 0, 1024);\n"
      "  for (int i = 0; i < 3; ++i) { first<<<4, 256>>>(a); second<<<1, 256>>>(a); }\n"
      "  cudaDeviceSynchronize(); cudaFree(a); }\n");
  ASSERT_EQ(user->shell(EMUCC_BINARY " --record large.cu -o large.out").exit_code, 0);
  const Ran ran =
      user->shell("CUEMU_RECORD=record=large.record ./large.out && " GRADER_BINARY " view large.record");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_GT(fs::file_size(user->folder() / "large.record"), 4u << 20);
  EXPECT_LT(fs::file_size(user->folder() / "large.html"), 5u << 20);
  EXPECT_THAT(replace_all(ran.out, "\n", " "), HasSubstr("Of the 4 blocks of launch 1 (first) the first"));
  const std::string page = testing::read_file(user->folder() / "large.html"), before = "id=trace>";
  const std::size_t begin = page.find(before) + before.size();
  const auto parsed = nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  ASSERT_EQ(parsed["launches"].size(), 6u);
  for (const auto& launch : parsed["launches"]) EXPECT_GE(launch["blocks"].size(), 1u) << launch["launch"];
}

/// Opens the page of a program as a user does.
TEST_F(ViewProgram, IsSeenInABrowser) {
  if (testing::Browser::program().empty())
    GTEST_SKIP() << "there is no Chromium: install the package chromium";
  ASSERT_EQ(user->shell("CUEMU_RECORD=keys=16x32 ./counting_sort.out").exit_code, 1);
  testing::Browser browser;
  browser.media("", "light", true);
  browser.size(1280, 900);
  browser.open_file(user->folder() / "counting_sort.html");
  const auto text = [&](const std::string& id) {
    return browser.value_of("element('" + id + "').textContent");
  };
  EXPECT_THAT(text("about"), HasSubstr("histogram<<<(4,1,1), (128,1,1)>>> and 2 more launches"));
  EXPECT_THAT(text("verdict"), HasSubstr("The program exited with code 1."));
  // The page begins with the race in the second kernel. The fault in the third kernel follows from this race.
  EXPECT_EQ(browser.value_of("player.launch.kernel"), "scan");
  EXPECT_THAT(text("element-words"), HasSubstr("with no barrier between"));
  const auto keep = [&](const std::string& name) {
    if (const char* to = std::getenv("KIT_SCREENSHOTS"))
      testing::write_file(fs::path(to) / (name + ".png"), browser.screenshot());
  };
  keep("program-1280");
  browser.press("f");
  EXPECT_EQ(browser.value_of("player.launch.kernel"), "scatter");
  EXPECT_THAT(text("element-words"), HasSubstr("is outside of d_sorted, which has 512 elements"));
  keep("program-fault-1280");
  browser.size(420, 900, true);
  EXPECT_LE(browser.value_of("document.documentElement.scrollWidth"), 420);
  keep("program-fault-420");
  browser.size(1280, 900);
  // Keys and the mouse step through the first kernel block by block, and return to one of its blocks.
  browser.value_of("element('launch').value = 0, element('launch').dispatchEvent(new Event('change'))");
  browser.press("g");
  EXPECT_EQ(browser.value_of("player.isGrid()"), true);
  EXPECT_THAT(text("now"), HasSubstr("Block (0,0,0), 1 of 4, updates atomically 64 elements of d_counts"));
  browser.press("Home");
  EXPECT_THAT(text("now"), HasSubstr("The grid of histogram begins: 4 blocks of 128 threads."));
  browser.press("PageDown");
  browser.press("PageDown");
  EXPECT_THAT(text("thread-words"), HasSubstr("2 blocks have run, 2 still to run (pale)."));
  browser.press("ArrowRight");
  EXPECT_THAT(text("now"),
              HasSubstr("Block (2,0,0), 3 of 4, reads 128 elements of keys, keys[8][0] … keys[11][31],"));
  keep("program-grid-1280");
  browser.press("End");
  EXPECT_THAT(text("now"), HasSubstr("The grid's end."));
  EXPECT_EQ(
      browser.value_of(
          "(()=>{const counts=player.memory.arrays[trace.arrays.findIndex(a=>a.name==='d_counts')];let sum=0;"
          "for(const cell of counts.values())sum+=Number(trace.values[cell.value]);return sum})()"),
      512)
      << "all keys are counted";
  EXPECT_EQ(browser.value_of("element('warp').disabled"), true);
  browser.click("element('barrier-back')");
  EXPECT_THAT(text("now"), HasSubstr("Block (2,0,0), 3 of 4, updates atomically"));
  browser.press("g");
  EXPECT_EQ(browser.value_of("player.blockNumber"), 2);
  browser.press("g");
  browser.value_of(
      "(()=>{const "
      "c=element('thread-grid'),r=c.getBoundingClientRect(),l=gridPicture.layout();c.dispatchEvent("
      "new MouseEvent('click',{clientX:r.x+1.5*l.size,clientY:r.y+.5*l.size,bubbles:true}))})()");
  EXPECT_EQ(browser.value_of("[player.blockNumber, Number(element('block').value)]"), nlohmann::json({1, 1}));
  EXPECT_THAT(text("now"), HasSubstr("Block (1,0,0) begins."));
  for (const std::string scheme : {"light", "dark"}) {
    browser.press("g");
    browser.media("", scheme, true);
    EXPECT_GE(browser.least_contrast(), 4.5) << scheme;
  }
  browser.press("g");
  browser.size(420, 900, true);
  EXPECT_LE(browser.value_of("document.documentElement.scrollWidth"), 420);
  keep("program-grid-dark-420");
  EXPECT_THAT(browser.complaints, IsEmpty());
}

}  // namespace
}  // namespace grader
