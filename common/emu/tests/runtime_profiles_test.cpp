// Tests device profiles: properties and attributes must have the same values, and the limits must follow from
// them.
#include <string>

#include "runtime_test_support.hpp"

namespace {

void empty() {
  KERNEL("empty", {});
}

struct Expected {
  const char* key;
  int capability;
  int multiprocessors;
  int threads_per_block;
  int blocks_of_256;  ///< resident on a multiprocessor
};

/// Returns 0 if all values are as expected; otherwise the number of the check that failed.
int check(const Expected& expected) {
  setenv("CUEMU_DEVICE", expected.key, 1);
  cudaDeviceProp prop;
  if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess) return 1;
  if (prop.major * 10 + prop.minor != expected.capability) return 2;
  if (prop.multiProcessorCount != expected.multiprocessors) return 3;
  if (prop.maxThreadsPerBlock != expected.threads_per_block || prop.warpSize != 32) return 4;
  const struct {
    cudaDeviceAttr number;
    long long value;
  } attributes[] = {
      {cudaDevAttrComputeCapabilityMajor, prop.major},
      {cudaDevAttrMultiProcessorCount, prop.multiProcessorCount},
      {cudaDevAttrMaxThreadsPerBlock, prop.maxThreadsPerBlock},
      {cudaDevAttrMaxGridDimX, prop.maxGridSize[0]},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<long long>(prop.sharedMemPerBlockOptin)},
      {cudaDevAttrMaxTexture3DDepth, prop.maxTexture3D[2]},
      {cudaDevAttrSurfaceAlignment, static_cast<long long>(prop.surfaceAlignment)},
      {cudaDevAttrCooperativeLaunch, expected.capability >= 60},
      {cudaDevAttrL2CacheSize, prop.l2CacheSize}};
  for (const auto& attribute : attributes) {
    int value = -1;
    if (cudaDeviceGetAttribute(&value, attribute.number, 0) != cudaSuccess || value != attribute.value)
      return 5;
  }
  int blocks = 0;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty, 256, 0) != cudaSuccess) return 6;
  if (blocks != expected.blocks_of_256) return 7;
  LAUNCH(empty, (1, prop.maxThreadsPerBlock));
  if (cudaGetLastError() != cudaSuccess) return 8;
  LAUNCH(empty, (1, prop.maxThreadsPerBlock + 1));
  if (cudaGetLastError() == cudaSuccess) return 9;
  int value = 0;
  if (cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0) != cudaErrorInvalidValue) return 10;
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 11;
}

class ProfilesDeathTest : public ::testing::TestWithParam<Expected> {};

TEST_P(ProfilesDeathTest, ReportTheDeviceAndItsLimits) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(check(GetParam())), ::testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(
    Devices, ProfilesDeathTest,
    ::testing::Values(Expected{"h200", 90, 132, 1024, 8}, Expected{"h100", 90, 132, 1024, 8},
                      Expected{"a100", 80, 108, 1024, 8}, Expected{"t4", 75, 40, 1024, 4},
                      Expected{"gtx960", 52, 8, 1024, 8}, Expected{"k40c", 35, 15, 1024, 8},
                      Expected{"gtx280", 13, 30, 512, 2}),
    [](const auto& each) { return std::string(each.param.key); });

}  // namespace
