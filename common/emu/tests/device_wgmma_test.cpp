// Tests products of warps and warpgroups with a sparse matrix (mma.sp, wgmma.mma_async.sp): invalid metadata
// must stop the kernel with a sentence. The results are tested in ../extras/fp8/tests/programs.
#include "device_kernel.hpp"

namespace {

using namespace cuemu::ptx;

/// Multiplies a zero matrix A in registers by 8 columns, which are not read before the metadata.
template <class T>
void multiply(const u32 metadata, const int selector) {
  f32 d[4] = {};
  void* const all[] = {&d[0], &d[1], &d[2], &d[3]};
  const u32 zero = 0;
  wgmma_sparse<8, T, T, f32>(::cuemu::SourceLine::here(), all,
                             WgmmaA(std::true_type{}, zero, zero, zero, zero), 0,
                             Sparsity{metadata, selector}, WgmmaFlags{false, false, false, false, false});
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
  expect_refused<f16>(0x44444444u, 2, "the sparsity selector is one from 0 to 1");
  expect_refused<tf32>(0x44444444u, -1, "the sparsity selector is one from 0 to 1");
  expect_refused<e4m3>(0x44444444u, 1,
                       "the sparsity selector is one from 0 to 0 for this shape and type, and is 1");
}

TEST(WgmmaDeathTest, FourWarpsCallIt) {
  expect_stopped([] { multiply<f16>(0x44444444u, 0); }, "the block has too few threads");
}

/// Multiplies a warp's zero matrix A by zeros.
template <class T, int K>
void multiply_of_warp(const u32 metadata, const int selector, const Metadata known) {
  u32 d[4] = {};
  const u32 zero = 0;
  const MmaFlags flags{false, known, Sparsity{metadata, selector}};
  using Kind = MmaCall<16, K, T, T, f32, f32, true>;
  static_assert(Kind::a_words == 2 && Kind::b_words == 2);
  mma<16, K, T, T, f32, f32, true>(::cuemu::SourceLine::here(), flags, d[0], d[1], d[2], d[3], zero, zero,
                                   zero, zero, zero, zero, zero, zero);
}
template <class T, int K>
void expect_refused_of_warp(const u32 metadata, const int selector, const Metadata known,
                            const char* const message) {
  expect_stopped([=] { multiply_of_warp<T, K>(metadata, selector, known); }, message);
}

TEST(MmaDeathTest, AnElementIsNotNamedTwice) {
  expect_refused_of_warp<f16, 16>(0x44444454u, 0, Metadata::any_order, "names an element twice");
  expect_refused_of_warp<tf32, 8>(0x4e4e4e49u, 3, Metadata::any_order, "nibbles other than 0100 and 1110");
}

TEST(MmaDeathTest, OrderedMetadataNamesTheFirstElementFirst) {
  expect_refused_of_warp<f16, 16>(0x44441444u, 2, Metadata::ordered,
                                  "names a later element before an earlier one");
  const auto any = [] { multiply_of_warp<f16, 16>(0x44441444u, 2, Metadata::any_order); };
  EXPECT_EQ(run_kernel(1, 32, any), cudaSuccess);
}

TEST(MmaDeathTest, TheSelectorNamesLanes) {
  expect_refused_of_warp<f16, 16>(0x44444444u, 4, Metadata::ordered,
                                  "one from 0 to 3 for this shape and type, and is 4");
  expect_refused_of_warp<tf32, 8>(0x44444444u, -1, Metadata::ordered,
                                  "one from 0 to 3 for this shape and type, and is -1");
}

TEST(MmaDeathTest, WholeWarpsCallIt) {
  expect_stopped(
      [] {
        if (cuemu::lane() < 31) multiply_of_warp<f16, 16>(0x44444444u, 0, Metadata::ordered);
      },
      "must be called by whole warps");
}

}  // namespace
