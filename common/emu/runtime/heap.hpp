// The heap of device code, for malloc, new and cudaMalloc in kernels. The heap is one allocation of device memory of
// cudaLimitMallocHeapSize bytes, made at its first use. So host code cannot access the heap, and the limit is enforced.
#pragma once

#include "cuemu/device.hpp"

namespace cuemu {

/// True after a kernel has allocated; the limit can then no longer be changed.
bool heap_in_use();
/// True for an address within the heap.
bool in_heap(const void* memory);
/// Called after a device reset, which has freed the heap's memory.
void forget_heap();

}  // namespace cuemu
