// Work for a stream, as values: what an asynchronous call queues,
// and what a node of a graph keeps to run again and again.
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

/// A kernel with its arguments and its configuration.
struct KernelPlan {
  Kernel* kernel = nullptr;
  std::shared_ptr<void> closure;
  dim3 grid{1, 1, 1};
  dim3 block{1, 1, 1};
  std::size_t dynamic_shared = 0;
  bool cooperative = false;
  dim3 cluster{1, 1, 1};      ///< in blocks
  std::int64_t host_ns = -1;  ///< time of the host's call, up to when it was queued; -1: nobody called

  /// What CUDA says of the configuration on this device.
  cudaError_t check() const;
  /// Which of its sizes is beyond which limit of the device or the kernel, as a sentence without a full stop; empty: none.
  std::string unfit() const;
  /// The same of why check() answered with an error; empty where nothing more is known.
  std::string refusal(cudaError_t error) const;
  /// Runs the grid, and those that it launches, to their end.
  /// An error that stops one destroys the device's context.
  void run(int device) const { run_below(device, nullptr); }
  /// The same for a grid that `parent` launched; returns the error.
  int run_below(int device, Launch* parent) const;
};

/// Copies the closure.
KernelPlan plan_kernel(Kernel& kernel, const void* closure, const PendingLaunch& config);
/// The plan for a kernel by its host function, its arguments as cudaLaunchKernel takes them.
cudaError_t plan_kernel(const void* function, dim3 grid, dim3 block, void** arguments,
                        std::size_t dynamic_shared, KernelPlan& plan);

/// A copy, as a value.
struct CopyPlan : CopyView {
  std::int64_t waits_since_ns = -1;  ///< when the call began that returns at the copy's end; -1: none waits
  std::shared_ptr<const cudaMemcpy3DParms>
      asked;  ///< of a graph's node: its parameters; null: it was captured
  void run(int device) const;
};

/// A fill, as a value.
struct FillPlan : FillView {
  void run(int device) const;
};

/// A function of the host.
struct HostPlan {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
  void run(int device) const;
};

}  // namespace cuemu
