// Compares integer intrinsics with bit-by-bit references. The inputs are all 16-bit patterns in both halves
// of the word, and random words.
#include "cuemu/intrinsics.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <cuda/cmath>
#include <limits>
#include <random>
#include <vector>

#include "cuemu/ptx/video.hpp"

namespace {

/// All 16-bit values in the low and the high half, their complements, and random words.
const std::vector<uint32_t>& words() {
  static const std::vector<uint32_t> all = [] {
    std::vector<uint32_t> list;
    for (uint32_t i = 0; i < 0x10000; ++i) {
      list.push_back(i);
      list.push_back(i << 16);
      list.push_back(~i);
    }
    std::mt19937 random(1);
    for (int i = 0; i < 100000; ++i) list.push_back(random());
    return list;
  }();
  return all;
}

/// Calls `check` for pairs of extreme values and of random words.
template <typename Check>
void for_pairs(Check check) {
  const uint32_t edges[] = {0,          1,          2,          0x7f,       0x80,      0xff,
                            0x7fff,     0x8000,     0xffff,     0x7fffff,   0x800000,  0xffffff,
                            0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
  for (const uint32_t a : edges) {
    for (const uint32_t b : edges) check(a, b);
  }
  std::mt19937 random(2);
  for (int i = 0; i < 100000; ++i) {
    const uint32_t a = random();
    check(a, random());
  }
}

TEST(Bits, CountsAndPositions) {
  for (const uint32_t x : words()) {
    int count = 0, leading = 32, first = 0;
    uint32_t reversed = 0;
    for (int bit = 0; bit < 32; ++bit) {
      if ((x >> bit & 1) == 0) continue;
      ++count;
      leading = 31 - bit;
      if (first == 0) first = bit + 1;
      reversed |= 1u << (31 - bit);
    }
    ASSERT_EQ(__popc(x), count) << x;
    ASSERT_EQ(__clz(static_cast<int>(x)), leading) << x;
    ASSERT_EQ(__ffs(static_cast<int>(x)), first) << x;
    ASSERT_EQ(__brev(x), reversed) << x;
    const uint64_t high = static_cast<uint64_t>(x) << 32;
    ASSERT_EQ(__popcll(high | x), 2 * count);
    ASSERT_EQ(__clzll(static_cast<long long>(high)), x == 0 ? 64 : leading);
    ASSERT_EQ(__clzll(x), 32 + leading);
    ASSERT_EQ(__ffsll(static_cast<long long>(high)), x == 0 ? 0 : 32 + first);
    ASSERT_EQ(__brevll(high), reversed);
    ASSERT_EQ(__brevll(x), static_cast<uint64_t>(reversed) << 32);
  }
}

TEST(Bits, FindsTheNthSetBit) {
  EXPECT_EQ(__fns(0b1011u, 0, 1), 0u);
  EXPECT_EQ(__fns(0b1011u, 0, 3), 3u);
  EXPECT_EQ(__fns(0b1011u, 0, 4), 0xffffffffu);
  EXPECT_EQ(__fns(0b1011u, 3, -2), 1u);
  EXPECT_EQ(__fns(0b1011u, 1, 0), 1u);
  EXPECT_EQ(__fns(0b1011u, 2, 0), 0xffffffffu);
}

TEST(Bits, PermutesBytes) {
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x7654), 0x77665544u);
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x3210), 0x33221100u);
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x0123), 0x00112233u);
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x6040), 0x66004400u);
  EXPECT_EQ(__byte_perm(0x0000807f, 0, 0x9898), 0x807f807fu)
      << "a digit has three bits; its fourth means nothing";
}

TEST(Bits, FunnelShifts) {
  std::mt19937 random(3);
  for (int i = 0; i < 100000; ++i) {
    const uint32_t lo = random(), hi = random(), shift = random() % 70;
    const uint64_t both = static_cast<uint64_t>(hi) << 32 | lo;
    const uint32_t wrapped = shift % 32, clamped = shift > 32 ? 32 : shift;
    ASSERT_EQ(__funnelshift_l(lo, hi, shift), static_cast<uint32_t>(both << wrapped >> 32));
    ASSERT_EQ(__funnelshift_r(lo, hi, shift), static_cast<uint32_t>(both >> wrapped));
    ASSERT_EQ(__funnelshift_lc(lo, hi, shift),
              clamped == 32 ? lo : static_cast<uint32_t>(both << clamped >> 32));
    ASSERT_EQ(__funnelshift_rc(lo, hi, shift), clamped == 32 ? hi : static_cast<uint32_t>(both >> clamped));
  }
}

