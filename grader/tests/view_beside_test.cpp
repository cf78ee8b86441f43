// Tests `grader view LAB --beside` with the real program: counts that are known by hand, results that differ,
// inputs that don't match, and the page in a headless Chromium. With KIT_SCREENSHOTS=DIR, screenshots are
// stored in DIR.
#include <gmock/gmock.h>

#include "base/columns.hpp"
#include "base/terminal.hpp"
#include "browser.hpp"
#include "grader_runner.hpp"

namespace grader {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Ran;

class ViewBeside : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { user = std::make_unique<testing::User>(); }
  static void TearDownTestSuite() { user.reset(); }

  static Ran beside(const std::string& lab, std::vector<std::string> more) {
    more.insert(more.begin(), {"view", lab});
    return user->grader(more);
  }
  static nlohmann::json total(const nlohmann::json& parsed, const std::string& id) {
    for (const auto& one : parsed["totals"])
      if (one["id"] == id) return one;
    return nullptr;
  }
  /// One side's accesses of one kind to an array.
  static nlohmann::json array(const nlohmann::json& side, const std::string& name, const std::string& does) {
    for (const auto& one : side["arrays"])
      if (one["name"] == name && one["does"] == does) return one;
    return nullptr;
  }
  static std::string one_line(const std::string& text) { return replace_all(text, "\n", " "); }

  static std::unique_ptr<testing::User> user;
  /// A folder with a mistake. Its name is hostile to pages.
  inline static const std::string after = "after<b>";
  inline static const std::string hostile =
      "  // </code></main><script>window.hacked=1</script><img src=x onerror=window.hacked=1>";
};
std::unique_ptr<testing::User> ViewBeside::user;

/// In a product of 8 × 8, each of 64 threads reads a row and a column, which are 16 elements. With tiles of 4
/// × 4, it reads one element of each of 2 + 2 tiles. So the ratio is the width of a tile, whatever else is
/// counted.
TEST_F(ViewBeside, TilesDivideLoadsByTheirWidth) {
  user->write_solution("lab2.1-matrixmul", "tile4", "define BLOCK_SIZE 16", "define BLOCK_SIZE 4");
  const Ran small =
      beside("lab1.1", {"--solution", "--case", "n8", "--beside", "lab2.1", "--format", "json"});
  ASSERT_EQ(small.exit_code, 0) << small.err;
  const auto parsed = small.json();
  EXPECT_EQ(parsed["kind"], "beside");
  EXPECT_EQ(parsed["inputs"][0]["shape"], nlohmann::json({8, 8}));
  for (const std::string matrix : {"M", "N"}) {
    EXPECT_EQ(array(parsed["a"], matrix, "read")["accesses"], 64 * 8);
    EXPECT_EQ(array(parsed["b"], matrix, "read")["accesses"], 64) << "a tile of 16 × 16 holds all of it";
  }
  EXPECT_EQ(total(parsed, "global_accesses")["a"], 64 * 16 + 64);
  // For each k, a warp of 16 × 2 threads reads 2 elements of M, in 2 rows of 32 bytes, and 8 elements of N,
  // in one row.
  EXPECT_EQ(total(parsed, "global_loads")["a"], 4 * 8 * 2);
  EXPECT_EQ(total(parsed, "global_load_sectors")["a"], 4 * 8 * (2 + 1));
  // A warp fetches 2 rows of 8 elements of each matrix at once.
  EXPECT_EQ(total(parsed, "global_loads")["b"], 4 * 2);
  EXPECT_EQ(total(parsed, "global_load_sectors")["b"], 4 * 2 * 2);
  EXPECT_EQ(total(parsed, "global_loads")["ratio"], 0.125);
  EXPECT_EQ(total(parsed, "barriers")["a"], 0);
  EXPECT_EQ(total(parsed, "barriers")["b"], 2);
  EXPECT_EQ(parsed["results"]["differ"], 0);
  EXPECT_EQ(parsed["a"]["sources"].size(), 1u);

  const Ran tiles =
      beside("lab2.1", {"--from", "tile4", "--case", "n8", "--beside", "solution", "--format", "json"});
  ASSERT_EQ(tiles.exit_code, 0) << tiles.err;
  const auto tile4 = tiles.json();
  EXPECT_EQ(array(tile4["a"], "M", "read")["accesses"], 64 * 8 / 4) << "the tile's width less";
  EXPECT_EQ(total(tile4, "global_accesses")["a"], 2 * 64 * 2 + 64);
  EXPECT_EQ(total(tile4, "blocks")["a"], 4);
  EXPECT_EQ(total(tile4, "barriers")["a"], 4 * 2 * 2) << "two for each of two tiles, in each of four blocks";
}

