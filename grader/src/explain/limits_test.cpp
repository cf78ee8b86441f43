#include "explain/limits.hpp"

#include <gtest/gtest.h>

#include "explain/repairs.hpp"

namespace grader {
namespace {

const KnownGpu& h200() {
  return *find_gpu("h200");
}

/// Two arrays of 2^28 floats: each thread copies four elements, one after the other.
KernelWork copy_kernel() {
  KernelWork work;
  work.blocks = 1 << 18;
  work.threads = 256;
  work.counts[Counter::global_loads] = work.counts[Counter::global_stores] = 32;
  work.counts[Counter::global_load_turns] = work.counts[Counter::global_store_turns] = 32;
  work.counts[Counter::global_load_sectors] = work.counts[Counter::global_store_sectors] = 128;
  work.counts[Counter::global_load_firsts] = work.counts[Counter::global_store_firsts] = 128;
  work.loaded_bytes = work.stored_bytes = 1 << 30;
  work.counts[Counter::steps] = 64;
  work.lines.push_back({"copy.cu", "to[i] = from[i];", 7, 2, work.counts});
  return work;
}

/// 132 blocks of one warp, one for each multiprocessor. Each block reads a column of a tile a million times.
KernelWork column_kernel() {
  KernelWork work;
  work.blocks = work.counted_blocks = 132;
  work.counts[Counter::shared_loads] = 132e6;
  work.counts[Counter::shared_load_wavefronts] = 32 * 132e6;
  work.counts[Counter::shared_load_conflicts] = 31 * 132e6;
  work.counts[Counter::steps] = 132e6;
  work.lines.push_back({"tile.cu", "sum += tile[threadIdx.x][k];", 9, 1, work.counts});
  return work;
}

TEST(Limits, ACopyIsBoundByDeviceMemory) {
  const Prediction p = predict(copy_kernel(), h200());
  EXPECT_EQ(p.binds, Limit::dram);
  EXPECT_FALSE(p.in_l2);
  EXPECT_DOUBLE_EQ(p.dram_bytes, 2.0 * (1 << 30));
  // 2 · 3.201 GHz · 6144 bits = 4.9167 TB/s, of which kernels reach 92 %.
  EXPECT_NEAR(p[Limit::dram], 2.0 * (1 << 30) / (4.916736e12 * 0.92), 1e-9);
  EXPECT_GE(p.seconds, p[Limit::dram]);
  EXPECT_LT(p.seconds, 1.5 * p[Limit::dram]);
}

TEST(Limits, DataThatFitTheL2CacheMoveNoByteOfDeviceMemory) {
  KernelWork small = copy_kernel();
  small.blocks = 1 << 8;
  small.loaded_bytes = small.stored_bytes = 1 << 20;
  const Prediction p = predict(small, h200());
  EXPECT_TRUE(p.in_l2);
  EXPECT_EQ(p[Limit::dram], 0);
  EXPECT_DOUBLE_EQ(p.l2_bytes, 2.0 * (1 << 20));
}

TEST(Limits, BankConflictsTakeATurnEach) {
  const Prediction p = predict(column_kernel(), h200());
  EXPECT_EQ(p.binds, Limit::turns);
  EXPECT_NEAR(p[Limit::turns], 32e6 / 1.98e9, 1e-6);  // one turn per cycle on each multiprocessor
}

TEST(Limits, ALayoutWithoutConflictsGainsTheirTurns) {
  const auto repairs = repairs_of(column_kernel(), h200());
  ASSERT_FALSE(repairs.empty());
  EXPECT_EQ(repairs.front().line, 0);
  EXPECT_DOUBLE_EQ(repairs.front().saved, 31 * 132e6);
  EXPECT_DOUBLE_EQ(repairs.front().of, 32 * 132e6);
  // Without conflicts, latency is the limit: a million loads take 33 cycles each, and four of them overlap.
  EXPECT_NEAR(repairs.front().seconds, 1e6 * 33 / 4 / 1.98e9, 2e-3);
  EXPECT_GT(repairs.front().gain, 0.5);
}

TEST(Limits, AnEmptyKernelIsBoundByItsLaunch) {
  const Prediction p = predict(KernelWork{}, h200());
  EXPECT_EQ(p.binds, Limit::launch);
  EXPECT_NEAR(p.seconds, model::launch_s, 1e-7);
}

TEST(Limits, LanesWaitForEachOtherAtOneAddress) {
  KernelWork work;
  work.blocks = work.counted_blocks = 132;
  work.counts[Counter::atomics] = 132e5;
  work.counts[Counter::atomic_turns] = 31 * 132e5;
  work.counts[Counter::steps] = 132e5;
  work.lines.push_back({"histogram.cu", "atomicAdd(&count, 1);", 3, 1, work.counts});
  EXPECT_NEAR(predict(work, h200())[Limit::atomics], 31e5 * 2 / 1.98e9, 1e-9);
}

TEST(Limits, ASampleOfBlocksCountsForAll) {
  KernelWork sampled = column_kernel(), whole = column_kernel();
  sampled.blocks = whole.blocks = 1320;
  whole.counted_blocks = 1320;
  whole.counts *= 10;
  whole.lines.front().counts *= 10;
  EXPECT_DOUBLE_EQ(predict(sampled, h200()).seconds, predict(whole, h200()).seconds);
}

TEST(Limits, BlocksAreDealtOutWhole) {
  KernelWork work = column_kernel();
  const double once = predict(work, h200())[Limit::turns];
  work.blocks = 133;  // one multiprocessor has two blocks
  EXPECT_NEAR(predict(work, h200())[Limit::turns] / once, 2, 0.001);
}

TEST(Limits, EachPipeHasItsLanes) {
  KernelWork work;
  work.blocks = work.counted_blocks = 132;
  work.threads = 1024;
  work.mix = {132e6, 132e6, 132e6, 132e6, 0};
  const Prediction p = predict(work, h200());
  EXPECT_NEAR(p[Limit::fp32], 1e6 * 32 / 128 / 1.98e9, 1e-9);
  EXPECT_NEAR(p[Limit::fp64], 1e6 * 32 / 64 / 1.98e9, 1e-9);
  EXPECT_NEAR(p[Limit::special], 1e6 * 32 / 16 / 1.98e9, 1e-9);
  EXPECT_EQ(p.binds, Limit::special);
  const Prediction t4 = predict(work, *find_gpu("t4"));
  EXPECT_EQ(t4.binds, Limit::fp64);
}

}  // namespace
}  // namespace grader
