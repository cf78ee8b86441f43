// Tests atomic functions: the values that they store and return, and that no update is lost when several OS
// threads update one address at the same time.
#include "cuemu/atomics.hpp"
#include "cuemu/atomics_wide.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <thread>
#include <vector>

namespace cuemu {
// All code in this test runs on the host.
void yield() {}
static Block host_block;
static Fiber host_fiber = [] {
  Fiber fiber;
  fiber.block = &host_block;
  return fiber;
}();
__thread Fiber* current_fiber = &host_fiber;
}  // namespace cuemu

namespace {

template <typename Body>
void on_threads(const Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([=] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

TEST(Atomics, ReturnTheOldValue) {
  int i = 5;
  EXPECT_EQ(atomicAdd(&i, 3), 5);
  EXPECT_EQ(atomicSub(&i, 1), 8);
  EXPECT_EQ(atomicExch(&i, -4), 7);
  EXPECT_EQ(atomicMin(&i, -9), -4);
  EXPECT_EQ(atomicMax_block(&i, 2), -9);
  EXPECT_EQ(atomicAnd(&i, 6), 2);
  EXPECT_EQ(atomicOr_system(&i, 5), 2);
  EXPECT_EQ(atomicXor(&i, 1), 7);
  EXPECT_EQ(atomicCAS(&i, 6, 100), 6);
  EXPECT_EQ(atomicCAS(&i, 6, 200), 100);
  EXPECT_EQ(i, 100);
}

TEST(Atomics, EachWidth) {
  unsigned long long l = ULLONG_MAX;
  EXPECT_EQ(atomicAdd(&l, 2ull), ULLONG_MAX);
  EXPECT_EQ(l, 1u);
  EXPECT_EQ(atomicMax(&l, 1ull << 60), 1u);
  EXPECT_EQ(atomicCAS(&l, 1ull << 60, 3ull), 1ull << 60);
  long long s = -1;
  EXPECT_EQ(atomicMin(&s, LLONG_MIN), -1);
  EXPECT_EQ(s, LLONG_MIN);
  float f = 1.5f;
  EXPECT_EQ(atomicAdd(&f, 2.0f), 1.5f);
  EXPECT_EQ(atomicExch(&f, -0.0f), 3.5f);
  double d = 0.25;
  EXPECT_EQ(atomicAdd(&d, 0.5), 0.25);
  EXPECT_EQ(d, 0.75);
  unsigned short h[2] = {7, 8};
  EXPECT_EQ(atomicCAS(&h[1], static_cast<unsigned short>(8), static_cast<unsigned short>(9)), 8);
  EXPECT_EQ(h[0] * 10 + h[1], 79);
}

TEST(Atomics, CountersWrapAtTheirLimit) {
  unsigned u = 0;
  for (const unsigned expected : {0u, 1u, 2u, 0u, 1u}) EXPECT_EQ(atomicInc(&u, 2), expected);
  u = 99;
  EXPECT_EQ(atomicInc(&u, 2), 99u) << "a value beyond the limit goes to 0";
  EXPECT_EQ(u, 0u);
  for (const unsigned expected : {0u, 2u, 1u, 0u}) EXPECT_EQ(atomicDec(&u, 2), expected);
  u = 99;
  EXPECT_EQ(atomicDec(&u, 2), 99u);
  EXPECT_EQ(u, 2u);
}

TEST(Atomics, NothingIsLostBetweenThreads) {
  static int i;
  static float f;
  static double d;
  static unsigned least, most, wraps;
  i = 0, f = 0, d = 0, least = UINT_MAX, most = 0, wraps = 0;
  on_threads([](const int thread) {
    for (int k = 0; k < 50000; ++k) {
      atomicAdd(&i, 1);
      atomicAdd(&f, 1.0f);
      atomicAdd(&d, 0.5);
      atomicMin(&least, static_cast<unsigned>(1000000 - 4 * k - thread));
      atomicMax(&most, static_cast<unsigned>(4 * k + thread));
      atomicInc(&wraps, 6);
    }
  });
  EXPECT_EQ(i, 200000);
  EXPECT_EQ(f, 200000.0f);
  EXPECT_EQ(d, 100000.0);
  EXPECT_EQ(least, 1000000u - 199999u);
  EXPECT_EQ(most, 199999u);
  EXPECT_EQ(wraps, 200000u % 7);
}

TEST(Atomics, SixteenBytesAtOnce) {
  struct alignas(16) Pair {
    long long value, check;
  };
  static Pair shared;
  shared = {0, 0};
  on_threads([](int) {
    for (int k = 0; k < 20000; ++k) {
      Pair expected = {0, 0};
      for (;;) {
        const Pair old = atomicCAS(&shared, expected, Pair{expected.value + 1, -expected.value - 1});
        if (old.value == expected.value && old.check == expected.check) break;
        ASSERT_EQ(old.value, -old.check) << "both halves are read together";
        expected = old;
      }
    }
  });
  EXPECT_EQ(shared.value, 80000);
  const Pair old = atomicExch(&shared, Pair{1, 2});
  EXPECT_EQ(old.check, -80000);
  EXPECT_EQ(shared.check, 2);
}

TEST(Atomics, SumsOfVectors) {
  float4 v = {1, 2, 3, 4};
  EXPECT_EQ(atomicAdd(&v, float4{10, 20, 30, 40}).w, 4.0f);
  EXPECT_EQ(v.x + v.y + v.z + v.w, 110.0f);
}

}  // namespace