TEST(Products, HighHalvesAnd24Bits) {
  for_pairs([](const uint32_t a, const uint32_t b) {
    const int ia = static_cast<int>(a), ib = static_cast<int>(b);
    ASSERT_EQ(__umulhi(a, b), static_cast<uint32_t>(uint64_t{a} * b >> 32));
    ASSERT_EQ(__mulhi(ia, ib), static_cast<int>(int64_t{ia} * ib >> 32));
    ASSERT_EQ(__umul24(a, b), static_cast<uint32_t>(uint64_t{a & 0xffffff} * (b & 0xffffff)));
    const int64_t sa = static_cast<int32_t>(a << 8) >> 8, sb = static_cast<int32_t>(b << 8) >> 8;
    ASSERT_EQ(__mul24(ia, ib), static_cast<int32_t>(sa * sb));
    // Computes the high half of a 64-bit product from four partial products.
    const uint64_t x = uint64_t{a} << 32 | b, y = uint64_t{b} << 32 | a;
    const uint64_t low = uint64_t{b} * a, middle1 = uint64_t{a} * a + (low >> 32);
    const uint64_t middle2 = uint64_t{b} * b + (middle1 & 0xffffffff);
    const uint64_t high = uint64_t{a} * b + (middle1 >> 32) + (middle2 >> 32);
    ASSERT_EQ(__umul64hi(x, y), high);
    const uint64_t correction = (ia < 0 ? y : 0) + (ib < 0 ? x : 0);
    ASSERT_EQ(static_cast<uint64_t>(__mul64hi(static_cast<long long>(x), static_cast<long long>(y))),
              high - correction);
  });
}

TEST(Sums, DifferencesAndAverages) {
  for_pairs([](const uint32_t a, const uint32_t b) {
    const int64_t ia = static_cast<int>(a), ib = static_cast<int>(b);
    ASSERT_EQ(__usad(a, b, 7), static_cast<uint32_t>((a > b ? uint64_t{a} - b : uint64_t{b} - a) + 7));
    ASSERT_EQ(__sad(static_cast<int>(a), static_cast<int>(b), 7),
              static_cast<uint32_t>((ia > ib ? ia - ib : ib - ia) + 7));
    ASSERT_EQ(__hadd(static_cast<int>(a), static_cast<int>(b)), (ia + ib) >> 1);
    ASSERT_EQ(__rhadd(static_cast<int>(a), static_cast<int>(b)), (ia + ib + 1) >> 1);
    ASSERT_EQ(__uhadd(a, b), (uint64_t{a} + b) >> 1);
    ASSERT_EQ(__urhadd(a, b), (uint64_t{a} + b + 1) >> 1);
  });
}

TEST(DotProducts, OfBytesAndHalves) {
  for_pairs([](const uint32_t a, const uint32_t b) {
    int64_t signed4 = 5, unsigned4 = 5, lo = 5, hi = 5;
    for (int i = 0; i < 4; ++i) {
      const auto sa = static_cast<int8_t>(a >> (8 * i)), sb = static_cast<int8_t>(b >> (8 * i));
      signed4 += sa * sb;
      unsigned4 += (a >> (8 * i) & 255) * (b >> (8 * i) & 255);
      const auto half = static_cast<int16_t>(a >> (16 * (i % 2)));
      (i < 2 ? lo : hi) += half * sb;
    }
    const int ia = static_cast<int>(a), ib = static_cast<int>(b);
    ASSERT_EQ(__dp4a(ia, ib, 5), static_cast<int>(signed4));
    ASSERT_EQ(__dp4a(a, b, 5u), static_cast<uint32_t>(unsigned4));
    ASSERT_EQ(__dp2a_lo(ia, ib, 5), static_cast<int>(lo));
    ASSERT_EQ(__dp2a_hi(ia, ib, 5), static_cast<int>(hi));
  });
  EXPECT_EQ(__dp4a(char4{1, -2, 3, -4}, char4{5, 6, 7, 8}, 100), 100 + 5 - 12 + 21 - 32);
  EXPECT_EQ(__dp2a_hi(ushort2{65535, 1}, uchar4{0, 0, 255, 3}, 1u), 65535u * 255 + 3 + 1);
}

