// Tests `grader view LAB --still` with the real program: the still images in handouts equal the command's
// output and contain values that are known by hand, and each handout describes its image in words.
#include <gmock/gmock.h>

#include "base/columns.hpp"
#include "browser.hpp"
#include "catalog/catalog.hpp"
#include "check/still_origin.hpp"
#include "grader_runner.hpp"

namespace grader {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Ran;

class ViewStill : public ::testing::Test {
 protected:
  testing::User user;

  /// The folder does not exist, as in a new lab, so the command creates it.
  std::string made(const std::string& lab, std::vector<std::string> more) {
    more.insert(more.begin(), {"view", lab, "--still", "figures/still.svg"});
    const Ran ran = user.grader(more);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return testing::read_file(user.folder() / "figures/still.svg");
  }
};

/// Draws two of the images again. `grader inventory` checks without a run that all images are up to date.
TEST_F(ViewStill, TheHandoutsStillIsWhatTheCommandMakes) {
  const Kit kit{KIT_SOURCE_DIR};
  const Catalog catalog = Catalog::load(kit);
  for (const std::string id : {"lab1.1", "lab2.1"}) {
    std::optional<int> level;
    const Lab& lab = catalog.find(id, level);
    EXPECT_TRUE(made(id, {"--solution"}) == testing::read_file(lab.folder / still_file))
        << "when the change is meant: " << still_command(lab)
        << ", look at it, and count up `drawing` in still_origin.cpp";
  }
}

/// The image of a student's kernel shows that N is read by columns. It contains no source line.
TEST_F(ViewStill, AStudentsOwnShowsWhatHisKernelDid) {
  user.write_solution("lab1.1-matrixmul", "mine", "P[row * n + col] = sum", "P[col * n + row] = sum");
  const std::string right = made("lab1.1", {"--solution"}), mine = made("lab1.1", {"--from", "mine"});
  // The threads of one column of the block wrote the first row, which therefore begins with 0, 16, 32.
  EXPECT_THAT(right, HasSubstr(">0</text>\n<text x=\"36.0\" y=\"34.5\" class=\"n\">1</text>"));
  EXPECT_THAT(mine, HasSubstr(">0</text>\n<text x=\"36.0\" y=\"34.5\" class=\"n\">16</text>"));
  EXPECT_THAT(mine, HasSubstr("<desc>Drawn from files other than the solution. The solution&#39;s picture "
                              "would show: A product of 8 × 8"));
  for (const std::string& still : {right, mine}) {
    EXPECT_THAT(still, Not(HasSubstr("sum")));
    EXPECT_THAT(still, Not(HasSubstr("<script")));
  }
}

TEST_F(ViewStill, SaysWhatItCannotDraw) {
  testing::write_file(user.folder() / "own.svg", "<svg/>");
  const Ran other = user.grader({"view", "lab1.1", "--solution", "--still", "own.svg"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("own.svg is there already, and no page of grader view."));
  EXPECT_EQ(testing::read_file(user.folder() / "own.svg"), "<svg/>");
  EXPECT_THAT(user.grader({"view", "lab1.1", "--solution", "--still", "own.png"}).err,
              HasSubstr("A still is an SVG file"));
  EXPECT_THAT(user.grader({"view", "lab1.1", "--solution", "--still", "a.svg", "--backend", "gpu"}).err,
              HasSubstr("drawn from a run in emulation"));
}

/// Every lab has a still image that a browser can show, and that is narrow enough for a page.
TEST_F(ViewStill, EveryHandoutShowsOne) {
  const Kit kit{KIT_SOURCE_DIR};
  const Catalog catalog = Catalog::load(kit);
  std::unique_ptr<testing::Browser> browser;
  if (!testing::Browser::program().empty()) browser = std::make_unique<testing::Browser>();
  for (const Lab& lab : catalog.labs()) {
    ASSERT_TRUE(lab.view.has_value()) << lab.id;
    const fs::path still = lab.folder / still_file;
    EXPECT_LT(fs::file_size(still), 100u << 10) << still;
    EXPECT_THAT(testing::read_file(still),
                HasSubstr("<desc>" + replace_all(lab.view->story, "'", "&#39;") + "</desc>"));
    if (!browser) continue;
    testing::write_file(user.folder() / "page.html",
                        "<!doctype html><img src=\"file://" + still.string() + "\">");
    browser->open_file(user.folder() / "page.html");
    EXPECT_GT(browser->value_of("document.images[0].naturalWidth"), 100) << still << " is no sound SVG";
    EXPECT_LE(browser->value_of("document.images[0].naturalWidth"), 760) << still;
  }
}

}  // namespace
}  // namespace grader
