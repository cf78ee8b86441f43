// Thread block clusters: the launches that may have clusters, and the shared memory of a cluster's blocks.
//
// All blocks of a cluster run on one worker, which begins them together (worker.cpp). launch_state.hpp defines the
// barrier of blocks.
#pragma once

#include "plan.hpp"

namespace cuemu {

/// Returns the error that CUDA returns for the plan's cluster on this device.
cudaError_t check_cluster(const KernelPlan& plan);

}  // namespace cuemu
