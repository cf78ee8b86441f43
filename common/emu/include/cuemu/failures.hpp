// Information about failures beyond the error codes, for tools that explain them to the user.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vector_types.h"

namespace cuemu {

/// A refused launch and its configuration.
struct RefusedLaunch {
  const char* kernel;
  dim3 grid, block;
  std::size_t dynamic_shared;
  std::size_t static_shared;  ///< of the kernel's __shared__ variables
  unsigned max_threads;       ///< `__launch_bounds__`; 0: no bound
};

/// Returns the launch that caused the calling thread's last error; null if another call caused it, or there was no
/// error. It remains available after cudaGetLastError() has returned the error.
const RefusedLaunch* refused_launch();

/// Returns the reason why the first stopped kernel was stopped, as a sentence without a full stop; empty: no kernel was
/// stopped.
const char* stopped_kernel();

/// Sends the CUDA error that ends the program to the grader that runs the program. Returns false if there is no grader;
/// the program must then print the error itself.
/// @param cause a sentence; empty: no cause is known
bool send_cuda_error(int error, const char* call, const char* file, int line, const char* cause);

/// Finds the allocation of device or managed memory that contains an address. False if there is none.
bool allocation_of(const void* pointer, std::uintptr_t& begin, std::size_t& bytes);

/// Stores the name of the pointer variable that the program uses for the calling thread's latest allocation, and the
/// allocation's source line.
void name_allocation(const char* name, const char* file, int line);

}  // namespace cuemu
