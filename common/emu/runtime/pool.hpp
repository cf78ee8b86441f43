// Memory pools for cudaMallocAsync and the pool functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver_types.h"

namespace cuemu {

struct Pool {
  cudaMemAllocationType type = cudaMemAllocationTypePinned;
  cudaMemLocation place{cudaMemLocationTypeDevice,
                        0};  ///< location of the pool's memory; for a managed pool, the preferred location
  std::size_t limit = 0;     ///< bytes; 0: the device's memory
  std::size_t used = 0, used_high = 0;
  std::size_t reserved = 0, reserved_high = 0;
  std::uint64_t threshold = 0;  ///< bytes that the pool keeps at a synchronisation
  int reuse[3] = {1, 1, 1};
  cudaMemAccessFlags access[16] = {};
};

/// Allocates from a pool; null: the current device's current pool.
cudaError_t take_from_pool(cudaMemPool_t pool, std::size_t bytes, void** result);
/// Returns whether memory came from a pool. Such memory may be pinned, but is freed like device memory.
bool is_from_pool(void* memory);
/// Subtracts memory from its pool's counters, if it came from a pool.
void returned_to_pool(void* memory);
/// Called at a synchronisation: pools release memory beyond their thresholds.
void trim_pools();

}  // namespace cuemu
