/// @file
/// Every runtime call and every launch is checked, through one helper: a failure ends the program with exit
/// code 3 and says which call, where, what CUDA says, and what usually causes it.
///
///     CUDA_CHECK(cudaMalloc(&p, bytes));
///     kernel<<<grid, block>>>(p);
///     CUDA_CHECK_LAUNCH();                    // could it be started? (too many threads, too much shared memory …)
///     CUDA_CHECK(cudaDeviceSynchronize());    // did it run to its end?
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "exit.hpp"

/// Ends the program when a runtime call fails.
#define CUDA_CHECK(call) ::lab::check_cuda((call), #call, __FILE__, __LINE__)

/// Ends the program when the last launch was refused. It does not wait for the kernel: what goes wrong while
/// it runs is reported by the next call that synchronises.
#define CUDA_CHECK_LAUNCH() ::lab::check_cuda(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)

namespace lab {

/// What usually causes an error, as a sentence; empty when there is no usual cause.
inline const char* likely_cause(cudaError_t error) {
  switch (static_cast<int>(error)) {
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
      return "A launch with 0 blocks or threads, more than 1024 threads a block, or too much shared memory; "
             "or a call with "
             "a pointer or a size that is not of the device's memory.";
    case cudaErrorMemoryAllocation:
      return "The device has not that much memory left: choose a smaller size, or free what is no longer "
             "needed.";
    case cudaErrorInvalidMemcpyDirection:
      return "The last argument of cudaMemcpy is not one of cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost …";
    case cudaErrorIllegalAddress:
      return "A kernel used a pointer outside any allocation: an index out of range (is there a guard?), or "
             "a host pointer.";
    case cudaErrorMisalignedAddress:
      return "A kernel read or wrote a value at an address that is no multiple of the value's size.";
    case cudaErrorLaunchOutOfResources:
      return "The kernel needs more registers than a multiprocessor has for that many threads a block.";
    case cudaErrorLaunchTimeout:
      return "The kernel ran too long for a GPU that also drives a display: is there an endless loop?";
    case cudaErrorLaunchFailure:
      return "A kernel crashed: an invalid pointer, a stack overflow, or a barrier in code that not all "
             "threads reach.";
    case cudaErrorAssert:
      return "An assert() in a kernel was false; its text stands above.";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
      return "No GPU can be used here: is there one, and is its driver as new as the toolkit? `nvidia-smi` "
             "tells. "
             "Without a GPU, build with emucc.";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
      return "The program was built for another GPU: give nvcc the option -arch=native.";
    case cudaErrorInvalidDeviceFunction:
      return "The kernel is not in this program, or was built for another GPU: give nvcc the option "
             "-arch=native.";
    default:
      return "";
  }
}

namespace detail {

/// Says which call failed and why, and ends the program.
[[noreturn, gnu::cold]] inline void stop_for(cudaError_t error, const char* call, const char* file,
                                             int line) {
  std::fflush(stdout);
  std::fprintf(stderr, "CUDA error at %s:%d: %s\n  %d %s: %s\n", file, line, call, static_cast<int>(error),
               cudaGetErrorName(error), cudaGetErrorString(error));
  const char* const cause = likely_cause(error);
  if (*cause != '\0') std::fprintf(stderr, "  Likely cause: %s\n", cause);
  std::exit(exit_cuda_error);
}

}  // namespace detail

/// What CUDA_CHECK and CUDA_CHECK_LAUNCH call. Returns only for cudaSuccess.
inline void check_cuda(cudaError_t error, const char* call, const char* file, int line) {
  if (error != cudaSuccess) detail::stop_for(error, call, file, line);
}

}  // namespace lab
