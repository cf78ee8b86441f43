#include "build/in_the_making.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace grader {
namespace {

/// Several threads call once() at the same time, and the test counts how often the maker runs. The maker
/// works until all threads have called once().
class InTheMakingTest : public testing::Test {
 protected:
  template <typename Make>
  void ask(const Make& make) {
    constexpr int askers = 4;
    std::vector<std::thread> threads;
    for (int i = 0; i < askers; ++i)
      threads.emplace_back([&] {
        ++asked;
        try {
          const auto [number, made_here] = in_the_making.once("key", [&] {
            while (asked < askers) std::this_thread::yield();
            std::this_thread::sleep_for(std::chrono::milliseconds(50));  // so that the others wait
            return make();
          });
          sum += number;
          made += made_here;
        } catch (const std::runtime_error&) {
          ++thrown;
        }
      });
    for (std::thread& thread : threads) thread.join();
  }

  InTheMaking<int> in_the_making;
  std::atomic<int> asked = 0, sum = 0, made = 0, thrown = 0;
};

TEST_F(InTheMakingTest, OneMakesItAndAllHaveIt) {
  ask([] { return 7; });
  EXPECT_EQ(sum, 4 * 7);
  EXPECT_GE(made, 1);
  EXPECT_LT(made, 4);
}

TEST_F(InTheMakingTest, ItsExceptionReachesAll) {
  ask([]() -> int { throw std::runtime_error("no room"); });
  EXPECT_EQ(thrown, 4);
}

TEST_F(InTheMakingTest, AnEarlierResultIsMadeAgain) {
  EXPECT_EQ(in_the_making.once("key", [] { return 1; }).product, 1);
  const auto again = in_the_making.once("key", [] { return 2; });
  EXPECT_EQ(again.product, 2);
  EXPECT_TRUE(again.made_here);
}

}  // namespace
}  // namespace grader
