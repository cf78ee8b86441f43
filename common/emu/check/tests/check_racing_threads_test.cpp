// Tests the questions about an index that all races of a finding suggest.
#include <gtest/gtest.h>

#include "racing_threads.hpp"

namespace {

using cuemu::check::Apart;
using cuemu::check::RacingThreads;
using Place = std::array<std::uint32_t, 3>;

std::string question(const std::vector<std::tuple<Place, Place, std::uintptr_t>>& races) {
  Apart apart;
  for (const auto& [first, second, address] : races)
    apart.met(RacingThreads{first, second, 0, 1, 0, 0, false, address});
  return apart.question(dim3(1), dim3(4, 4, 4));
}

TEST(Apart, NamesAllAxesThatTheIndexLacks) {
  EXPECT_EQ(question({{{0, 0, 0}, {0, 1, 0}, 100}, {{0, 0, 0}, {0, 0, 1}, 100}, {{1, 0, 0}, {1, 1, 0}, 300}}),
            "threads that differ only in y and z meet at one element: does its index lack y and z?");
}

TEST(Apart, RemembersElementsWhereAnotherAxisDiffers) {
  EXPECT_EQ(question({{{0, 0, 0}, {0, 1, 0}, 100}, {{0, 0, 0}, {0, 0, 1}, 200}, {{1, 0, 0}, {1, 1, 0}, 300}}),
            "");
}

}  // namespace
