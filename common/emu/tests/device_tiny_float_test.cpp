// Tests __half and __nv_bfloat16. Conversions are tested in both directions for every bit pattern, for every
// midpoint between neighbours, and for the doubles next to each midpoint. Arithmetic is compared with the
// exact result, rounded by a search in the format's sorted values.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <random>
#include <vector>

#include "cuda_bf16.h"

namespace {

using cuemu::detail::Rounding;

/// The differences between the two formats, for typed tests.
struct HalfFormat {
  using Type = __half;
  using Pair = __half2;
  using Format = cuemu::Binary16;
  static constexpr int mantissa = 10, bias = 15;
  static Type from_bits(const unsigned bits) { return __ushort_as_half(static_cast<unsigned short>(bits)); }
  static float to_float(const Type x) { return __half2float(x); }
};
struct BfloatFormat {
  using Type = __nv_bfloat16;
  using Pair = __nv_bfloat162;
  using Format = cuemu::Bfloat16;
  static constexpr int mantissa = 7, bias = 127;
  static Type from_bits(const unsigned bits) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
  }
  static float to_float(const Type x) { return __bfloat162float(x); }
};

template <typename F>
constexpr unsigned infinity = 0x7fffu >> F::mantissa << F::mantissa;

/// The value of a pattern, computed from its fields.
template <typename F>
double value_of(const unsigned bits) {
  const int exponent = static_cast<int>((bits & 0x7fff) >> F::mantissa),
            fraction = static_cast<int>(bits & ((1u << F::mantissa) - 1));
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if ((bits & 0x7fff) == infinity<F>) return sign * INFINITY;
  if ((bits & 0x7fff) > infinity<F>) return NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - F::bias - F::mantissa);
  return sign * std::ldexp(fraction + (1 << F::mantissa), exponent - F::bias - F::mantissa);
}

/// Returns the pattern nearest to a non-negative exact value, by binary search. `above` is the sign of (exact
/// − value), if value is not exact.
template <typename F>
unsigned nearest_bits(const double value, const int above = 0) {
  unsigned low = 0, high = infinity<F>;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (value_of<F>(middle) <= value ? low : high) = middle;
  }
  // Above the greatest number, the midpoint is computed with the number that would come next.
  const double upper = high == infinity<F> ? std::ldexp(1.0, F::bias + 1) : value_of<F>(high);
  const double midpoint = (value_of<F>(low) + upper) / 2;
  const bool up = value > midpoint || (value == midpoint && (above > 0 || (above == 0 && (low & 1) != 0)));
  return up ? high : low;
}

template <typename F>
class TinyFloat : public testing::Test {};
using Formats = testing::Types<HalfFormat, BfloatFormat>;
TYPED_TEST_SUITE(TinyFloat, Formats);

TYPED_TEST(TinyFloat, EveryPatternToFloatAndBack) {
  using F = TypeParam;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float x = F::to_float(F::from_bits(bits));
    const double expected = value_of<F>(bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(x)) << bits;
      ASSERT_EQ(typename F::Type(x).bits(), 0x7fff);
      continue;
    }
    ASSERT_EQ(static_cast<double>(x), expected) << bits;
    ASSERT_EQ(std::signbit(x), (bits & 0x8000) != 0) << bits;
    ASSERT_EQ(typename F::Type(x).bits(), bits);
    ASSERT_EQ(typename F::Type(static_cast<double>(x)).bits(), bits);
  }
}

