// Tests cooperative groups in running CUDA threads: ranks, exchange and division of groups, reductions,
// scans, copies.
#include "device_kernel.hpp"

#include <algorithm>

#include "cooperative_groups.h"
#include "cooperative_groups/memcpy_async.h"
#include "cooperative_groups/reduce.h"
#include "cooperative_groups/scan.h"

namespace cg = cooperative_groups;

namespace {

TEST(BlockGroup, RanksFollowXThenYThenZ) {
  DeviceArray<unsigned> result(24);
  unsigned* const r = result.data();
  ASSERT_EQ(run_kernel(1, dim3(2, 3, 4),
                       [=] {
                         const cg::thread_block block = cg::this_thread_block();
                         const dim3 index = block.thread_index();
                         r[block.thread_rank()] =
                             index.x + 10 * index.y + 100 * index.z + 1000 * block.size();
                         block.sync();
                       }),
            cudaSuccess);
  EXPECT_EQ(result.get()[0], 24000u);
  EXPECT_EQ(result.get()[1], 24001u);
  EXPECT_EQ(result.get()[23], 24321u);
}

TEST(GridGroup, Ranks) {
  DeviceArray<unsigned long long> result(24);
  unsigned long long* const r = result.data();
  ASSERT_EQ(run_kernel(dim3(2, 3), 4,
                       [=] {
                         const cg::grid_group grid = cg::this_grid();
                         r[grid.thread_rank()] = grid.block_rank() * 100 + grid.size() +
                                                 1000 * cg::this_thread_block().group_index().y;
                       }),
            cudaSuccess);
  EXPECT_EQ(result.get()[0], 24u);
  EXPECT_EQ(result.get()[23], 2524u);
}

TEST(GridGroup, SyncOrdersAllBlocks) {
  DeviceArray<int> data(512), result(512);
  int *const d = data.data(), *const r = result.data();
  const auto kernel = [=] {
    const cg::grid_group grid = cg::this_grid();
    const unsigned long long rank = grid.thread_rank();
    d[rank] = static_cast<int>(rank);
    grid.sync();
    r[rank] = d[511 - rank];
  };
  ASSERT_EQ(run_kernel(8, 64, kernel, true), cudaSuccess);
  for (int i = 0; i < 512; ++i) ASSERT_EQ(result.get()[i], 511 - i);
}

TEST(Tiles, RanksAndMetaRanksOfEachSize) {
  DeviceArray<unsigned> result(80 * 3);
  unsigned* const r = result.data();
  ASSERT_EQ(
      run_kernel(1, 80,
                 [=] {
                   const auto block = cg::this_thread_block();
                   const auto tile = cg::tiled_partition<16>(block);
                   const auto part = cg::tiled_partition<4>(tile);
                   const cg::thread_group dynamic = cg::tiled_partition(block, 8);
                   r[thread() * 3] =
                       tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size();
                   r[thread() * 3 + 1] =
                       part.thread_rank() + 100 * part.meta_group_rank() + 10000 * part.meta_group_size();
                   r[thread() * 3 + 2] = static_cast<unsigned>(dynamic.thread_rank() + 100 * dynamic.size());
                   dynamic.sync();
                 }),
      cudaSuccess);
  EXPECT_EQ(result.get()[77 * 3], 13u + 400 + 50000);
  EXPECT_EQ(result.get()[77 * 3 + 1], 1u + 300 + 40000);
  EXPECT_EQ(result.get()[77 * 3 + 2], 5u + 800);
}

TEST(Tiles, ExchangeWithinTheTileOnly) {
  DeviceArray<int> result(64 * 4);
  int* const r = result.data();
  ASSERT_EQ(run_kernel(1, 64,
                       [=] {
                         const cg::thread_block_tile<8> tile =
                             cg::tiled_partition<8>(cg::this_thread_block());
                         const int t = static_cast<int>(thread());
                         r[t * 4] = tile.shfl(t, 9);  // rank 9 modulo 8
                         r[t * 4 + 1] = tile.shfl_up(t, 2);
                         r[t * 4 + 2] = tile.shfl_down(t, 3);
                         r[t * 4 + 3] = tile.shfl_xor(t, 5);
                       }),
            cudaSuccess);
  const auto got = result.get();
  for (int t = 0; t < 64; ++t) {
    EXPECT_EQ(got[t * 4], t / 8 * 8 + 1);
    EXPECT_EQ(got[t * 4 + 1], t % 8 >= 2 ? t - 2 : t);
    EXPECT_EQ(got[t * 4 + 2], t % 8 < 5 ? t + 3 : t);
    EXPECT_EQ(got[t * 4 + 3], t ^ 5);
  }
}

TEST(Tiles, ValuesOfAnyTypeTravel) {
  struct Particle {
    double mass;
    float3 at;
  };
  DeviceArray<double> result(32);
  double* const r = result.data();
  ASSERT_EQ(run_kernel(1, 32,
                       [=] {
                         const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
                         const float x = static_cast<float>(thread());
                         const Particle p = tile.shfl(Particle{x * 2.0, make_float3(x, x + 1, x + 2)}, 2);
                         r[thread()] = p.mass + static_cast<double>(p.at.z);
                       }),
            cudaSuccess);
  EXPECT_EQ(result.get()[5], 6 * 2.0 + 8);
}

TEST(Tiles, VotesAreByRank) {
  DeviceArray<unsigned> result(32 * 4);
  unsigned* const r = result.data();
  ASSERT_EQ(run_kernel(1, 32,
                       [=] {
                         const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
                         int all_same = 0;
                         r[thread() * 4] = tile.ballot(tile.thread_rank() == 3 || thread() == 31);
                         r[thread() * 4 + 1] =
                             static_cast<unsigned>(tile.any(thread() == 9) + 2 * tile.all(thread() > 7));
                         r[thread() * 4 + 2] = tile.match_any(static_cast<int>(thread() % 2));
                         r[thread() * 4 + 3] = tile.match_all(static_cast<int>(thread() / 8), all_same);
                       }),
            cudaSuccess);
  const auto got = result.get();
  EXPECT_EQ(got[0], 0b1000u);
  EXPECT_EQ(got[24 * 4], 0b10001000u);
  EXPECT_EQ(got[0 + 1], 0u);
  EXPECT_EQ(got[8 * 4 + 1], 3u);
  EXPECT_EQ(got[17 * 4 + 2], 0b10101010u);
  EXPECT_EQ(got[17 * 4 + 3], 0xffu);
}

TEST(Coalesced, AggregatesOneAtomicPerBranch) {
  DeviceArray<int> counters(2), places(96);
  int *const c = counters.data(), *const p = places.data();
  ASSERT_EQ(run_kernel(1, 96,
                       [=] {
                         if (thread() % 3 != 0) return;
                         const cg::coalesced_group active = cg::coalesced_threads();
                         int first = 0;
                         if (active.thread_rank() == 0) {
                           first = atomicAdd(&c[0], static_cast<int>(active.size()));
                           atomicAdd(&c[1], 1);
                         }
                         p[active.shfl(first, 0) + static_cast<int>(active.thread_rank())] +=
                             static_cast<int>(thread()) + 1;
                       }),
            cudaSuccess);
  EXPECT_EQ(counters.get()[0], 32);
  EXPECT_EQ(counters.get()[1], 3) << "one atomic per warp";
  int sum = 0;
  for (const int place : places.get()) sum += place;
  EXPECT_EQ(sum, 3 * 31 * 32 / 2 + 32);
}

TEST(Coalesced, ExchangeByRankOverGaps) {
  DeviceArray<int> result(32 * 3);
  int* const r = result.data();
  ASSERT_EQ(run_kernel(1, 32,
                       [=] {
                         if (thread() % 5 != 2) return;  // lanes 2 7 12 17 22 27
                         const auto group = cg::coalesced_threads();
                         const int t = static_cast<int>(thread());
                         r[t * 3] = group.shfl_down(t, 2);
                         r[t * 3 + 1] = group.shfl_up(t, 1);
                         r[t * 3 + 2] = static_cast<int>(group.ballot(t > 10));
                       }),
            cudaSuccess);
  EXPECT_EQ(result.get()[2 * 3], 12);
  EXPECT_EQ(result.get()[27 * 3], 27);
  EXPECT_EQ(result.get()[7 * 3 + 1], 2);
  EXPECT_EQ(result.get()[7 * 3 + 2], 0b111100);
}

TEST(Partition, ByLabelAndPredicate) {
  DeviceArray<unsigned> result(32 * 3);
  unsigned* const r = result.data();
  ASSERT_EQ(run_kernel(1, 32,
                       [=] {
                         const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
                         const auto labelled = cg::labeled_partition(tile, static_cast<int>(thread() % 3));
                         const auto halves = cg::binary_partition(tile, thread() >= 20);
                         const auto parts = cg::tiled_partition<4>(halves);
                         r[thread() * 3] = labelled.size() + 100 * labelled.thread_rank() +
                                           10000 * labelled.meta_group_rank();
                         r[thread() * 3 + 1] = halves.size() + 100 * halves.thread_rank();
                         r[thread() * 3 + 2] =
                             parts.size() + 100 * parts.thread_rank() + 10000 * parts.meta_group_rank();
                         parts.sync();
                       }),
            cudaSuccess);
  EXPECT_EQ(result.get()[7 * 3], 11u + 200 + 10000);
  EXPECT_EQ(result.get()[8 * 3], 10u + 200 + 20000);
  EXPECT_EQ(result.get()[21 * 3 + 1], 12u + 100);
  EXPECT_EQ(result.get()[25 * 3 + 2], 4u + 100 + 10000);
}

TEST(Reduce, TilesOfEachSizeAndAnyOperation) {
  DeviceArray<int> result(64 * 4);
  int* const r = result.data();
  ASSERT_EQ(run_kernel(1, 64,
                       [=] {
                         const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
                         const int t = static_cast<int>(thread());
                         r[t * 4] = cg::reduce(tile, t, cg::plus<int>());
                         r[t * 4 + 1] = cg::reduce(tile, t % 7, cg::greater<int>());
                         r[t * 4 + 2] = cg::reduce(cg::tiled_partition<2>(tile), t,
                                                   [](const int a, const int b) { return a * 100 + b; });
                         r[t * 4 + 3] = static_cast<int>(cg::reduce(tile, 0.5, cg::plus<double>()));
                       }),
            cudaSuccess);
  EXPECT_EQ(result.get()[20 * 4], 16 * 16 + 120);
  EXPECT_EQ(result.get()[20 * 4 + 1], 6);
  EXPECT_EQ(result.get()[7 * 4 + 2], 607);
  EXPECT_EQ(result.get()[7 * 4 + 3], 8);
}

TEST(Scan, InclusiveAndExclusive) {
  DeviceArray<int> result(32 * 3);
  int* const r = result.data();
  ASSERT_EQ(run_kernel(1, 32,
                       [=] {
                         const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
                         const int t = static_cast<int>(thread());
                         r[t * 3] = cg::inclusive_scan(tile, t);
                         r[t * 3 + 1] = cg::exclusive_scan(tile, t);
                         r[t * 3 + 2] = cg::inclusive_scan(tile, (t * 5) % 8, cg::greater<int>());
                       }),
            cudaSuccess);
  const auto got = result.get();
  for (int t = 0; t < 32; ++t) {
    int before = 0, most = 0;
    for (int i = t / 8 * 8; i < t; ++i) before += i;
    for (int i = t / 8 * 8; i <= t; ++i) most = std::max(most, (i * 5) % 8);
    EXPECT_EQ(got[t * 3], before + t);
    EXPECT_EQ(got[t * 3 + 1], before);
    EXPECT_EQ(got[t * 3 + 2], most);
  }
}

TEST(MemcpyAsync, CopiesEveryByteOnce) {
  DeviceArray<unsigned char> from(1000), to(1000);
  unsigned char *const f = from.data(), *const d = to.data();
  ASSERT_EQ(run_kernel(1, 96,
                       [=] {
                         const auto block = cg::this_thread_block();
                         for (unsigned i = thread(); i < 1000; i += 96)
                           f[i] = static_cast<unsigned char>(i * 7);
                         block.sync();
                         cg::memcpy_async(block, d, f, 997);
                         cg::wait(block);
                       }),
            cudaSuccess);
  const auto got = to.get();
  for (unsigned i = 0; i < 997; ++i) ASSERT_EQ(got[i], static_cast<unsigned char>(i * 7)) << i;
  EXPECT_EQ(got[997], 0);
}

TEST(InvokeOne, RunsOnceAndCanInformAll) {
  DeviceArray<int> count(1), results(32);
  int *const c = count.data(), *const r = results.data();
  ASSERT_EQ(run_kernel(1, 32,
                       [=] {
                         const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
                         cg::invoke_one(tile, [=] { atomicAdd(c, 1); });
                         r[thread()] = cg::invoke_one_broadcast(
                             tile, [](const int x) { return x * 2; }, static_cast<int>(thread()));
                       }),
            cudaSuccess);
  EXPECT_EQ(count.get()[0], 2);
  EXPECT_EQ(results.get()[5], 0);
  EXPECT_EQ(results.get()[30], 32);
}

/// Runs a kernel of 64 threads in a separate process, whose exit status is the kernel's error.
template <typename Body>
[[noreturn]] void exit_with_error_of(const Body body) {
  std::exit(static_cast<int>(run_kernel(1, 64, body)) % 256);
}

TEST(NumberedBarrier, ManyRoundsOfWarpsInTurn) {
  DeviceArray<int> result(64);
  int* const r = result.data();
  ASSERT_EQ(run_kernel(1, 64,
                       [=] {
                         for (int round = 0; round < 10; ++round) {
                           if (thread() < 32) r[thread()] += round;
                           if (thread() < 32)
                             cuemu::named_barrier_arrive(2, 64);
                           else
                             cuemu::named_barrier_sync(2, 64);
                           if (thread() >= 32) r[thread()] += r[thread() - 32];
                           cuemu::named_barrier_sync(3, 64);
                         }
                       }),
            cudaSuccess);
  EXPECT_EQ(result.get()[5], 45);
  EXPECT_EQ(result.get()[37], 0 + 1 + 3 + 6 + 10 + 15 + 21 + 28 + 36 + 45);
}
TEST(NumberedBarrierDeathTest, DifferentCountsAreNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_error_of([] { cuemu::named_barrier_sync(3, thread() < 32 ? 64 : 96); }),
              testing::ExitedWithCode(cudaErrorLaunchFailure % 256),
              "some threads expect 64 threads, and others 96");
}
TEST(NumberedBarrierDeathTest, TooFewThreadsAreADeadlock) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_error_of([] {
                if (thread() < 32) cuemu::named_barrier_sync(3, 64);
              }),
              testing::ExitedWithCode(cudaErrorLaunchTimeout % 256),
              "32 of 64 threads wait for others of a tile");
}

}  // namespace
