// What the emulation knows of a failure and no error code tells: for those who explain it to the user.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vector_types.h"

namespace cuemu {

/// A launch that was refused, with what it asked for.
struct RefusedLaunch {
  const char* kernel;
  dim3 grid, block;
  std::size_t dynamic_shared;
  std::size_t static_shared;  ///< of the kernel's __shared__ variables
  unsigned max_threads;       ///< `__launch_bounds__`; 0: no bound
};

/// The launch that the calling thread's last error comes from;
/// null where it comes from another call, or there was none. It stays known once cudaGetLastError() has told of it.
const RefusedLaunch* refused_launch();

/// What stopped the first kernel that was stopped, as a sentence without a full stop; empty: none was.
const char* stopped_kernel();

/// The allocation of the device or managed memory that holds an address; false where there is none.
bool allocation_of(const void* pointer, std::uintptr_t& begin, std::size_t& bytes);

/// Tells how the program calls the memory that the calling thread allocated last, and where it did.
/// @param name "d_P"; copied
void name_allocation(const char* name, const char* file, int line);

}  // namespace cuemu
