// The heap of device code: what malloc, new and cudaMalloc in kernels take from. It is one allocation of
// device memory of cudaLimitMallocHeapSize bytes, made at first use, so that host code cannot touch it and
// the limit is real.
#pragma once

#include "cuemu/device.hpp"

namespace cuemu {

/// True once a kernel has allocated; the limit is fixed from then on.
bool heap_in_use();
/// True for an address within the heap.
bool in_heap(const void* memory);
/// After a reset of the device, which has freed the heap's memory.
void forget_heap();

}  // namespace cuemu
