// Pools of memory for cudaMallocAsync and its like.
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver_types.h"

namespace cuemu {

struct Pool {
  cudaMemAllocationType type = cudaMemAllocationTypePinned;
  cudaMemLocation place{cudaMemLocationTypeDevice,
                        0};  ///< where its memory is; of a managed pool: is at best
  std::size_t limit = 0;     ///< 0: what there is
  std::size_t used = 0, used_high = 0;
  std::size_t reserved = 0, reserved_high = 0;
  std::uint64_t threshold = 0;  ///< bytes that it keeps at a synchronisation
  int reuse[3] = {1, 1, 1};
  cudaMemAccessFlags access[16] = {};
};

/// Memory from a pool; null: the one that the current device uses.
cudaError_t take_from_pool(cudaMemPool_t pool, std::size_t bytes, void** result);
/// Did memory come from a pool? Then it may be pinned and is freed as the device's is.
bool is_from_pool(void* memory);
/// Counts memory out of the pool that it came from, if it came from one.
void returned_to_pool(void* memory);
/// At a synchronisation pools give back what they hold beyond their thresholds.
void trim_pools();

}  // namespace cuemu
