// Tests directed rounding. For float, results are compared with the exact result in double or long double.
// For double, the four roundings are compared with each other, and with the sign of the rounding error, which
// an fma computes exactly.
#include "cuemu/rounding.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

using cuemu::bit_cast;

const std::vector<float>& floats() {
  static const std::vector<float> all = [] {
    std::vector<float> list;
    for (const float x :
         {0.0f, 0x1p-149f, 0x3p-149f, 0x1.fffffcp-127f, 0x1p-126f, 0x1.000002p-126f, 0x1p-24f, 0.1f, 1.0f,
          0x1.000002p0f, 0x1.fffffep0f, 3.0f, 0x1p23f, 0x1p24f, 0x1.8p24f, 0x1.fffffep126f, 0x1p127f,
          0x1.fffffep127f, std::numeric_limits<float>::infinity()}) {
      list.push_back(x);
      list.push_back(-x);
    }
    list.push_back(std::numeric_limits<float>::quiet_NaN());
    std::mt19937 random(1);
    for (int i = 0; i < 150; ++i) list.push_back(bit_cast<float>(static_cast<uint32_t>(random())));
    for (int i = 0; i < 150; ++i)
      list.push_back(1.0f + bit_cast<float>(0x3f800000u | (static_cast<uint32_t>(random()) & 0x7fffff)));
    return list;
  }();
  return all;
}

bool same(const float a, const float b) {
  return (std::isnan(a) && std::isnan(b)) || bit_cast<int>(a) == bit_cast<int>(b);
}
bool same(const double a, const double b) {
  return (std::isnan(a) && std::isnan(b)) || bit_cast<int64_t>(a) == bit_cast<int64_t>(b);
}

/// Checks that rounding down and rounding up give the same number, or neighbours with the exact value between
/// them. Rounding to zero and to nearest must give one of the two.
template <typename Real>
void expect_consistent(const Real rn, const Real rz, const Real ru, const Real rd) {
  if (std::isnan(rn)) {
    ASSERT_TRUE(std::isnan(rz) && std::isnan(ru) && std::isnan(rd));
    return;
  }
  ASSERT_LE(rd, ru);
  if (rd != ru) {
    ASSERT_EQ(std::nextafter(rd, std::numeric_limits<Real>::infinity()), ru);
  }
  ASSERT_TRUE(same(rn, rd) || same(rn, ru));
  ASSERT_TRUE(same(rz, rd < 0 || std::signbit(rd) ? ru : rd) || rd == ru) << rd << ' ' << ru << ' ' << rz;
}

/// Returns the float next to an exact value, on the given side.
float below(const double exact) {
  const float f = static_cast<float>(exact);
  return static_cast<double>(f) > exact ? std::nextafter(f, -INFINITY) : f;
}
float above(const double exact) {
  const float f = static_cast<float>(exact);
  return static_cast<double>(f) < exact ? std::nextafter(f, INFINITY) : f;
}

TEST(FloatRounding, ProductsAgainstTheExactProductInDouble) {
  for (const float a : floats()) {
    for (const float b : floats()) {
      const double exact = double{a} * b;
      expect_consistent(__fmul_rn(a, b), __fmul_rz(a, b), __fmul_ru(a, b), __fmul_rd(a, b));
      if (std::isnan(exact)) continue;
      ASSERT_EQ(__fmul_rd(a, b), below(exact));
      ASSERT_EQ(__fmul_ru(a, b), above(exact));
      ASSERT_TRUE(same(__fmul_rn(a, b), static_cast<float>(exact)));
    }
  }
}

TEST(FloatRounding, SumsAndDifferences) {
  for (const float a : floats()) {
    for (const float b : floats()) {
      expect_consistent(__fadd_rn(a, b), __fadd_rz(a, b), __fadd_ru(a, b), __fadd_rd(a, b));
      ASSERT_TRUE(same(__fsub_rd(a, b), __fadd_rd(a, -b)) || std::isnan(b));
      // The exact sum is `sum + rest`. If the rest is 0, the double `sum` is the reference.
      const double sum = double{a} + b, larger = std::fabs(a) > std::fabs(b) ? a : b;
      const double rest = (std::fabs(a) > std::fabs(b) ? double{b} : double{a}) - (sum - larger);
      if (rest != 0 || std::isnan(sum)) continue;
      ASSERT_EQ(__fadd_rd(a, b), below(sum));
      ASSERT_EQ(__fadd_ru(a, b), above(sum));
    }
  }
  EXPECT_EQ(__fadd_ru(1.0f, 0x1p-149f), 0x1.000002p0f);
  EXPECT_EQ(__fadd_rz(1.0f, -0x1p-149f), 0x1.fffffep-1f);
  EXPECT_EQ(__fadd_rd(0x1.fffffep127f, 0x1.fffffep127f), 0x1.fffffep127f)
      << "overflow stops at the greatest number";
  EXPECT_TRUE(std::signbit(__fadd_rd(1.0f, -1.0f)));
  EXPECT_FALSE(std::signbit(__fadd_ru(1.0f, -1.0f)));
}

