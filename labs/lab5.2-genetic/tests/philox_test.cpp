/// @file
/// Tests Philox: the published known answers, and the values computed from the words.
#include <gtest/gtest.h>

#include <bitset>
#include <vector>

#include "philox.hpp"

namespace {

/// The known answers of Random123 for philox4x32 with ten rounds.
TEST(Philox, GivesTheKnownAnswers) {
  const struct {
    lab::Words counter;
    lab::PhiloxKey key;
    lab::Words expected;
  } known[] = {
      {{{0, 0, 0, 0}}, {{0, 0}}, {{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}}},
      {{{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu}},
       {{0xffffffffu, 0xffffffffu}},
       {{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}}},
      {{{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}},
       {{0xa4093822u, 0x299f31d0u}},
       {{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}}},
  };
  for (const auto& vector : known) {
    const lab::Words got = lab::philox(vector.counter, vector.key);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(got[i], vector.expected[i]);
  }
}

TEST(Philox, EveryBitOfCounterAndKeyChangesAboutHalfTheBits) {
  const lab::Words base = lab::philox({{1, 2, 3, 4}}, {{5, 6}});
  for (int bit = 0; bit < 192; ++bit) {
    std::uint32_t in[6] = {1, 2, 3, 4, 5, 6};
    in[bit / 32] ^= 1u << (bit % 32);
    const lab::Words other = lab::philox({{in[0], in[1], in[2], in[3]}}, {{in[4], in[5]}});
    std::size_t changed = 0;
    for (int i = 0; i < 4; ++i) changed += std::bitset<32>(base[i] ^ other[i]).count();
    EXPECT_GT(changed, 36u) << bit;
    EXPECT_LT(changed, 92u) << bit;
  }
}

TEST(Philox, WordsBecomeNumbersInTheirRange) {
  EXPECT_EQ(lab::unit_real(0), 0.0f);
  EXPECT_LT(lab::unit_real(0xffffffffu), 1.0f);
  EXPECT_EQ(lab::below(0xffffffffu, 7), 6u);
  EXPECT_EQ(lab::below(0, 7), 0u);
  EXPECT_EQ(lab::below(0xffffffffu, 1), 0u);
  // An event of probability 0 never happens, and one of probability 1 always happens.
  EXPECT_FALSE(lab::happens(0, lab::chance(0)));
  EXPECT_TRUE(lab::happens(0xffffffffu, lab::chance(1)));
  std::vector<int> counts(8);
  int happened = 0;
  for (std::uint32_t i = 0; i < 8000; ++i) {
    const lab::Words words = lab::philox({{i, 0, 0, 0}}, {{1, 0}});
    ++counts[lab::below(words[0], 8)];
    happened += lab::happens(words[1], lab::chance(0.25));
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 120);
  EXPECT_NEAR(happened, 2000, 160);
}

}  // namespace
