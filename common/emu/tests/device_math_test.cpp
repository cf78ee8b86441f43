// Compares the math functions that CUDA adds to <math.h> with published values and identities, and with long
// double if that has more digits.
#include "math_functions.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <random>

#include "math_constants.h"

namespace {

/// The distance in units of the expected value's last place.
double ulps(const double got, const double expected) {
  if (got == expected || (std::isnan(got) && std::isnan(expected))) return 0;
  const double size = std::fabs(expected);
  return std::fabs(got - expected) / (std::nextafter(size, HUGE_VAL) - size);
}

TEST(MinMax, TypesFollowCuda) {
  static_assert(std::is_same_v<decltype(min(1, 2u)), unsigned> &&
                std::is_same_v<decltype(max(1.0f, 2.0)), double>);
  static_assert(std::is_same_v<decltype(min(1L, 2UL)), unsigned long> &&
                std::is_same_v<decltype(min(1.f, 2.f)), float>);
  EXPECT_EQ(max(-1, 1u), 0xffffffffu) << "the signed operand is converted";
  EXPECT_EQ(min(-1LL, 1LL), -1LL);
  EXPECT_EQ(min(CUDART_NAN_F, 2.0f), 2.0f);
  EXPECT_EQ(min(2.0f, CUDART_NAN_F), 2.0f);
  EXPECT_EQ(max(CUDART_NAN, 2.0f), 2.0);
  EXPECT_TRUE(std::isnan(max(CUDART_NAN, CUDART_NAN)));
  EXPECT_EQ(abs(-2.5f), 2.5f);
  EXPECT_EQ(abs(-5000000000LL), 5000000000LL);
}

TEST(Roots, AndTheirReciprocals) {
  EXPECT_EQ(rsqrtf(4.0f), 0.5f);
  EXPECT_EQ(rsqrt(0.0), HUGE_VAL);
  EXPECT_TRUE(std::isnan(rsqrt(-1.0f)));
  EXPECT_EQ(rcbrt(27.0), 1.0 / 3);
  EXPECT_EQ(rcbrt(0.0), HUGE_VAL);
  EXPECT_EQ(rcbrt(-HUGE_VAL), 0.0);
  EXPECT_EQ(rcbrt(0x1p-1074), 0x1p358);
  EXPECT_EQ(rcbrtf(-8.0f), -0.5f);
  EXPECT_EQ(rhypot(3.0, 4.0), 0.2);
}

TEST(Norms, NeitherOverflowNorUnderflow) {
  EXPECT_EQ(norm3d(2.0, 3.0, 6.0), 7.0);
  EXPECT_EQ(norm3d(0x2p1020, 0x3p1020, 0x6p1020), 0x7p1020);
  EXPECT_EQ(norm4d(1e-320, 0.0, 0.0, 0.0), 1e-320);
  EXPECT_EQ(norm3df(2e38f, 0.0f, 0.0f), 2e38f);
  EXPECT_EQ(norm4df(2e-40f, 0.0f, 0.0f, 0.0f), 2e-40f);
  EXPECT_EQ(rnorm3d(2, 3, 6), 1.0 / 7) << "in double only, as CUDA has it";
  EXPECT_EQ(norm3d(CUDART_NAN, CUDART_INF, 0.0), CUDART_INF) << "an infinite element wins over NaN";
  EXPECT_TRUE(std::isnan(norm3d(CUDART_NAN, 1.0, 0.0)));
  EXPECT_EQ(norm3d(0.0, 0.0, 0.0), 0.0);
  const float p[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(normf(9, p), 3.0f);
}

TEST(SinPi, ExactAtHalfIntegers) {
  EXPECT_EQ(sinpi(0.5), 1.0);
  EXPECT_EQ(sinpi(1.0), 0.0);
  EXPECT_EQ(cospi(0.5), 0.0);
  EXPECT_EQ(cospi(1e15 + 1), -1.0);
  EXPECT_EQ(sinpi(-1.5), 1.0);
  EXPECT_EQ(sinpif(1.0f / 6), sinf(CUDART_PI_F / 6));
  EXPECT_TRUE(std::signbit(sinpi(-2.0)));
  EXPECT_TRUE(std::isnan(cospi(CUDART_INF)));
  double s, c;
  for (double x = -4; x < 4; x += 0.001) {
    sincospi(x, &s, &c);
    ASSERT_NEAR(s, sinl(x * 3.14159265358979323846264L), 3e-16) << x;
    ASSERT_NEAR(c, cosl(x * 3.14159265358979323846264L), 3e-16) << x;
  }
}

TEST(SinCos, OverloadForFloat) {
  float s, c;
  sincos(1.0f, &s, &c);
  EXPECT_EQ(s, sinf(1.0f));
  EXPECT_EQ(c, cosf(1.0f));
  EXPECT_EQ(exp10(3.0f), 1000.0f);
  EXPECT_EQ(exp10(-2.0), 0.01);
}

TEST(InverseErrorFunctions, PublishedValues) {
  EXPECT_LE(ulps(erfinv(0.5), 0.4769362762044698733814), 1);
  EXPECT_LE(ulps(erfinv(-0.9), -1.1630871536766740867263), 1);
  EXPECT_LE(ulps(erfinv(1e-10), 8.862269254527580136e-11), 1);
  EXPECT_LE(ulps(erfcinv(1e-10), 4.5728249673894852787), 1);
  EXPECT_LE(ulps(erfcinv(1e-300), 26.20946996051612388600), 1);
  EXPECT_EQ(erfinv(1.0), CUDART_INF);
  EXPECT_EQ(erfcinv(0.0), CUDART_INF);
  EXPECT_EQ(erfcinv(2.0), -CUDART_INF);
  EXPECT_TRUE(std::isnan(erfinv(1.0001)));
  EXPECT_TRUE(std::isnan(erfcinv(-0.1)));
  EXPECT_EQ(erfinvf(0.5f), 0.47693628f);
}

TEST(InverseErrorFunctions, UndoTheirFunctions) {
  for (double x = -3; x <= 3; x += 0.01) {
    // erf is flat for large x. So an error in its last place corresponds to an error of x that grows with
    // exp(x²).
    ASSERT_NEAR(erfinv(erf(x)), x, 2.3e-16 * (1 + exp(x * x))) << x;
  }
  for (double x = 0.5; x < 26; x += 0.01) ASSERT_NEAR(erfcinv(erfc(x)), x, 4e-16 * (1 + x)) << x;
}

TEST(NormalDistribution, PublishedValues) {
  EXPECT_EQ(normcdf(0.0), 0.5);
  EXPECT_LE(ulps(normcdf(-1.0), 0.15865525393145705142), 2);
  EXPECT_LE(ulps(normcdf(-10.0), 7.61985302416052606597e-24), 3);
  EXPECT_LE(ulps(normcdf(-37.0), 5.72557122252457682268e-300), 5);
  EXPECT_EQ(normcdf(50.0), 1.0);
  EXPECT_LE(ulps(normcdfinv(0.975), 1.9599639845400542355), 2);
  EXPECT_LE(ulps(normcdfinv(1e-20), -9.2623400897984075737), 2);
  EXPECT_EQ(normcdfinv(0.5), 0.0);
}

TEST(ScaledErfc, PublishedValuesAndTail) {
  EXPECT_LE(ulps(erfcx(1.0), 0.42758357615580700441), 2);
  EXPECT_LE(ulps(erfcx(10.0), 0.05614099274382258586), 2);
  EXPECT_LE(ulps(erfcx(-1.0), 5.00898008076228346631), 2);
  EXPECT_LE(ulps(erfcx(7.999), 0.06999378376199330173), 4);
  EXPECT_EQ(erfcx(-30.0), CUDART_INF);
  EXPECT_LE(ulps(erfcx(1e200), 1 / (1e200 * 1.7724538509055160273)), 1);
  EXPECT_EQ(erfcx(CUDART_INF), 0.0);
}

TEST(BesselI, PublishedValues) {
  EXPECT_LE(ulps(cyl_bessel_i0(1.0), 1.2660658777520083356), 2);
  EXPECT_LE(ulps(cyl_bessel_i1(1.0), 0.56515910399248502721), 2);
  EXPECT_LE(ulps(cyl_bessel_i0(50.0), 2.93255378384933632665e20), 4);
  EXPECT_LE(ulps(cyl_bessel_i1(-50.0), -2.90307859010355679675e20), 4);
  EXPECT_EQ(cyl_bessel_i0(0.0), 1.0);
  EXPECT_EQ(cyl_bessel_i1f(0.0f), 0.0f);
}

TEST(FastMath, EdgesAsOnAGpu) {
  EXPECT_EQ(__fdividef(1.0f, 0x1p127f), 0.0f);
  EXPECT_TRUE(std::isnan(__fdividef(CUDART_INF_F, 0x1p127f)));
  EXPECT_EQ(__fdividef(6.0f, 3.0f), 2.0f);
  EXPECT_EQ(__saturatef(CUDART_NAN_F), 0.0f);
  EXPECT_EQ(__saturatef(1.5f), 1.0f);
  EXPECT_EQ(__saturatef(0.25f), 0.25f);
  EXPECT_EQ(__powf(2.0f, 10.0f), 1024.0f);
}

}  // namespace
