/// @file
/// Measures times on the device with events: the device records the time at two points of a stream.
#pragma once
#include <cuda_runtime.h>

#include "check.hpp"

namespace lab {

/// Creates the device's context and loads the kernel. CUDA would otherwise do both at their first use, which would then
/// take longer than later uses. Call this function before any timing.
template <typename Kernel>
void warm_up(Kernel* kernel) {
  cudaFuncAttributes attributes;
  CUDA_CHECK(cudaFree(nullptr));
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
}

/// A stopwatch for the work of a stream between start() and stop().
/// The host need not wait before stop(), because ms() waits.
class GpuTimer {
 public:
  GpuTimer() {
    CUDA_CHECK(cudaEventCreate(&start_));
    CUDA_CHECK(cudaEventCreate(&stop_));
  }
  ~GpuTimer() {
    cudaEventDestroy(start_);  // a failure here could only repeat an earlier one
    cudaEventDestroy(stop_);
  }
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;

  void start(cudaStream_t stream = nullptr) { CUDA_CHECK(cudaEventRecord(start_, stream)); }
  void stop(cudaStream_t stream = nullptr) { CUDA_CHECK(cudaEventRecord(stop_, stream)); }

  /// Returns the milliseconds between start and stop, with a resolution of about half a microsecond.
  /// Waits until the device has reached the stop.
  /// @pre start() and stop() were called
  double ms() const {
    float elapsed = 0;
    CUDA_CHECK(cudaEventSynchronize(stop_));
    CUDA_CHECK(cudaEventElapsedTime(&elapsed, start_, stop_));
    return elapsed;
  }

 private:
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

}  // namespace lab
