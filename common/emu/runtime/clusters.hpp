// Thread block clusters: the launches that may have them, and the shared memory of their blocks.
//
// All blocks of a cluster run on one worker, which begins them together (worker.cpp). launch_state.hpp has the barrier
// of blocks.
#pragma once

#include "plan.hpp"

namespace cuemu {

/// The error that CUDA returns for the plan's cluster on this device.
cudaError_t check_cluster(const KernelPlan& plan);

}  // namespace cuemu