TYPED_TEST(TinyFloat, MidpointsAndTheirNeighboursRoundAsNamed) {
  using F = TypeParam;
  using T = typename F::Type;
  for (unsigned bits = 0; bits < infinity<F>; ++bits) {
    const bool last = bits + 1 == infinity<F>;
    const double low = value_of<F>(bits), high = last ? std::ldexp(1.0, F::bias + 1) : value_of<F>(bits + 1);
    const double midpoint = (low + high) / 2;
    const unsigned even = (bits & 1) == 0 ? bits : bits + 1;
    for (const double x : {std::nextafter(midpoint, 0.0), midpoint, std::nextafter(midpoint, INFINITY)}) {
      const unsigned nearest = x < midpoint ? bits : x > midpoint ? bits + 1 : even;
      ASSERT_EQ(T(x).bits(), nearest) << x;
      ASSERT_EQ(T(-x).bits(), nearest | 0x8000) << x;
      ASSERT_EQ(T::template rounded<Rounding::zero>(x).bits(), bits);
      ASSERT_EQ(T::template rounded<Rounding::zero>(-x).bits(), bits | 0x8000);
      ASSERT_EQ(T::template rounded<Rounding::up>(x).bits(), bits + 1);
      ASSERT_EQ(T::template rounded<Rounding::up>(-x).bits(), bits | 0x8000);
      ASSERT_EQ(T::template rounded<Rounding::down>(x).bits(), bits);
      ASSERT_EQ(T::template rounded<Rounding::down>(-x).bits(), (bits + 1) | 0x8000);
    }
    const float narrow = static_cast<float>(midpoint);
    for (const float x : {std::nextafter(narrow, 0.0f), narrow, std::nextafter(narrow, INFINITY)}) {
      ASSERT_EQ(T(x).bits(), nearest_bits<F>(x)) << x;
      ASSERT_EQ(T(-x).bits(), T(x).bits() | 0x8000) << x;
    }
  }
  EXPECT_EQ(T(1e300).bits(), infinity<F>);
  EXPECT_EQ(T(-1e-300).bits(), 0x8000);
  EXPECT_EQ(T(5e-324).bits(), 0);
  EXPECT_EQ(T::template rounded<Rounding::up>(5e-324).bits(), 1);
  EXPECT_EQ(T::template rounded<Rounding::zero>(INFINITY).bits(), infinity<F>);
}

TYPED_TEST(TinyFloat, ArithmeticIsTheExactResultRoundedOnce) {
  using F = TypeParam;
  using T = typename F::Type;
  std::mt19937 random(1);
  std::vector<unsigned> patterns = {
      0, 1, 2, 3, infinity<F> - 1, infinity<F>, 0x7fff, 1u << F::mantissa, (1u << F::mantissa) - 1};
  for (int i = 0; i < 250; ++i) patterns.push_back(random() & 0x7fff);
  for (size_t i = 0, n = patterns.size(); i < n; ++i) patterns.push_back(patterns[i] | 0x8000);
  // The exact result is `value` plus a very small number with the sign of `rest`.
  const auto expect = [](const T got, const double value, const double rest) {
    if (std::isnan(value)) return std::isnan(F::to_float(got));
    const int above = (rest > 0) - (rest < 0);
    const unsigned sign = std::signbit(value) ? 0x8000 : 0;
    return got.bits() == (nearest_bits<F>(std::fabs(value), sign != 0 ? -above : above) | sign);
  };
  for (const unsigned i : patterns) {
    const double a = value_of<F>(i);
    const T ta = F::from_bits(i);
    ASSERT_TRUE(
        expect(hsqrt(ta), std::sqrt(a), std::isfinite(a) ? -std::fma(std::sqrt(a), std::sqrt(a), -a) : 0))
        << a;
    for (const unsigned j : patterns) {
      const double b = value_of<F>(j);
      const T tb = F::from_bits(j);
      const double sum = a + b, part = sum - a, rest = (a - (sum - part)) + (b - part);
      ASSERT_TRUE(expect(ta + tb, sum, std::isfinite(sum) ? rest : 0)) << a << " + " << b;
      ASSERT_TRUE(expect(__hsub(ta, __hneg(tb)), sum, std::isfinite(sum) ? rest : 0)) << a << " - -" << b;
      ASSERT_TRUE(expect(ta * tb, a * b, 0)) << a << " * " << b;
      const double q = a / b;
      double q_rest = std::isfinite(q) && std::isfinite(b) ? std::fma(-q, b, a) : 0;
      if (b < 0) q_rest = -q_rest;
      ASSERT_TRUE(expect(ta / tb, q, q_rest)) << a << " / " << b;
    }
  }
}

