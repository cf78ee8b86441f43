#include "base/regex.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

TEST(Regex, MatchesTheWholeTextOrSearchesIt) {
  const Regex regex(R"((\w+):(\d+)(?:-(\d+))?)");
  const auto whole = regex.match("kernel:12-20");
  ASSERT_TRUE(whole);
  EXPECT_EQ((*whole)[0], "kernel:12-20");
  EXPECT_EQ((*whole)[1], "kernel");
  EXPECT_EQ((*whole)[3], "20");
  EXPECT_FALSE(regex.match("in kernel:12"));
  const auto part = regex.search("in kernel:12, twice");
  ASSERT_TRUE(part);
  EXPECT_EQ((*part)[0], "kernel:12");
  EXPECT_FALSE(part->has(3));
  EXPECT_EQ((*part)[3], "");
  EXPECT_FALSE(regex.search("nothing"));
}

// For this text, std::regex would need more stack than a thread has.
TEST(Regex, ATextThatIsTooLongMatchesNothing) {
  const Regex regex("(a|b)*");
  EXPECT_TRUE(regex.match(std::string(Regex::longest_text, 'a')));
  EXPECT_FALSE(regex.match(std::string(Regex::longest_text + 1, 'a')));
  EXPECT_FALSE(regex.search(std::string(50'000'000, 'a')));
}

}  // namespace
}  // namespace grader
