#include "build/resources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace grader {
namespace {

using testing::HasSubstr;

constexpr const char* words = R"(ptxas info    : 128 bytes gmem
ptxas info    : Compiling entry function '_Z9matrixMulPfPKfS1_i' for 'sm_90'
ptxas info    : Function properties for _Z9matrixMulPfPKfS1_i
    48 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 20480 bytes smem, 384 bytes cmem[0]
ptxas info    : Compiling entry function 'plain' for 'sm_90'
ptxas info    : Function properties for plain
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for _Z6helperf
    16 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
)";

TEST(Resources, AreReadFromTheCompilersWords) {
  const auto kernels =
      parse_resources(words,
                      ".visible .entry plain(\n)\n{\n}\n"
                      ".visible .entry _Z9matrixMulPfPKfS1_i(\n)\n.maxntid 16, 16, 1\n{\n}\n");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].kernel, "matrixMul");
  EXPECT_EQ(kernels[0].registers, 32);
  EXPECT_EQ(kernels[0].shared, 20480u);
  EXPECT_EQ(kernels[0].local, 48u);
  EXPECT_EQ(kernels[0].spill_stores, 8u);
  EXPECT_EQ(kernels[0].spill_loads, 12u);
  EXPECT_EQ(kernels[0].constant, 384u);
  EXPECT_FALSE(kernels[1].constant) << "not said, which is not 0";
  EXPECT_EQ(kernels[0].threads, 256);
  EXPECT_EQ(kernels[1].kernel, "plain");
  EXPECT_EQ(kernels[1].threads, 0) << "the bounds of the next kernel are not its own";
  EXPECT_EQ(kernels[1].local, 0u) << "a function's stack is not the kernel's";
  EXPECT_TRUE(parse_resources("", "").empty());
}

TEST(Occupancy, IsSetByWhatRunsOutFirst) {
  const Multiprocessor& sm = multiprocessor(90);
  const Occupancy full = occupancy(sm, 256, 32, 2048);  // the runtime on an H200 reports 8 blocks, too
  EXPECT_EQ(full.blocks, 8);
  EXPECT_DOUBLE_EQ(full.share, 1);
  const Occupancy small = occupancy(sm, 16, 24, 128);  // half a warp occupies a whole warp
  EXPECT_EQ(small.blocks, 32);
  EXPECT_DOUBLE_EQ(small.share, 0.5);
  EXPECT_EQ(small.limit, "blocks");
  const Occupancy registers = occupancy(sm, 256, 64, 2048);
  EXPECT_EQ(registers.blocks, 4);
  EXPECT_EQ(registers.limit, "registers");
  EXPECT_EQ(occupancy(sm, 1024, 33, 0).blocks, 1) << "40 registers are handed out for 33";
  const Occupancy shared = occupancy(sm, 64, 32, 48 << 10);
  EXPECT_EQ(shared.blocks, 4);
  EXPECT_EQ(shared.limit, "shared memory");
  EXPECT_EQ(occupancy(sm, 1024, 255, 0).blocks, 0) << "such a block can't run";
}

TEST(Multiprocessors, AnUnknownOneIsRefusedWithTheKnownOnes) {
  try {
    multiprocessor(13);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("sm_90"));
  }
}

}  // namespace
}  // namespace grader