TYPED_TEST(TinyFloat, FmaRoundsOnce) {
  using F = TypeParam;
  using T = typename F::Type;
  std::mt19937 random(2);
  for (int i = 0; i < 200000; ++i) {
    const unsigned ba = random() & 0xffff, bb = random() & 0xffff;
    unsigned bc = random() & 0xffff;
    const double a = value_of<F>(ba), b = value_of<F>(bb);
    if (i % 2 == 0 && std::isfinite(a * b))
      bc = T(-a * b).bits() ^ (random() & 3);  // cancels all but the last bits
    const double c = value_of<F>(bc), product = a * b;
    const T got = __hfma(F::from_bits(ba), F::from_bits(bb), F::from_bits(bc));
    const double sum = product + c;
    if (std::isnan(sum)) {
      ASSERT_TRUE(__hisnan(got));
      continue;
    }
    const double part = sum - product, rest = std::isfinite(sum) ? (product - (sum - part)) + (c - part) : 0;
    const unsigned sign = std::signbit(sum) ? 0x8000 : 0;
    const int above = ((rest > 0) - (rest < 0)) * (sign != 0 ? -1 : 1);
    ASSERT_EQ(got.bits(), nearest_bits<F>(std::fabs(sum), above) | sign) << a << " * " << b << " + " << c;
  }
  // The product is a tie. Only c decides the rounding, although c is far smaller than a double's last bit.
  const T one_up = F::from_bits((F::bias << F::mantissa) + 1);
  if (F::mantissa == 7) {
    const T a = T(1.0f + 0x1p-4f), tiny = T(0x1p-100f);  // (1 + 2⁻⁴)² = 1 + 2⁻³ + 2⁻⁸: a midpoint
    EXPECT_EQ(__hfma(a, a, tiny).bits(), __hfma(a, a, T(0.0f)).bits() + 1);
    EXPECT_EQ(__hfma(a, a, __hneg(tiny)).bits(), __hfma(a, a, T(0.0f)).bits());
  }
  EXPECT_EQ(__hfma_sat(one_up, one_up, one_up).bits(), T(1.0f).bits());
  EXPECT_EQ(__hfma_relu(one_up, __hneg(one_up), T(0.0f)).bits(), 0);
}

TYPED_TEST(TinyFloat, ComparisonsWithNan) {
  using F = TypeParam;
  using T = typename F::Type;
  const T one(1.0f), two(2.0f), nan = F::from_bits(0x7fff), zero(0.0f), minus_zero(-0.0f);
  EXPECT_TRUE(one < two && two > one && one <= one && one >= one && one == one && one != two);
  EXPECT_TRUE(zero == minus_zero);
  EXPECT_FALSE(nan == nan || nan < one || nan > one || nan <= nan || nan >= nan);
  EXPECT_TRUE(nan != nan);
  EXPECT_FALSE(__hne(nan, one));
  EXPECT_TRUE(__hequ(nan, one) && __hltu(nan, one) && __hneu(nan, nan) && __hgeu(one, nan));
  const typename F::Pair p(one, nan), q(one, one);
  EXPECT_EQ(F::to_float(__heq2(p, q).x), 1.0f);
  EXPECT_EQ(F::to_float(__heq2(p, q).y), 0.0f);
  EXPECT_EQ(__heq2_mask(p, q), 0x0000ffffu);
  EXPECT_EQ(__hequ2_mask(p, q), 0xffffffffu);
  EXPECT_FALSE(__hbeq2(p, q));
  EXPECT_TRUE(__hbequ2(p, q));
  EXPECT_TRUE(q == q);
  EXPECT_FALSE(p == p);
  EXPECT_EQ(F::to_float(__hisnan2(p).y), 1.0f);
}

TYPED_TEST(TinyFloat, MinMaxOrderZerosAndPassNanBy) {
  using F = TypeParam;
  using T = typename F::Type;
  const T one(1.0f), nan = F::from_bits(0xffff), zero(0.0f), minus_zero(-0.0f);
  EXPECT_EQ(__hmax(minus_zero, zero).bits(), 0);
  EXPECT_EQ(__hmin(zero, minus_zero).bits(), 0x8000);
  EXPECT_EQ(__hmax(nan, one).bits(), one.bits());
  EXPECT_EQ(__hmin(one, nan).bits(), one.bits());
  EXPECT_EQ(__hmax(nan, nan).bits(), 0x7fff);
  EXPECT_EQ(__hmax_nan(one, nan).bits(), 0x7fff);
  EXPECT_EQ(__hmin_nan(one, T(-3.0f)).bits(), T(-3.0f).bits());
}

TYPED_TEST(TinyFloat, ClassesSignsAndOperators) {
  using F = TypeParam;
  using T = typename F::Type;
  EXPECT_EQ(__hisinf(F::from_bits(infinity<F>)), 1);
  EXPECT_EQ(__hisinf(F::from_bits(infinity<F> | 0x8000)), -1);
  EXPECT_EQ(__hisinf(F::from_bits(0x7fff)), 0);
  EXPECT_EQ(__habs(T(-2.0f)).bits(), T(2.0f).bits());
  T x(3.0f);
  x += T(1.0f);
  x *= T(2.0f);
  EXPECT_EQ(F::to_float(x--), 8.0f);
  EXPECT_EQ(F::to_float(-x), -7.0f);
  EXPECT_EQ(static_cast<int>(x), 7);
  x = 2.75;
  EXPECT_EQ(static_cast<int>(x), 2);
  EXPECT_TRUE(static_cast<bool>(x));
  EXPECT_FALSE(static_cast<bool>(T(-0.0f)));
  typename F::Pair p(T(1.0f), T(2.0f));
  p = p * p + p;
  ++p;
  EXPECT_EQ(__low2float(p), 3.0f);
  EXPECT_EQ(__high2float(p), 7.0f);
  EXPECT_EQ(__low2float(__lowhigh2highlow(p)), 7.0f);
  const typename F::Pair i(T(0.0f), T(1.0f)), c(T(5.0f), T(6.0f));
  EXPECT_EQ(__low2float(__hcmadd(i, i, c)), 4.0f) << "i·i + 5 + 6i";
  EXPECT_EQ(__high2float(__hcmadd(i, i, c)), 6.0f);
}

