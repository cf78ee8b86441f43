/// @file
/// Checks every runtime call and every launch through one helper. After a failure, it prints the call, its place,
/// CUDA's error and the probable cause (cause.hpp), and ends the program with exit code 3.
///
///     CUDA_CHECK(cudaMalloc(&p, bytes));
///     kernel<<<grid, block>>>(p);
///     CUDA_CHECK_LAUNCH();                    // could it be started? (too many threads, too much shared memory …)
///     CUDA_CHECK(cudaDeviceSynchronize());    // did it run to its end?
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cause.hpp"
#include "exit_codes.hpp"

/// Ends the program if a runtime call fails.
///
/// After a failure, `call` is evaluated a second time. This time lab::noting's objects replace CUDA's functions, and
/// note the arguments for the message. This happens only before the program ends.
#define CUDA_CHECK(call)                                                                   \
  do {                                                                                     \
    const cudaError_t lab_error = (call);                                                  \
    if (::lab::has_failed(lab_error, #call, __FILE__, __LINE__)) {                         \
      using ::lab::noting::cudaFree, ::lab::noting::cudaMalloc, ::lab::noting::cudaMemcpy, \
          ::lab::noting::cudaMemset;                                                       \
      if (::lab::noting::is_one_of_these(#call)) static_cast<void>(call);                  \
      ::lab::check_cuda(lab_error, #call, __FILE__, __LINE__);                             \
    }                                                                                      \
  } while (false)

/// Ends the program if the last launch was refused. This check does not wait for the kernel; the next call that
/// synchronises reports errors that occur while the kernel runs.
#define CUDA_CHECK_LAUNCH() ::lab::check_cuda(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)

namespace lab {

namespace detail {

/// Prints which call failed and why, and ends the program.
[[noreturn, gnu::cold]] void stop_for(cudaError_t error, const char* call, const char* file, int line);

/// Passes the pointer's name to the emulation after a successful allocation.
LAB_COLD void name_allocation(const char* call, const char* file, int line);

}  // namespace detail

/// Implements CUDA_CHECK and CUDA_CHECK_LAUNCH. Returns only for cudaSuccess.
inline void check_cuda(cudaError_t error, const char* call, const char* file, int line) {
  if (error != cudaSuccess) detail::stop_for(error, call, file, line);
}

/// CUDA_CHECK calls this function first. In emulation, it records the pointer's name after a successful allocation, so
/// that a message can name the array that a kernel overruns.
inline bool has_failed(cudaError_t error, [[maybe_unused]] const char* call,
                       [[maybe_unused]] const char* file, [[maybe_unused]] int line) {
#if defined(__CUEMU__)
  if (error == cudaSuccess && std::strncmp(call, "cudaMalloc", 10) == 0)
    detail::name_allocation(call, file, line);
#endif
  return error != cudaSuccess;
}

}  // namespace lab

#ifndef LAB_LIBRARY
#include "impl/check.hpp"
#endif