/// The counters and the tracer count independently. If all blocks are recorded, they agree.
TEST_F(ViewBeside, BothWaysOfCountingAgree) {
  const Ran ran =
      beside("lab1.2", {"--solution", "--case", "scheme1a", "--beside-case", "scheme1b", "--format", "json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto parsed = ran.json();
  for (const std::string side : {"a", "b"}) {
    std::uint64_t requests = 0, sectors = 0, turns = 0;
    for (const auto& one : parsed[side]["arrays"]) {
      requests += one["shared"] ? one["requests"].get<std::uint64_t>() : 0;
      sectors += one["sectors"].get<std::uint64_t>();
      turns += one["turns"].get<std::uint64_t>();
    }
    EXPECT_EQ(requests, total(parsed, "shared_requests")[side]);
    EXPECT_EQ(turns, total(parsed, "shared_turns")[side]);
    EXPECT_EQ(sectors, total(parsed, "global_load_sectors")[side].get<std::uint64_t>() +
                           total(parsed, "global_store_sectors")[side].get<std::uint64_t>());
    EXPECT_TRUE(parsed[side]["whole"]);
  }
  EXPECT_EQ(total(parsed, "conflicts")["a"], 0) << "scheme 1a diverges";
  EXPECT_GT(total(parsed, "conflicts")["b"], 0) << "scheme 1b meets in the banks";
  EXPECT_GT(total(parsed, "divergent_branches")["a"], total(parsed, "divergent_branches")["b"]);
  EXPECT_EQ(parsed["results"]["differ"], 0);
}

TEST_F(ViewBeside, SaysWhereResultsPart) {
  user->write_solution("lab1.1-matrixmul", "before", "", "");
  user->write_solution("lab1.1-matrixmul", after, "N[k * n + col];", "N[col * n + k];" + hostile);
  const Ran ran =
      beside("lab1.1", {"--from", "before", "--case", "n8", "--beside", after, "--format", "text"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(one_line(ran.out),
              HasSubstr("A  lab1.1, case n8 (8), before: its result is right B  lab1.1, case n8 "
                        "(8), after<b>: its result is wrong Both ran on the same M (8 × 8), N (8 × 8)."));
  EXPECT_THAT(one_line(ran.out), HasSubstr("The first is P[0][0]: A has "));
  EXPECT_THAT(one_line(ran.out),
              HasSubstr("written by thread (0,0,0) of block (0,0,0) at matrixmul_kernel.cu:45; B has "));
  EXPECT_THAT(ran.out,
              HasSubstr("     41  64 loads, 96 sectors\n           sum += M[row * n + k] * N[k * n + col];"));
  EXPECT_THAT(
      ran.out,
      HasSubstr(
          "     41  64 loads, 320 sectors\n           sum += M[row * n + k] * N[col * n + k];  // </code>"))
      << "of N a warp reads a column: 8 sectors, not one";
  for (const std::string& line : split_lines(ran.out)) EXPECT_LE(display_width(line), 80) << line;
  const Ran again =
      beside("lab1.1", {"--from", "before", "--case", "n8", "--beside", after, "--format", "text"});
  EXPECT_EQ(again.out, ran.out);
}

TEST_F(ViewBeside, OtherInputsAreRefused) {
  const auto refused = [&](const std::string& lab, std::vector<std::string> more, const std::string& why) {
    const Ran ran = beside(lab, std::move(more));
    EXPECT_EQ(ran.exit_code, 2) << ran.out;
    EXPECT_THAT(one_line(ran.err), HasSubstr(why));
    EXPECT_THAT(ran.err, HasSubstr("Next: "));
  };
  refused("lab1.1", {"--solution", "--case", "n8", "--beside-case", "n37"},
          "case n37 of lab1.1 has M of 37 × 37, not of 8 × 8 as case n8 of lab1.1.");
  refused("lab1.1", {"--solution", "--case", "n8", "--beside", "lab1.2", "--beside-case", "scheme1a"},
          "case scheme1a of lab1.2 takes data, not M, N as case n8 of lab1.1.");
  refused("lab1.1", {"--solution", "--case", "n8", "--beside-case", "n8"},
          "Both sides would be case n8 of the same files.");
  refused("lab2.1", {"--solution", "--beside-case", "n17"}, "lab2.1 has no case \"n17\" to view");
  refused("lab1.1", {"--solution", "--beside", "nowhere"}, "There is no folder nowhere to put beside it.");
  refused("lab1.1", {"--solution", "--beside", "lab2.1", "--backend", "gpu"}, "Only emulation counts");
}

TEST_F(ViewBeside, ThePageNeedsNoScriptAndRunsNone) {
  if (testing::Browser::program().empty())
    GTEST_SKIP() << "there is no Chromium: install the package chromium";
  testing::Browser browser;
  user->write_solution("lab1.1-matrixmul", after, "N[k * n + col];", "N[col * n + k];" + hostile);
  const Ran made = beside("lab1.1", {"--solution", "--case", "n8", "--beside", after, "-o", "beside.html"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(testing::read_file(user->folder() / "beside.html"), Not(HasSubstr("<script>window")));
  EXPECT_EQ(
      beside("lab1.1", {"--solution", "--case", "n8", "--beside", after, "-o", "beside.html"}).exit_code, 0)
      << "a page of this command may be replaced";
  browser.size(1280, 900);
  browser.media("", "light", true);
  browser.open_file(user->folder() / "beside.html");
  EXPECT_EQ(browser.value_of("window.hacked===undefined"), true);
  EXPECT_EQ(browser.value_of("document.images.length"), 0);
  EXPECT_THAT(std::string(browser.value_of("document.body.innerText")), HasSubstr(hostile.substr(2)));
  EXPECT_THAT(std::string(browser.value_of("document.getElementById('results').innerText")),
              HasSubstr("The first is P[0][0]: A has "));
  EXPECT_EQ(browser.value_of("document.querySelectorAll('.pair.changed').length"), 1)
      << "the line that differs";
  // Lines with costs are visible at first. A key unfolds the other lines.
  EXPECT_EQ(
      browser.value_of("[...document.querySelectorAll('.half.a.dear .n')].map(n=>n.textContent).join()"),
      "36,41,45");
  EXPECT_EQ(browser.value_of("document.querySelector('details').open"), false);
  browser.value_of("document.querySelector('summary').focus()");
  browser.press("Enter");
  EXPECT_EQ(browser.value_of("document.querySelector('details').open"), true);
  for (const std::string scheme : {"light", "dark"}) {
    browser.media("", scheme, true);
    EXPECT_GE(browser.least_contrast(), 4.5) << scheme;
    if (const char* to = std::getenv("KIT_SCREENSHOTS"))
      testing::write_file(fs::path(to) / ("beside-" + scheme + ".png"), browser.screenshot());
  }
  browser.size(420, 900, true);
  EXPECT_LE(browser.value_of("document.documentElement.scrollWidth"), 420);
  EXPECT_THAT(browser.complaints, IsEmpty());
}

}  // namespace
}  // namespace grader