/// The libcu++ functions of <cuda/cmath>, in each width.
template <typename T>
void check_logarithms_and_roots(const T x) {
  int log2 = 0, log10 = 0;
  for (T rest = x; rest > 1; rest = static_cast<T>(rest / 2)) ++log2;
  for (T rest = x; rest > 9; rest = static_cast<T>(rest / 10)) ++log10;
  const bool power = x == static_cast<T>(T{1} << log2);
  ASSERT_EQ(cuda::ilog2(x), log2) << +x;
  ASSERT_EQ(cuda::ceil_ilog2(x), log2 + (power ? 0 : 1)) << +x;
  ASSERT_EQ(cuda::ilog10(x), log10) << +x;
  ASSERT_EQ(cuda::is_power_of_two(x), power) << +x;
  ASSERT_EQ(cuda::prev_power_of_two(x), static_cast<T>(T{1} << log2)) << +x;
  if (x <= static_cast<T>(std::numeric_limits<T>::max() / 2 + 1)) {
    ASSERT_EQ(cuda::next_power_of_two(x), power ? x : static_cast<T>(T{1} << (log2 + 1))) << +x;
  }
  __extension__ typedef unsigned __int128 Wide;
  const auto root = static_cast<Wide>(cuda::isqrt(x)), wide = static_cast<Wide>(x);
  ASSERT_TRUE(root * root <= wide && wide < (root + 1) * (root + 1)) << +x;
}
TEST(IntegerMathematics, LogarithmsPowersAndRoots) {
  for (const uint32_t x : words()) {
    if (x == 0) continue;
    check_logarithms_and_roots(x);
    check_logarithms_and_roots(uint64_t{x} << 32 | 0xffffffffu);
    check_logarithms_and_roots(static_cast<uint64_t>(x) * x);
    if (static_cast<uint16_t>(x) != 0) check_logarithms_and_roots(static_cast<uint16_t>(x));
    if (static_cast<int32_t>(x) > 0 && x < 0x40000000) check_logarithms_and_roots(static_cast<int32_t>(x));
    const int64_t signed_x = static_cast<int32_t>(x);
    ASSERT_EQ(cuda::uabs(static_cast<int32_t>(x)),
              static_cast<uint32_t>(signed_x < 0 ? -signed_x : signed_x));
  }
  EXPECT_EQ(cuda::uabs(std::numeric_limits<long long>::min()), 1ull << 63);
  EXPECT_EQ(cuda::isqrt(0), 0);
  EXPECT_EQ(cuda::next_power_of_two(0u), 1u);
  EXPECT_EQ(cuda::prev_power_of_two(0), 0);
  EXPECT_FALSE(cuda::is_power_of_two(0));
}

using namespace cuemu::ptx;
constexpr Part whole = {0, 32}, byte_1 = {8, 8}, half_1 = {16, 16};

/// Here GPUs differ from the manual: `.sat` also limits a sum of 33 bits, and signed bytes and halves.
TEST(ScalarVideo, LimitsWhatIsWiderThanItsType) {
  u32 d = 0;
  scalar_vadd<u32, u32, u32, VideoThen::nothing, true>(d, whole, 0xffffffffu, whole, 2u, whole, 0u);
  EXPECT_EQ(d, 0xffffffffu);
  scalar_vadd<u32, u32, u32, VideoThen::nothing, false>(d, whole, 0xffffffffu, whole, 2u, whole, 0u);
  EXPECT_EQ(d, 1u);
  scalar_vadd<s32, s32, s32, VideoThen::nothing, true>(d, byte_1, 0x8000u, byte_1, 0xff00u, byte_1,
                                                       0x12345678u);
  EXPECT_EQ(d, 0x12348078u);
  scalar_vsub<s32, s32, s32, VideoThen::nothing, true>(d, half_1, 0x7fff0000u, half_1, 0xffff0000u, half_1,
                                                       0x12345678u);
  EXPECT_EQ(d, 0x7fff5678u);
  scalar_vshl_clamp<u32, u32, u32, VideoThen::nothing, true>(d, whole, 1u, whole, 77u, whole, 0u);
  EXPECT_EQ(d, 0xffffffffu);
  scalar_vshl_wrap<s32, s32, u32, VideoThen::nothing, true>(d, whole, 0xfffffff0u, whole, 62u, whole, 0u);
  EXPECT_EQ(d, 0x80000000u);
}

TEST(ScalarVideo, ProductsAreWiderThanTheirType) {
  u32 d = 0;
  vmad<u32, u32, false, false, false, 0, true>(d, 0xffffffffu, whole, 0xffffffffu, whole, 0xffffffffu);
  EXPECT_EQ(d, 0xffffffffu);
  vmad<u32, u32, false, false, true, 15, false>(d, 2u, whole, 0u, whole, 0xfffffffeu);
  EXPECT_EQ(d, 0x1ffffu);
  vmad<s32, u32, true, false, false, 7, false>(d, 0x80000000u, whole, 256u, whole, 0xffffff80u);
  EXPECT_EQ(d, 0xffffffffu) << "2^39 - 2^7, shifted, without its upper bits";
  vmad<u32, u32, false, true, false, 0, true>(d, 3u, whole, 5u, whole, 100u);
  EXPECT_EQ(d, static_cast<u32>(-85));
}

}  // namespace
