// Plans: values that describe work for a stream. An asynchronous call queues a plan, and a graph's node stores a plan
// for repeated runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "copy.hpp"
#include "cuemu/launch.hpp"
#include "driver_types.h"

namespace cuemu {

struct Launch;
class Stream;

/// A kernel with its arguments and configuration.
struct KernelPlan {
  Kernel* kernel = nullptr;
  std::shared_ptr<void> closure;
  dim3 grid{1, 1, 1};
  dim3 block{1, 1, 1};
  std::size_t dynamic_shared = 0;
  bool cooperative = false;
  dim3 cluster{1, 1, 1};      ///< in blocks
  std::int64_t host_ns = -1;  ///< duration of the host's call until it was queued; -1: no host call

  /// Returns CUDA's error for the configuration on this device.
  cudaError_t check() const;
  /// Returns a sentence without a full stop that names a size beyond a limit of the device or kernel; empty if all
  /// sizes fit.
  std::string unfit() const;
  /// Returns the reason for check()'s error, in the same form; empty if unknown.
  std::string refusal(cudaError_t error) const;
  /// Runs the grid and its child grids to their end. An error that stops a grid destroys the device's context.
  void run(int device) const { run_below(device, nullptr); }
  /// Runs a grid that `parent` launched; returns the error.
  int run_below(int device, Launch* parent) const;
};

/// Copies the closure.
KernelPlan plan_kernel(Kernel& kernel, const void* closure, const PendingLaunch& config);
/// Plans the kernel of a host function, with arguments as in cudaLaunchKernel.
cudaError_t plan_kernel(const void* function, dim3 grid, dim3 block, void** arguments,
                        std::size_t dynamic_shared, KernelPlan& plan);

struct CopyPlan : CopyView {
  std::int64_t waits_since_ns = -1;  ///< start of the call that returns at the copy's end; -1: no call waits
  std::shared_ptr<const cudaMemcpy3DParms>
      asked;  ///< parameters of a graph's node; null: the copy was captured
  void run(int device) const;
};

struct FillPlan : FillView {
  void run(int device) const;
};

/// A host function.
struct HostPlan {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
  void run(int device) const;
};

}  // namespace cuemu
