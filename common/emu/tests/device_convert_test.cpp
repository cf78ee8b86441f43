// Tests conversions: rounding, saturation, NaN, and views of bits.
#include "cuemu/convert.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <random>

namespace {

using cuemu::bit_cast;
__extension__ typedef __int128 Wide;

TEST(ToInteger, RoundsAsNamed) {
  EXPECT_EQ(__float2int_rn(2.5f), 2);
  EXPECT_EQ(__float2int_rn(3.5f), 4);
  EXPECT_EQ(__float2int_rn(-2.5f), -2);
  EXPECT_EQ(__float2int_rz(-2.7f), -2);
  EXPECT_EQ(__float2int_ru(-2.7f), -2);
  EXPECT_EQ(__float2int_ru(2.1f), 3);
  EXPECT_EQ(__float2int_rd(-2.1f), -3);
  EXPECT_EQ(__double2ll_rn(4503599627370497.5), 4503599627370498LL);
  EXPECT_EQ(__double2uint_rd(4294967295.9), 4294967295u);
}

TEST(ToInteger, ClampsToTheType) {
  EXPECT_EQ(__float2int_rn(3e9f), INT_MAX);
  EXPECT_EQ(__float2int_rn(2147483648.0f), INT_MAX);
  EXPECT_EQ(__float2int_rn(-2147483648.0f), INT_MIN);
  EXPECT_EQ(__float2int_rz(-INFINITY), INT_MIN);
  EXPECT_EQ(__float2uint_rn(-1.0f), 0u);
  EXPECT_EQ(__float2uint_rn(-0.4f), 0u);
  EXPECT_EQ(__float2uint_rz(INFINITY), UINT_MAX);
  EXPECT_EQ(__float2ull_rz(0x1p64f), ULLONG_MAX);
  EXPECT_EQ(__float2ull_rz(0x1.fffffep63f), 0xffffff0000000000ull);
  EXPECT_EQ(__double2ll_rn(-0x1p63), LLONG_MIN);
  EXPECT_EQ(__double2ll_rn(0x1p63), LLONG_MAX);
  EXPECT_EQ(__double2int_ru(2147483646.5), INT_MAX);
}

TEST(ToInteger, NanAsOnAGpu) {
  EXPECT_EQ(__float2int_rn(NAN), 0);
  EXPECT_EQ(__float2uint_rn(NAN), 0u);
  EXPECT_EQ(__float2ll_rn(NAN), LLONG_MIN);
  EXPECT_EQ(__float2ull_rn(NAN), 0x8000000000000000ull);
  EXPECT_EQ(__double2int_rn(NAN), INT_MIN);
  EXPECT_EQ(__double2uint_rn(NAN), 0x80000000u);
}

TEST(FromInteger, EnclosesTheInteger) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const auto x = static_cast<long long>(random()) >> (i % 40);
    const auto narrow = static_cast<int>(x);
    const float down = __ll2float_rd(x), up = __ll2float_ru(x);
    ASSERT_LE(static_cast<Wide>(down), x);
    ASSERT_GE(static_cast<Wide>(up), x);
    ASSERT_TRUE(down == up || std::nextafter(down, INFINITY) == up);
    ASSERT_EQ(__ll2float_rz(x), x < 0 ? up : down);
    ASSERT_EQ(__ll2float_rn(x), static_cast<float>(x));
    ASSERT_LE(static_cast<double>(__int2float_rd(narrow)), narrow);
    ASSERT_GE(static_cast<double>(__int2float_ru(narrow)), narrow);
    ASSERT_LE(static_cast<Wide>(__ull2double_rd(static_cast<unsigned long long>(x))),
              static_cast<unsigned long long>(x));
  }
  EXPECT_EQ(__ull2float_rz(ULLONG_MAX), 0x1.fffffep63f);
  EXPECT_EQ(__ull2float_ru(ULLONG_MAX), 0x1p64f);
  EXPECT_EQ(__int2float_rz(INT_MIN), -0x1p31f);
  EXPECT_EQ(__uint2float_rn(0), 0.0f);
}

TEST(DoubleToFloat, RoundsAsNamed) {
  EXPECT_EQ(__double2float_rz(1e300), 0x1.fffffep127f);
  EXPECT_EQ(__double2float_ru(1e300), INFINITY);
  EXPECT_EQ(__double2float_ru(-1e300), -0x1.fffffep127f);
  EXPECT_EQ(__double2float_ru(1e-300), 0x1p-149f);
  EXPECT_EQ(__double2float_rz(1e-300), 0.0f);
  EXPECT_EQ(__double2float_rd(-1e-300), -0x1p-149f);
  EXPECT_TRUE(std::signbit(__double2float_ru(-1e-300)));
  EXPECT_TRUE(std::signbit(__double2float_rz(-0x1.8p-150)));
  EXPECT_TRUE(std::isnan(__double2float_rd(NAN)));
  EXPECT_EQ(__double2float_rd(INFINITY), INFINITY);
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    const double x = bit_cast<double>((random() & 0x83ffffffffffffffull) | 0x3800000000000000ull);
    const float down = __double2float_rd(x), up = __double2float_ru(x);
    ASSERT_LE(down, x);
    ASSERT_GE(up, x);
    ASSERT_TRUE(down == up || std::nextafter(down, INFINITY) == up);
  }
}

TEST(Views, KeepTheBits) {
  EXPECT_EQ(__float_as_int(-0.0f), INT_MIN);
  EXPECT_EQ(__float_as_uint(1.0f), 0x3f800000u);
  EXPECT_EQ(__int_as_float(0x40000000), 2.0f);
  EXPECT_EQ(__uint_as_float(0xff800000u), -INFINITY);
  EXPECT_EQ(__double_as_longlong(1.0), 0x3ff0000000000000ll);
  EXPECT_EQ(__double2hiint(-2.0), static_cast<int>(0xc0000000));
  EXPECT_EQ(__double2loint(__longlong_as_double(0x123456789abcdef0ll)), static_cast<int>(0x9abcdef0));
  EXPECT_EQ(__hiloint2double(0x3ff80000, 0), 1.5);
  EXPECT_EQ(__double_as_longlong(__hiloint2double(0x12345678, -1)), 0x12345678ffffffffll);
}

}  // namespace