TEST(FloatRounding, QuotientsRootsAndFma) {
  for (const float a : floats()) {
    expect_consistent(__frcp_rn(a), __frcp_rz(a), __frcp_ru(a), __frcp_rd(a));
    expect_consistent(__fsqrt_rn(a), __fsqrt_rz(a), __fsqrt_ru(a), __fsqrt_rd(a));
    for (const float b : floats()) {
      const float q = __fdiv_rd(a, b), p = __fdiv_ru(a, b);
      expect_consistent(__fdiv_rn(a, b), __fdiv_rz(a, b), p, q);
      if (std::isfinite(q) && std::isfinite(p) &&
          std::isfinite(b)) {  // q·b and p·b enclose a, exactly in double
        const double lower = double{q} * b, upper = double{p} * b;
        ASSERT_TRUE(b > 0 ? lower <= a && a <= upper : upper <= a && a <= lower) << a << '/' << b;
      }
      expect_consistent(__fmaf_rn(a, b, a), __fmaf_rz(a, b, a), __fmaf_ru(a, b, a), __fmaf_rd(a, b, a));
    }
  }
  EXPECT_EQ(__fmaf_ru(0x1p-100f, 0x1p-100f, 1.0f), 0x1.000002p0f);
  EXPECT_EQ(__fmaf_rz(-0x1p-100f, 0x1p-100f, 1.0f), 0x1.fffffep-1f);
}

TEST(FloatRounding, ReciprocalRootOfEveryMantissa) {
  for (uint32_t bits = 0x3f800000; bits < 0x40800000; ++bits) {  // [1, 4): both parities of the exponent
    const float x = bit_cast<float>(bits), r = __frsqrt_rn(x);
    // r is the nearest float if 1/√x lies between the midpoints to its neighbours: compares m²·x with 1 in long double
    // or with an fma.
    const double low = 0.5 * (double{r} + std::nextafter(r, 0.0f)),
                 high = 0.5 * (double{r} + std::nextafter(r, 2.0f));
    const double low2 = low * low, high2 = high * high;  // 25 bits squared: exact
    ASSERT_LE(std::fma(low2, double{x}, -1.0), 0) << x;
    ASSERT_GE(std::fma(high2, double{x}, -1.0), 0) << x;
  }
}

TEST(DoubleRounding, EnclosesTheExactResult) {
  std::mt19937_64 random(2);
  std::vector<double> values = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                0x1p-1074,
                                -0x1p-1074,
                                0x1p-1022,
                                0x1.fffffffffffffp1023,
                                -0x1.fffffffffffffp1023,
                                0x1p53,
                                0.1,
                                INFINITY,
                                -INFINITY,
                                NAN};
  for (int i = 0; i < 120; ++i) values.push_back(bit_cast<double>(random()));
  for (int i = 0; i < 120; ++i) values.push_back(bit_cast<double>(0x3ff0000000000000ull | (random() >> 12)));
  for (const double a : values) {
    expect_consistent(__dsqrt_rn(a), __dsqrt_rz(a), __dsqrt_ru(a), __dsqrt_rd(a));
    expect_consistent(__drcp_rn(a), __drcp_rz(a), __drcp_ru(a), __drcp_rd(a));
    for (const double b : values) {
      expect_consistent(__dadd_rn(a, b), __dadd_rz(a, b), __dadd_ru(a, b), __dadd_rd(a, b));
      expect_consistent(__dsub_rn(a, b), __dsub_rz(a, b), __dsub_ru(a, b), __dsub_rd(a, b));
      expect_consistent(__dmul_rn(a, b), __dmul_rz(a, b), __dmul_ru(a, b), __dmul_rd(a, b));
      expect_consistent(__ddiv_rn(a, b), __ddiv_rz(a, b), __ddiv_ru(a, b), __ddiv_rd(a, b));
      expect_consistent(__fma_rn(a, b, 1.0), __fma_rz(a, b, 1.0), __fma_ru(a, b, 1.0), __fma_rd(a, b, 1.0));
      const double rn = a * b, error = std::fma(a, b, -rn);
      if (!std::isfinite(rn) || std::fabs(rn) < 1e-280) continue;  // above it, the error is a double
      ASSERT_EQ(__dmul_ru(a, b) > rn, error > 0);
      ASSERT_EQ(__dmul_rd(a, b) < rn, error < 0);
    }
  }
}

TEST(Rounding, LeavesTheModeAsItWas) {
  __dadd_ru(1.0, 1e-30);
  __fsqrt_rz(2.0f);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  volatile double one = 1.0, tiny = 1e-30;
  EXPECT_EQ(one + tiny, 1.0);
}

}  // namespace
