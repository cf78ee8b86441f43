// Dynamic parallelism: kernels launched from kernels.
//
// A grid keeps its child grids until its own blocks have ended. They then run in the order of their launches, each with
// its own children; the tail launches follow. CUDA allows this order, which is the same in every run. As in CUDA, a
// grid is complete when all its children are complete.
#pragma once

#include "plan.hpp"

namespace cuemu {

/// Records a launch of the calling CUDA thread.
cudaError_t launch_from_kernel(Kernel& kernel, const void* closure, const PendingLaunch& config);

/// Runs the child grids of a grid that has ended. Returns the error that stopped one of them, or 0.
int run_children(Launch& launch);

/// Maximum number of pending child grids: cudaLimitDevRuntimePendingLaunchCount.
std::size_t pending_launch_limit();
void set_pending_launch_limit(std::size_t count);

/// Returns the last error of the calling CUDA thread.
cudaError_t& device_last_error();

/// \name Streams and events that kernels create
/// @{
cudaError_t create_device_stream(cudaStream_t* stream, unsigned flags);
cudaError_t destroy_device_stream(cudaStream_t stream);
cudaError_t create_device_event(cudaEvent_t* event, unsigned flags);
cudaError_t destroy_device_event(cudaEvent_t event);
bool is_device_event(cudaEvent_t event);
bool is_device_stream(cudaStream_t stream);
/// Queues a copy or a fill after the launches of the calling thread.
cudaError_t queue_from_kernel(std::function<void(int device)> work, cudaStream_t stream);
/// @}

}  // namespace cuemu
