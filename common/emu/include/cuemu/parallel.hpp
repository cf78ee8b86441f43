// Kernels of libraries. They do their work in one thread, or in a loop over indices that is divided among blocks. If a
// kernel calls these functions, the work runs in the calling thread.
#pragma once

#include "cuda_runtime.h"

namespace cuemu {

/// Runs `body()` of a library in the calling thread. In a kernel, the body counts as code of the emulation: it does not
/// allocate from the device's heap, and no other thread interrupts it.
template <class Body>
inline void run_here(Body& body) {
  const Uninterrupted whole(*current_fiber);
  body();
}

/// Runs `body()` as a kernel of one thread, in the order of the stream.
template <class Body>
inline cudaError_t run_as_thread(const char* const name, const cudaStream_t stream, Body body) {
  if (in_kernel()) {
    run_here(body);
    return cudaSuccess;
  }
  const PendingLaunch pending(1, 1, 0, stream);
  kernel_entry(KernelInfo{name}, [=](CUEMU_KERNEL_PARAMS) mutable -> void { run_here(body); });
  return cudaPeekAtLastError();
}

/// Runs `body(i)` for i from 0 to n − 1, partly in parallel.
template <class Body>
inline cudaError_t run_over(const char* const name, const cudaStream_t stream, const std::size_t n,
                            Body body) {
  if (n == 0) return cudaSuccess;
  if (in_kernel()) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return cudaSuccess;
  }
  constexpr std::size_t part = 4096;
  const PendingLaunch pending(static_cast<unsigned>((n + part - 1) / part), 1, 0, stream);
  kernel_entry(KernelInfo{name}, [=](CUEMU_KERNEL_PARAMS) mutable -> void {
    const std::size_t begin = blockIdx.x * part, end = begin + part < n ? begin + part : n;
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
  return cudaPeekAtLastError();
}

}  // namespace cuemu
