#include "model/drawn.hpp"

#include <gtest/gtest.h>

#include <set>

namespace grader {
namespace {

DrawnArgument argument(const std::string& text) {
  return DrawnArgument::parse(text).value();
}

TEST(Drawn, OneNumberWithinLimitsThatAreIncluded) {
  std::set<std::string> all;
  for (std::uint64_t random = 0; random < 100; ++random) all.insert(argument("{97..99}").pick(random));
  EXPECT_EQ(all, (std::set<std::string>{"97", "98", "99"}));
  EXPECT_EQ(argument("--scan={7..7}x300").pick(5), "--scan=7x300");
  EXPECT_EQ(argument("--version=v1").pick(5), "--version=v1");
}

TEST(Drawn, InvalidRangesAreRefused) {
  for (const char* text : {"{3}", "{3..}", "{..3}", "{4..3}", "{-1..3}", "{1..2", "1..2}", "{1..2}{3..4}",
                           "{a..b}", "{01..3}", "{1..9999999999}", "{1...3}", "{}"})
    EXPECT_FALSE(DrawnArgument::parse(text)) << text;
}

TEST(Drawn, KnowsWhatItCanComeTo) {
  const DrawnArgument length = argument("--length={97..99}x");
  for (const char* text : {"--length=97x", "--length=99x"}) EXPECT_TRUE(length.can_be(text)) << text;
  for (const char* text :
       {"--length=96x", "--length=100x", "--length=097x", "--length=x", "97x", "", "--length=98"})
    EXPECT_FALSE(length.can_be(text)) << text;
  EXPECT_FALSE(argument("a").can_be("b"));
}

Lab lab_of_three() {
  Lab lab;
  lab.id = "lab9.1";
  for (const char* id : {"small", "large", "hidden"}) {
    Case c;
    c.id = id;
    c.args = {"1000", "--fast"};
    lab.cases.push_back(c);
  }
  for (Case& c : lab.cases)
    if (c.id != "small") c.drawn = {argument("{900..999999}"), argument("--fast")};
  lab.cases[1].checked = lab.cases[1].args;
  lab.cases[2].checked = std::vector<std::string>{"8", "--fast"};
  lab.cases[2].visibility = Visibility::hidden;
  return lab;
}

TEST(Drawn, SizesFollowFromTheSecretAndTheCase) {
  const Lab lab = lab_of_three();
  const Lab one = with_drawn_sizes(lab, "one"), again = with_drawn_sizes(lab, "one"),
            other = with_drawn_sizes(lab, "other");
  EXPECT_EQ(one.cases[0].args, lab.cases[0].args) << "nothing is drawn there";
  EXPECT_EQ(one.cases[1].args, again.cases[1].args);
  EXPECT_NE(one.cases[1].args, other.cases[1].args);
  EXPECT_NE(one.cases[1].args, one.cases[2].args) << "each case has its own";
  EXPECT_TRUE(lab.cases[1].drawn[0].can_be(one.cases[1].args[0]));
  EXPECT_EQ(one.cases[1].args[1], "--fast");
  EXPECT_EQ(one.cases[1].checked, one.cases[1].args) << "the checker looks at the same size";
  EXPECT_EQ(one.cases[2].checked, lab.cases[2].checked) << "or at its own";
}

TEST(Drawn, HiddenSizesAreNotShown) {
  const Lab lab = lab_of_three(), drawn = with_drawn_sizes(lab, "one");
  EXPECT_EQ(words_of_drawn(lab, drawn, Backend::emu),
            "case large with " + drawn.cases[1].args[0] + " --fast");
  EXPECT_EQ(words_of_drawn(lab, lab, Backend::emu), "");
  Lab on_gpu = drawn;
  on_gpu.cases[1].backends = {Backend::gpu};
  EXPECT_EQ(words_of_drawn(lab, on_gpu, Backend::emu), "");
}

}  // namespace
}  // namespace grader
