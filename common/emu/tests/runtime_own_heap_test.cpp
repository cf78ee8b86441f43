// Tests the runtime's own heap: a program that misuses its own heap blocks does not damage the runtime's
// data.
#include <gtest/gtest.h>
#include <malloc.h>

#include <array>
#include <cstdlib>

#include "cuda_runtime_api.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

TEST(OwnHeap, LiesApartFromTheProgramsBlocks) {
  std::array<cudaEvent_t, 1000> events{};
  ASSERT_EQ(cudaEventCreate(&events[0]), cudaSuccess);
  const std::size_t before = mallinfo2().uordblks;
  for (std::size_t i = 1; i < events.size(); ++i) ASSERT_EQ(cudaEventCreate(&events[i]), cudaSuccess);
  EXPECT_EQ(mallinfo2().uordblks, before);
  for (const cudaEvent_t event : events) EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(mallinfo2().uordblks, before);
}

void copy_past_the_end() {
  constexpr std::size_t bytes = 16384;
  auto* const block = static_cast<char*>(std::malloc(bytes / 4));
  void* device = nullptr;
  cudaMalloc(&device, bytes);
  cudaMemset(device, 0x41, bytes);
  cudaMemcpy(block, device, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (std::size_t size = bytes; size > 0; size /= 2) std::free(std::malloc(size));
  std::free(block);
  std::_Exit(0);
}

TEST(OwnHeapDeathTest, ACopyPastTheEndOfABlockEndsTheProgramAsTheCLibraryDoes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(copy_past_the_end(), testing::KilledBySignal(SIGABRT), "");
}

}  // namespace

#endif
