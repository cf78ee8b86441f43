// The heap of device code, for malloc, new and cudaMalloc in kernels. It is one allocation of device memory of
// cudaLimitMallocHeapSize bytes, made at first use: host code cannot touch it, and the limit is enforced.
#pragma once

#include "cuemu/device.hpp"

namespace cuemu {

/// True once a kernel has allocated; the limit is fixed from then on.
bool heap_in_use();
/// True for an address within the heap.
bool in_heap(const void* memory);
/// Called after a device reset, which has freed the heap's memory.
void forget_heap();

}  // namespace cuemu
