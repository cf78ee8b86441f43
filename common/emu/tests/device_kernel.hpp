// Runs a function object as a kernel, as translated code does.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "cuda_runtime.h"

/// Returns the calling thread's rank in its block: x varies fastest, then y, then z.
inline unsigned thread() {
  return cuemu::current_fiber->linear;
}

/// Runs `body()` on every thread of one grid, waits, and returns the error of the launch.
template <typename Body>
cudaError_t run_kernel(const dim3 grid, const dim3 block, Body body, const bool cooperative = false) {
  {
    const cuemu::PendingLaunch pending(grid, block, 0, nullptr, cooperative);
    cuemu::kernel_entry(cuemu::KernelInfo{"test"}, [=](CUEMU_KERNEL_PARAMS) mutable -> void { body(); });
  }
  return cudaDeviceSynchronize();
}

/// Runs a kernel that must be stopped. It runs in a separate process, since such an error is permanent in a
/// process.
template <typename Body>
void expect_stopped(const Body body, const char* const message,
                    const cudaError_t error = cudaErrorLaunchFailure) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(run_kernel(1, 32, body) == error ? 7 : 8), testing::ExitedWithCode(7), message);
}

/// Device memory that the host reads after the kernel, by get().
template <typename Value>
class DeviceArray {
 public:
  explicit DeviceArray(const size_t count) : count_(count) {
    cudaMalloc(&data_, count * sizeof(Value));
    cudaMemset(data_, 0, count * sizeof(Value));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  Value* data() const { return data_; }
  std::vector<Value> get() const {
    std::vector<Value> host(count_);
    cudaMemcpy(host.data(), data_, count_ * sizeof(Value), cudaMemcpyDeviceToHost);
    return host;
  }

 private:
  Value* data_ = nullptr;
  size_t count_;
};
