// Tests launches from kernels: their limits, and errors in a child.
#include <string>

#include "runtime_test_support.hpp"

namespace {

void count(int* out) {
  KERNEL("count", { atomicAdd(out, 1); });
}

void many(int* out, int* errors, int children) {
  KERNEL("many", {
    for (int i = 0; i < children; ++i) {
      LAUNCH(count, (1, 1), out);
      const cudaError_t error = cudaGetLastError();
      if (error != cudaSuccess) {
        atomicAdd(errors, 1);
        errors[1] = error;
      }
    }
  });
}

TEST(Pending, LaunchesBeyondTheLimitFail) {
  DeviceArray<int> out(std::vector<int>{0}), errors(std::vector<int>{0, 0});
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 100), cudaSuccess);
  LAUNCH(many, (1, 1), out.get(), errors.get(), 110);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(out.read()[0], 100);
  EXPECT_EQ(errors.read(), (std::vector<int>{10, cudaErrorLaunchPendingCountExceeded}));
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048), cudaSuccess);
  LAUNCH(many, (1, 1), out.get(), errors.get(), 110);  // finished launches no longer count as pending
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(out.read()[0], 210);
}

void nest(int* depth, int level) {
  KERNEL("nest", {
    *depth = level;
    LAUNCH(nest, (1, 1), depth, level + 1);
    if (cudaGetLastError() != cudaSuccess) depth[1] = level;
  });
}

TEST(Nesting, EndsAtTwentyFourLevels) {
  DeviceArray<int> depth(std::vector<int>{0, 0});
  LAUNCH(nest, (1, 1), depth.get(), 0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(depth.read(), (std::vector<int>{24, 24}));
}

#if !defined(__SANITIZE_THREAD__)  // under ThreadSanitizer spinning threads are not interrupted
void waits_for_child(int* out) {
  KERNEL("waits_for_child", {
    LAUNCH(count, (1, 1), out);
    while (*static_cast<volatile int*>(out) == 0) {
    }
  });
}

TEST(NestingDeathTest, AParentThatWaitsForItsChildIsReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("CUEMU_TIMEOUT", "0.3", 1);
        DeviceArray<int> out(std::vector<int>{0});
        LAUNCH(waits_for_child, (1, 1), out.get());
        std::_Exit(cudaDeviceSynchronize() % 256);
      },
      testing::ExitedWithCode(cudaErrorLaunchTimeout % 256),
      "waits_for_child was stopped: it ran longer(.|\n)*1 grid that it launched will begin when its blocks");
}
#endif

void stray_stream(int* out, cudaStream_t stream) {
  KERNEL("stray_stream", {
    LAUNCH(count, (1, 1, 0, stream), out);
    out[1] = cudaGetLastError();
    out[2] = cudaPeekAtLastError();
  });
}

TEST(Streams, OfTheHostAreNotForKernels) {
  DeviceArray<int> out(std::vector<int>{0, 0, 0});
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  LAUNCH(stray_stream, (1, 1), out.get(), stream);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(out.read(), (std::vector<int>{0, cudaErrorInvalidResourceHandle, cudaSuccess}));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);  // a CUDA thread has its own errors
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

void copies(int* data) {
  KERNEL("copies", {
    data[0] = 7;
    cudaMemsetAsync(data + 4, 0, sizeof(int), nullptr);
    cudaMemcpyAsync(data + 1, data, sizeof(int), cudaMemcpyDeviceToDevice, nullptr);
    LAUNCH(count, (1, 1), data + 1);
    cudaMemcpyAsync(data + 2, data + 1, sizeof(int), cudaMemcpyDeviceToDevice, nullptr);
  });
}

TEST(Copies, RunInTheOrderOfLaunches) {
  DeviceArray<int> data(std::vector<int>{0, 0, 0, 0, 9});
  LAUNCH(copies, (1, 1), data.get());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(data.read(), (std::vector<int>{7, 8, 8, 0, 0}));
}

void bad() {
  KERNEL("bad", { __trap(); });
}
void parent_of_bad(int* out) {
  KERNEL("parent_of_bad", {
    LAUNCH(bad, (1, 1));
    LAUNCH(count, (1, 1), out);
  });
}
void waits_for_children() {
  KERNEL("waits_for_children", { cudaDeviceSynchronize(); });
}

TEST(DynamicDeathTest, AChildThatIsStoppedEndsTheContext) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        DeviceArray<int> out(std::vector<int>{0});
        LAUNCH(parent_of_bad, (1, 1), out.get());
        std::_Exit(cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "kernel bad was stopped: __trap");
}
TEST(DynamicDeathTest, WaitingForChildrenIsRefusedWithASentence) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        LAUNCH(waits_for_children, (1, 1));
        std::_Exit(cudaDeviceSynchronize() % 256);
      },
      ::testing::ExitedWithCode(cudaErrorUnsupportedDevSideSync), "cudaStreamTailLaunch");
}

}  // namespace
