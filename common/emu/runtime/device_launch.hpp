// Dynamic parallelism: kernels launched from kernels.
//
// A grid's children are kept with the grid and run when its own blocks have ended, in the order of their
// launches, each with its own children; then the tail launches. That is one of the orders that CUDA allows,
// the same in every run, and a grid is complete when all of them are, as in CUDA.
#pragma once

#include "plan.hpp"

namespace cuemu {

/// Takes a launch from the calling CUDA thread.
cudaError_t launch_from_kernel(Kernel& kernel, const void* closure, const PendingLaunch& config);

/// Runs what a grid that has ended had launched. The error that stopped one of them, or 0.
int run_children(Launch& launch);

/// Grids launched from kernels that may wait at a time: cudaLimitDevRuntimePendingLaunchCount.
std::size_t pending_launch_limit();
void set_pending_launch_limit(std::size_t count);

/// The last error of the calling CUDA thread.
cudaError_t& device_last_error();

/// \name Streams and events that kernels make
/// @{
cudaError_t create_device_stream(cudaStream_t* stream, unsigned flags);
cudaError_t destroy_device_stream(cudaStream_t stream);
cudaError_t create_device_event(cudaEvent_t* event, unsigned flags);
cudaError_t destroy_device_event(cudaEvent_t event);
bool is_device_event(cudaEvent_t event);
bool is_device_stream(cudaStream_t stream);
/// Queues a copy or a fill behind the launches of the calling thread.
cudaError_t queue_from_kernel(std::function<void(int device)> work, cudaStream_t stream);
/// @}

}  // namespace cuemu
