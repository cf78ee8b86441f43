/// @file
/// Tests that the random numbers are the same everywhere: fixed values, and exact ranges.
#include <gtest/gtest.h>
#include <lab/product.hpp>
#include <lab/random.hpp>

#include <set>

namespace {

TEST(Random, IsTheStandardsMt19937_64) {
  lab::Random random(5489);  // the standard fixes the 10,000th value of the default seed ([rand.predef])
  for (int i = 1; i < 10000; ++i) random.bits();
  EXPECT_EQ(random.bits(), 9981545732273789042u);
}

TEST(Random, IntegersCoverTheirRangeAndNoMore) {
  lab::Random random(1);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.integer(-3, 3));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-3, -2, -1, 0, 1, 2, 3}));
}

TEST(Random, ARangeOfOneAndTheWholeRangeWork) {
  lab::Random random(1);
  EXPECT_EQ(random.integer(7, 7), 7);
  lab::Random same(9), other(9);
  EXPECT_EQ(same.integer(INT64_MIN, INT64_MAX), static_cast<std::int64_t>(other.bits()));
}

TEST(Random, RealsStayBelowTheUpperEnd) {
  lab::Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const double x = random.real(-1, 1);
    EXPECT_GE(x, -1);
    EXPECT_LT(x, 1);
  }
}

TEST(Random, EqualSeedsGiveEqualMatrices) {
  lab::Random a(3), b(3), c(4);
  const auto first = lab::draw_matrix<float>(a, 16);
  EXPECT_EQ(first, lab::draw_matrix<float>(b, 16));
  EXPECT_NE(first, lab::draw_matrix<float>(c, 16));
  for (const float x : first) EXPECT_EQ(2 * x, static_cast<int>(2 * x));  // multiples of 1/2
}

}  // namespace
