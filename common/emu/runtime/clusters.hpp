// Thread block clusters: which launches may have them, and the shared memory of their blocks.
//
// All blocks of a cluster run on one worker, which begins them together; the worker (worker.cpp) and the
// barrier of blocks (launch_state.hpp) do the rest.
#pragma once

#include "plan.hpp"

namespace cuemu {

/// What CUDA says of the cluster of a configuration on this device.
cudaError_t check_cluster(const KernelPlan& plan);

}  // namespace cuemu
