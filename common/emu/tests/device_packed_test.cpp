// Tests packed arithmetic: every pair of bytes in every position, and extreme and random pairs of halfwords.
#include "cuemu/packed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <random>

namespace {

/// Checks one packed function against `expected(a, b)`, which is applied to the parts, widened to int.
template <typename Part, typename Function, typename Expected>
void check(const char* name, const Function function, const Expected expected) {
  constexpr int bits = 8 * sizeof(Part), parts = 32 / bits;
  std::mt19937 random(1);
  const auto run = [&](const uint32_t x, const uint32_t y) {
    const uint32_t got = function(x, y);
    for (int i = 0; i < parts; ++i) {
      const int a = static_cast<Part>(x >> (i * bits)), b = static_cast<Part>(y >> (i * bits));
      const auto want = static_cast<Part>(expected(a, b));
      if (static_cast<Part>(got >> (i * bits)) != want)
        return testing::AssertionFailure() << name << '(' << a << ", " << b << ')';
    }
    return testing::AssertionSuccess();
  };
  for (uint32_t a = 0; a < 256; ++a) {
    for (uint32_t b = 0; b < 256; ++b) {  // different pairs in each part
      ASSERT_TRUE(run(a | (a ^ 0x55) << 8 | (255 - a) << 16 | b << 24,
                      b | (b ^ 0xaa) << 8 | a << 16 | (a ^ b) << 24));
    }
  }
  for (int i = 0; i < 20000; ++i) {
    const uint32_t a = random();
    ASSERT_TRUE(run(a, random()));
  }
  const uint32_t edges[] = {0, 1, 0x7fff, 0x8000, 0xffff, 0x80, 0x7f};
  for (const uint32_t a : edges) {
    for (const uint32_t b : edges) ASSERT_TRUE(run(a | b << 16, b | a << 16));
  }
}

template <typename Part>
int clamp(const int x) {
  const bool is_signed = static_cast<Part>(-1) < 0;
  const int highest = (1 << (8 * sizeof(Part) - (is_signed ? 1 : 0))) - 1;
  return std::min(std::max(x, is_signed ? -highest - 1 : 0), highest);
}

#define CHECK_BOTH(NAME, BYTE, HALFWORD, EXPRESSION)                               \
  check<BYTE>(                                                                     \
      #NAME "4", [](const uint32_t x, const uint32_t y) { return NAME##4(x, y); }, \
      [](const int a, const int b) {                                               \
        using Part [[maybe_unused]] = BYTE;                                        \
        return EXPRESSION;                                                         \
      });                                                                          \
  check<HALFWORD>(                                                                 \
      #NAME "2", [](const uint32_t x, const uint32_t y) { return NAME##2(x, y); }, \
      [](const int a, const int b) {                                               \
        using Part [[maybe_unused]] = HALFWORD;                                    \
        return EXPRESSION;                                                         \
      })
#define CHECK_SIGNED(NAME, EXPRESSION) CHECK_BOTH(NAME, int8_t, int16_t, EXPRESSION)
#define CHECK_UNSIGNED(NAME, EXPRESSION) CHECK_BOTH(NAME, uint8_t, uint16_t, EXPRESSION)

TEST(Packed, SumsAndDifferences) {
  CHECK_UNSIGNED(__vadd, a + b);
  CHECK_UNSIGNED(__vsub, a - b);
  CHECK_SIGNED(__vaddss, clamp<Part>(a + b));
  CHECK_SIGNED(__vsubss, clamp<Part>(a - b));
  CHECK_UNSIGNED(__vaddus, clamp<Part>(a + b));
  CHECK_UNSIGNED(__vsubus, clamp<Part>(a - b));
  CHECK_SIGNED(__vabsdiffs, std::abs(a - b));
  CHECK_UNSIGNED(__vabsdiffu, std::abs(a - b));
}

TEST(Packed, AveragesAndExtremes) {
  CHECK_SIGNED(__vavgs, a + b < 0 ? (a + b) >> 1 : (a + b + 1) >> 1);
  CHECK_UNSIGNED(__vavgu, (a + b + 1) / 2);
  CHECK_UNSIGNED(__vhaddu, (a + b) / 2);
  CHECK_SIGNED(__vmaxs, std::max(a, b));
  CHECK_SIGNED(__vmins, std::min(a, b));
  CHECK_UNSIGNED(__vmaxu, std::max(a, b));
  CHECK_UNSIGNED(__vminu, std::min(a, b));
}

TEST(Packed, Comparisons) {
  CHECK_UNSIGNED(__vcmpeq, a == b ? -1 : 0);
  CHECK_UNSIGNED(__vcmpne, a != b ? -1 : 0);
  CHECK_SIGNED(__vcmpges, a >= b ? -1 : 0);
  CHECK_SIGNED(__vcmplts, a < b ? -1 : 0);
  CHECK_UNSIGNED(__vcmpgtu, a > b ? -1 : 0);
  CHECK_UNSIGNED(__vcmpleu, a <= b ? -1 : 0);
  CHECK_UNSIGNED(__vseteq, a == b ? 1 : 0);
  CHECK_SIGNED(__vsetgts, a > b ? 1 : 0);
  CHECK_UNSIGNED(__vsetltu, a < b ? 1 : 0);
}

#define CHECK_ONE(NAME, EXPRESSION)                                     \
  check<int8_t>(                                                        \
      #NAME "4", [](const uint32_t x, uint32_t) { return NAME##4(x); }, \
      [](const int a, int) {                                            \
        using Part [[maybe_unused]] = int8_t;                           \
        return EXPRESSION;                                              \
      });                                                               \
  check<int16_t>(                                                       \
      #NAME "2", [](const uint32_t x, uint32_t) { return NAME##2(x); }, \
      [](const int a, int) {                                            \
        using Part [[maybe_unused]] = int16_t;                          \
        return EXPRESSION;                                              \
      })

TEST(Packed, SignsAndMagnitudes) {
  CHECK_ONE(__vneg, -a);
  CHECK_ONE(__vabs, std::abs(a));
  CHECK_ONE(__vnegss, clamp<Part>(-a));
  CHECK_ONE(__vabsss, clamp<Part>(std::abs(a)));
}

TEST(Packed, SumsOfAbsoluteDifferences) {
  EXPECT_EQ(__vsads4(0x80ff017f, 0x7f01ff80), 255u + 2 + 2 + 255);
  EXPECT_EQ(__vsadu4(0x80ff017f, 0x7f01ff80), 1u + 254 + 254 + 1);
  EXPECT_EQ(__vsads2(0x80000001, 0x7fffffff), 65535u + 2);
  EXPECT_EQ(__vsadu2(0x80000001, 0x7fffffff), 1u + 65534);
}

TEST(DynamicProgramming, ExtremesOfThreeAndOfSums) {
  EXPECT_EQ(__vimax3_s32(-5, 7, 3), 7);
  EXPECT_EQ(__vimin3_u32(5u, 7u, 3u), 3u);
  EXPECT_EQ(__vimax3_s32_relu(-5, -7, -3), 0);
  EXPECT_EQ(__viaddmax_s32(4, 5, 8), 9);
  EXPECT_EQ(__viaddmin_s32_relu(4, -5, 8), 0);
  EXPECT_EQ(__viaddmax_s32(INT_MAX, 1, 0), 0) << "the sum wraps";
  EXPECT_EQ(__vimax_s32_relu(-1, -2), 0);
  EXPECT_EQ(__vimax3_s16x2(0x0001ffff, 0x80007fff, 0x00020003), 0x00027fffu);
  EXPECT_EQ(__viaddmax_u16x2(0xffff0001, 0x00010001, 0x00050001), 0x00050002u);
  EXPECT_EQ(__vimin_s16x2_relu(0xffff0005, 0x00010004), 0x00000004u);
}

TEST(DynamicProgramming, SayWhichItWas) {
  bool first = false, high = true, low = false;
  EXPECT_EQ(__vibmax_s32(3, 2, &first), 3);
  EXPECT_TRUE(first);
  EXPECT_EQ(__vibmin_u32(3u, 2u, &first), 2u);
  EXPECT_FALSE(first);
  EXPECT_EQ(__vibmax_s16x2(0xffff0005, 0x00010004, &high, &low), 0x00010005u);
  EXPECT_FALSE(high);
  EXPECT_TRUE(low);
}

}  // namespace
