// Tests the search for measured numbers in an explanation.
#include "verify/explanation.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<MeasuredNumber> measured = {{81920, "1"}, {0.010634, "s"}, {0.5, "1"}, {20480, "B"}};
const std::vector<double> parameters = {4, 8, 16, 32};

NamedNumbers named(const std::string& text) {
  return numbers_named(text, measured, parameters);
}

TEST(Explanation, NumbersCountAsPeopleWriteThem) {
  EXPECT_THAT(named("It takes 10.6 ms, and 81,920 loads; 20 KiB of shared memory.").measured,
              ElementsAre("10.6", "81,920", "20"));
  EXPECT_THAT(named("10.634 ms, not 10.7 ms").measured, ElementsAre("10.634"));
  EXPECT_THAT(named("10.634 ms, not 10.7 ms").unknown, ElementsAre("10.7"));
  EXPECT_THAT(named("an occupancy of 0.5, or 50 %").measured, ElementsAre("0.5", "50"));
  EXPECT_THAT(named("81920. That is 81920.").measured, ElementsAre("81920")) << "each once";
}

TEST(Explanation, WordsAndTheParametersThemselvesProveNothing) {
  EXPECT_THAT(named("it is good").measured, IsEmpty());
  const NamedNumbers all = named("Tiles of 32 with UNROLL 16 on an H81920: 4 sums, float10.6 and 2 loads.");
  EXPECT_THAT(all.measured, IsEmpty());
  EXPECT_THAT(all.unknown, IsEmpty());
}

TEST(Explanation, TheTextIsWhatFollowsItsLine) {
  EXPECT_EQ(text_behind("a\nWhy this:\nsince 3\n4\n", "Why this:"), "since 3\n4\n");
  EXPECT_EQ(text_behind("Why this:\nx", "Why this:"), "x");
  EXPECT_EQ(text_behind("no Why this:\nx", "Why this:"), "");
}

TEST(Explanation, ReportsMissingNumbers) {
  EXPECT_EQ(explanation_problem(named("81920 loads in 10.6 ms"), 2), "");
  EXPECT_EQ(explanation_problem(named("it is good"), 2),
            "The explanation names no number that was measured; it must name at least 2.");
  EXPECT_THAT(explanation_problem(named("81920 loads in 99.9 ms"), 2),
              testing::AllOf(HasSubstr("only 81920 was measured"), HasSubstr("not counted here: 99.9.")));
}

}  // namespace
}  // namespace grader
