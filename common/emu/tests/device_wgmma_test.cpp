// Products of warpgroups with a sparse matrix (wgmma.mma_async.sp): metadata that says nothing stops the kernel with a sentence.
// What they compute, programs/wgmma_sparse.cu shows.
#include "device_kernel.hpp"

namespace {

using namespace cuemu::ptx;

/// A zero matrix A in registers, times 8 columns that are never looked at before the metadata.
template <class T>
void multiply(const u32 metadata, const int selector) {
  f32 d[4] = {};
  void* const all[] = {&d[0], &d[1], &d[2], &d[3]};
  const u32 zero = 0;
  wgmma_sparse<8, T, T, f32>(
      ::cuemu::SourceLine::here(), all, WgmmaA(std::true_type{}, zero, zero, zero, zero), 0,
      WgmmaSparsity{metadata, selector}, WgmmaFlags{false, false, false, false, false});
}
template <class T>
void expect_refused(const u32 metadata, const int selector, const char* const message) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      std::exit(run_kernel(1, 128, [=] { multiply<T>(metadata, selector); }) == cudaErrorLaunchFailure ? 7
                                                                                                       : 8),
      testing::ExitedWithCode(7), message);
}

TEST(WgmmaDeathTest, AnElementIsNotNamedTwice) {
  expect_refused<f16>(0x44444454u, 0, "the metadata of a sparse matrix names an element twice");
  expect_refused<e4m3>(0xf4444444u, 0, "the metadata of a sparse matrix names an element twice");
  expect_refused<tf32>(0x4e4e4e49u, 1, "nibbles other than 0100 and 1110");
}

TEST(WgmmaDeathTest, TheSelectorNamesLanes) {
  expect_refused<f16>(0x44444444u, 2, "the sparsity selector is 0 or 1");
  expect_refused<tf32>(0x44444444u, -1, "the sparsity selector is 0 or 1");
  expect_refused<e4m3>(0x44444444u, 1, "and 0 for elements of one byte");
}

TEST(WgmmaDeathTest, FourWarpsCallIt) {
  expect_stopped([] { multiply<f16>(0x44444444u, 0); }, "the block has too few threads");
}

}  // namespace