TYPED_TEST(TinyFloat, AtomicSums) {
  using T = typename TypeParam::Type;
  alignas(4) T pair[2] = {T(1.0f), T(5.0f)};
  EXPECT_EQ(static_cast<float>(atomicAdd(&pair[1], T(2.0f))), 5.0f);
  EXPECT_EQ(static_cast<float>(pair[0]) * 10 + static_cast<float>(pair[1]), 17.0f);
}

TEST(Half, IntegerConversions) {
  EXPECT_EQ(__half2int_rn(__half(2.5f)), 2);
  EXPECT_EQ(__half2int_ru(__half(2.25f)), 3);
  EXPECT_EQ(__half2int_rd(__half(-2.25f)), -3);
  EXPECT_EQ(__half2short_rz(__half(-65504.0f)), SHRT_MIN);
  EXPECT_EQ(__half2ushort_rz(CUDART_INF_FP16), USHRT_MAX);
  EXPECT_EQ(__half2int_rz(CUDART_NAN_FP16), 0);
  EXPECT_EQ(__half2ll_rz(CUDART_NAN_FP16), LLONG_MIN);
  EXPECT_EQ(__half2uchar_rz(__half(300.0f)), 255);
  EXPECT_EQ(__half2float(__int2half_rn(2049)), 2048.0f);
  EXPECT_EQ(__half2float(__int2half_ru(2049)), 2050.0f);
  EXPECT_EQ(__half2float(__int2half_rz(-2049)), -2048.0f);
  EXPECT_EQ(__half2float(__int2half_rz(INT_MAX)), 65504.0f);
  EXPECT_EQ(__int2half_rn(65520).bits(), 0x7c00);
  EXPECT_EQ(__half2float(__uint2half_rn(65519u)), 65504.0f);
}

TEST(Bfloat16, WideIntegersRoundOnce) {
  // 2⁶² + 2⁵⁴ is a midpoint, since 8 bits are kept. If 1 is added, that decides the rounding, although no
  // double can represent the sum.
  const long long midpoint = (1LL << 62) + (1LL << 54);
  EXPECT_EQ(__bfloat162float(__ll2bfloat16_rn(midpoint)), 0x1p62f);
  EXPECT_EQ(__bfloat162float(__ll2bfloat16_rn(midpoint + 1)), 0x1p62f + 0x1p55f);
  EXPECT_EQ(__bfloat162float(__ll2bfloat16_rz(-midpoint - 1)), -0x1p62f);
  EXPECT_EQ(__bfloat162float(__ull2bfloat16_ru(ULLONG_MAX)), 0x1p64f);
  EXPECT_EQ(__bfloat162float(__nv_bfloat16(1LL << 40)), 0x1p40f);
}

TEST(BothFormats, ConvertIntoEachOther) {
  EXPECT_EQ(__bfloat162float(__nv_bfloat16(__half(1.5f))), 1.5f);
  EXPECT_EQ(__half2float(__half(__nv_bfloat16(100000.0f))), INFINITY);
}

TEST(Half, PairsAndViews) {
  const __half2 h = __floats2half2_rn(1.0f, -2.0f);
  EXPECT_EQ(cuemu::bit_cast<uint32_t>(h), 0xc0003c00u) << "x is the low half of the word";
  EXPECT_EQ(__half22float2(h).y, -2.0f);
  EXPECT_EQ(__half2float(__low2half(__half2half2(h.y))), -2.0f);
  EXPECT_EQ(__half_as_short(h.y), static_cast<short>(0xc000));
  __half2 sum = h;
  EXPECT_EQ(__high2float(atomicAdd(&sum, h)), -2.0f);
  EXPECT_EQ(__high2float(sum), -4.0f);
  EXPECT_EQ(__half2float(hexp2(__half(3.0f))), 8.0f);
  EXPECT_EQ(__half2float(hrcp(__half(4.0f))), 0.25f);
  EXPECT_EQ(__low2float(h2floor(__floats2half2_rn(-1.5f, 0.0f))), -2.0f);
}

}  // namespace
