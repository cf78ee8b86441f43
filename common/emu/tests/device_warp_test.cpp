// Tests warp functions in running CUDA threads: whole and partial warps, partial masks, lanes that have
// returned, and calls that can never meet.
#include "device_kernel.hpp"

#include "cuda_fp16.h"

#include <cstdlib>

namespace {

constexpr unsigned kAll = 0xffffffffu;

TEST(Shuffle, EachKindAndWidth) {
  for (const int width : {32, 16, 8, 4, 2, 1}) {
    DeviceArray<int> idx(32), up(32), down(32), by_xor(32);
    int *const i = idx.data(), *const u = up.data(), *const d = down.data(), *const x = by_xor.data();
    ASSERT_EQ(run_kernel(1, 32,
                         [=] {
                           const int lane = static_cast<int>(thread());
                           i[lane] = __shfl_sync(kAll, lane, 35, width);
                           u[lane] = __shfl_up_sync(kAll, lane, 3, width);
                           d[lane] = __shfl_down_sync(kAll, lane, 3, width);
                           x[lane] = __shfl_xor_sync(kAll, lane, 5, width);
                         }),
              cudaSuccess);
    for (int lane = 0; lane < 32; ++lane) {
      const int first = lane / width * width, last = first + width - 1;
      ASSERT_EQ(idx.get()[lane], first + 35 % width);
      ASSERT_EQ(up.get()[lane], lane - 3 >= first ? lane - 3 : lane);
      ASSERT_EQ(down.get()[lane], lane + 3 <= last ? lane + 3 : lane);
      ASSERT_EQ(by_xor.get()[lane], (lane ^ 5) <= last ? lane ^ 5 : lane) << width;
    }
  }
}

TEST(Shuffle, OfALaneThatTakesNoPartItIsZero) {
  DeviceArray<int> result(40);
  int* const r = result.data();
  ASSERT_EQ(run_kernel(1, 40,  // the second warp has eight lanes
                       [=] {
                         const unsigned t = thread(), lane = t % 32;
                         if (t < 32 && lane > 2) return;
                         const unsigned mask = t < 32 ? 7u : 0xffu;
                         r[t] = 100 * __shfl_down_sync(mask, 7, t < 32 ? 2 : 4) +
                                __shfl_xor_sync(mask, 5, t < 32 ? 1 : 16);
                       }),
            cudaSuccess);
  const auto got = result.get();
  EXPECT_EQ(got[0], 705);  // lanes 2 and 1
  EXPECT_EQ(got[1], 5);    // lane 3 has left
  EXPECT_EQ(got[2], 0);
  EXPECT_EQ(got[35], 700);
  EXPECT_EQ(got[36], 0);  // lane 8 of the warp does not exist
}

TEST(Shuffle, EveryType) {
  DeviceArray<double> result(32);
  double* const r = result.data();
  ASSERT_EQ(
      run_kernel(
          1, 32,
          [=] {
            const unsigned lane = thread();
            const int from = static_cast<int>(lane + 1) % 32;
            double sum = __shfl_sync(kAll, lane * 0.5, from);
            sum += static_cast<double>(__shfl_sync(kAll, static_cast<float>(lane), from));
            sum += static_cast<double>(__shfl_sync(kAll, static_cast<long long>(lane) << 33, from));
            sum += static_cast<double>(__shfl_sync(kAll, static_cast<unsigned long>(lane), from));
            sum +=
                static_cast<double>(__half2float(__shfl_sync(kAll, __half(static_cast<float>(lane)), from)));
            sum += static_cast<double>(__high2float(__shfl_sync(kAll, __floats2half2_rn(0.0f, 1.0f), from)));
            r[lane] = sum;
          }),
      cudaSuccess);
  for (int lane = 0; lane < 32; ++lane) {
    const double from = (lane + 1) % 32;
    ASSERT_EQ(result.get()[lane], from * (0.5 + 1 + 8589934592.0 + 1 + 1) + 1);
  }
}

TEST(Shuffle, TreeReductionInManyWarpsAndBlocks) {
  DeviceArray<int> sums(4);
  int* const s = sums.data();
  ASSERT_EQ(run_kernel(4, 256,
                       [=] {
                         int value = static_cast<int>(thread());
                         for (unsigned delta = 16; delta > 0; delta /= 2)
                           value += __shfl_down_sync(kAll, value, delta);
                         if (thread() % 32 == 0) atomicAdd(&s[cuemu::block_idx().x], value);
                       }),
            cudaSuccess);
  for (const int sum : sums.get()) EXPECT_EQ(sum, 255 * 256 / 2);
}

TEST(Vote, WithPartialWarpAndReturnedLanes) {
  DeviceArray<unsigned> result(70 * 4);
  unsigned* const r = result.data();
  ASSERT_EQ(run_kernel(1, 70,
                       [=] {
                         const unsigned t = thread();
                         if (t % 8 == 3) return;
                         r[t * 4] = __ballot_sync(kAll, t % 2);
                         r[t * 4 + 1] = static_cast<unsigned>(__any_sync(kAll, t == 33));
                         r[t * 4 + 2] = static_cast<unsigned>(__all_sync(kAll, t % 8 != 3));
                         r[t * 4 + 3] = static_cast<unsigned>(__uni_sync(kAll, t < 64));
                       }),
            cudaSuccess);
  const auto got = result.get();
  EXPECT_EQ(got[0], 0xa2a2a2a2u) << "odd lanes but those that returned";
  EXPECT_EQ(got[1], 0u);
  EXPECT_EQ(got[32 * 4 + 1], 1u);
  EXPECT_EQ(got[64 * 4], 0x22u) << "a warp of six";
  EXPECT_EQ(got[64 * 4 + 2], 1u);
  EXPECT_EQ(got[64 * 4 + 3], 1u);
}

TEST(Vote, TwoPartsOfAWarpAtOnce) {
  DeviceArray<unsigned> result(32);
  unsigned* const r = result.data();
  ASSERT_EQ(run_kernel(1, 32,
                       [=] {
                         const unsigned t = thread();
                         if (t < 16) {
                           for (int i = 0; i < 5; ++i) r[t] = __ballot_sync(0x0000ffffu, t % 2 == 0);
                         } else {
                           r[t] = __ballot_sync(0xffff0000u, t % 2 != 0);
                         }
                       }),
            cudaSuccess);
  EXPECT_EQ(result.get()[3], 0x5555u);
  EXPECT_EQ(result.get()[20], 0xaaaa0000u);
}

TEST(Match, AnyAndAll) {
  DeviceArray<unsigned> result(32 * 4);
  unsigned* const r = result.data();
  ASSERT_EQ(run_kernel(1, 32,
                       [=] {
                         const unsigned t = thread();
                         int same = -1;
                         r[t * 4] = __match_any_sync(kAll, t % 3);
                         r[t * 4 + 1] = __match_any_sync(kAll, static_cast<double>(t / 16));
                         r[t * 4 + 2] = __match_all_sync(kAll, 7ll, &same) + static_cast<unsigned>(same);
                         r[t * 4 + 3] = __match_all_sync(kAll, t == 9 ? 1.0f : 2.0f, &same) +
                                        static_cast<unsigned>(same);
                       }),
            cudaSuccess);
  const auto got = result.get();
  for (unsigned t = 0; t < 32; ++t) {
    unsigned expected = 0;
    for (unsigned i = t % 3; i < 32; i += 3) expected |= 1u << i;
    EXPECT_EQ(got[t * 4], expected);
    EXPECT_EQ(got[t * 4 + 1], t < 16 ? 0xffffu : 0xffff0000u);
    EXPECT_EQ(got[t * 4 + 2], 0u) << "all 32 lanes, and one for the predicate";
    EXPECT_EQ(got[t * 4 + 3], 0u);
  }
}

TEST(Reduce, EachOperation) {
  DeviceArray<int> result(8);
  int* const r = result.data();
  ASSERT_EQ(run_kernel(1, 32,
                       [=] {
                         const int value = static_cast<int>(thread()) - 10;
                         const unsigned bits = 1u << thread() % 8;
                         const unsigned all_ops[] = {static_cast<unsigned>(__reduce_add_sync(kAll, value)),
                                                     static_cast<unsigned>(__reduce_min_sync(kAll, value)),
                                                     static_cast<unsigned>(__reduce_max_sync(kAll, value)),
                                                     __reduce_max_sync(kAll, static_cast<unsigned>(value)),
                                                     __reduce_and_sync(kAll, bits | 0x100u),
                                                     __reduce_or_sync(kAll, bits),
                                                     __reduce_xor_sync(kAll, thread()),
                                                     __reduce_add_sync(kAll, 0x10000001u)};
                         for (int i = 0; i < 8; ++i) r[i] = static_cast<int>(all_ops[i]);
                       }),
            cudaSuccess);
  const auto got = result.get();
  EXPECT_EQ(got[0], 31 * 16 - 320);
  EXPECT_EQ(got[1], -10);
  EXPECT_EQ(got[2], 21);
  EXPECT_EQ(got[3], -1) << "as unsigned, -1 is the greatest";
  EXPECT_EQ(got[4], 0x100);
  EXPECT_EQ(got[5], 0xff);
  EXPECT_EQ(got[6], 0);
  EXPECT_EQ(got[7], 0x20) << "sums wrap";
}

TEST(ActiveMask, IsTheLanesOfTheBranch) {
  DeviceArray<unsigned> result(48);
  unsigned* const r = result.data();
  const auto kernel = [=] {  // outside the macro, so that each call has its own line
    const unsigned t = thread();
    if (t % 4 == 1) {
      r[t] = __activemask();
    } else if (t % 4 == 2) {
      return;
    } else {
      r[t] = __activemask();
    }
  };
  ASSERT_EQ(run_kernel(1, 48, kernel), cudaSuccess);
  EXPECT_EQ(result.get()[1], 0x22222222u);
  EXPECT_EQ(result.get()[4], 0x99999999u);
  EXPECT_EQ(result.get()[33], 0x2222u);
}

TEST(ActiveMask, OfConvergedCodeIsTheWholeWarp) {
  DeviceArray<unsigned> result(64);
  unsigned* const r = result.data();
  ASSERT_EQ(run_kernel(1, 64,
                       [=] {
                         const unsigned mask = __activemask();
                         r[thread()] = mask == kAll ? __ballot_sync(mask, 1) : 0;
                       }),
            cudaSuccess);
  for (const unsigned mask : result.get()) EXPECT_EQ(mask, kAll);
}

TEST(SyncWarp, OrdersMemoryWithinTheWarp) {
  DeviceArray<int> data(32), result(32);
  int *const d = data.data(), *const r = result.data();
  ASSERT_EQ(run_kernel(1, 32,
                       [=] {
                         const unsigned t = thread();
                         d[t] = static_cast<int>(t);
                         __syncwarp();
                         r[t] = d[31 - t];
                         __syncwarp();
                         d[t] = -1;
                       }),
            cudaSuccess);
  EXPECT_EQ(result.get()[0], 31);
  EXPECT_EQ(result.get()[31], 0);
}

TEST(MisuseDeathTest, CallerOutsideItsMask) {
  expect_stopped([] { __shfl_sync(0x7fffffffu, 1, 0); }, "lane 31 calls __shfl_sync with mask 0x7fffffff");
}

TEST(MisuseDeathTest, DifferentMasks) {
  expect_stopped([] { __ballot_sync(thread() == 5 ? 0xffffu : kAll, 1); },
                 "lane 5 calls __ballot_sync with mask 0x0000ffff, while lane 0 waits in __ballot_sync");
}

TEST(MisuseDeathTest, DifferentCalls) {
  expect_stopped(
      [] {
        if (thread() == 7) {
          __syncwarp();
        } else {
          __any_sync(kAll, 1);
        }
      },
      "lane 7 calls __syncwarp");
}

TEST(MisuseDeathTest, DifferentTypes) {
  expect_stopped([] { thread() == 9 ? __shfl_sync(kAll, 1.0, 0) : __shfl_sync(kAll, 1.0f, 0); },
                 "lane 9 calls __shfl_sync");
}

TEST(MisuseDeathTest, LaneThatNeverComes) {
  expect_stopped(
      [] {
        if (thread() == 3) {
          __syncthreads();
        } else {
          __syncwarp();
        }
      },
      "1 of 32 threads wait at __syncthreads", cudaErrorLaunchTimeout);
}

TEST(Collective, OverlappingMasksInTurnAreFine) {
  DeviceArray<unsigned> result(32);
  unsigned* const r = result.data();
  ASSERT_EQ(run_kernel(1, 4,
                       [=] {  // lane 1 meets lane 0 first, then lane 2, which has waited for it
                         const unsigned t = thread();
                         if (t == 0) r[0] = __ballot_sync(0b0011u, 1);
                         if (t == 1) r[1] = __ballot_sync(0b0011u, 1) | __ballot_sync(0b0110u, 1);
                         if (t == 2) r[2] = __ballot_sync(0b0110u, 1);
                       }),
            cudaSuccess);
  EXPECT_EQ(result.get()[1], 0b0111u);
  EXPECT_EQ(result.get()[2], 0b0110u);
}

TEST(Spinning, AtomicLocksAndFlagsMakeProgress) {
  DeviceArray<int> lock(1), count(1);
  int *const l = lock.data(), *const c = count.data();
  ASSERT_EQ(run_kernel(4, 64,
                       [=] {
                         while (atomicCAS(l, 0, 1) != 0) {
                         }
                         // The accesses are atomic, since ThreadSanitizer ignores fences. The lock makes the
                         // two accesses one step.
                         const int old = __atomic_load_n(c, __ATOMIC_RELAXED);
                         cuemu::yield();
                         __atomic_store_n(c, old + 1, __ATOMIC_RELAXED);
                         __threadfence();
                         atomicExch(l, 0);
                       }),
            cudaSuccess);
  EXPECT_EQ(count.get()[0], 256);
}

}  // namespace
