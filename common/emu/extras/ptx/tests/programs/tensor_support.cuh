// For the programs that copy tiles by tensor maps (TMA): barriers in shared memory that count bytes, by PTX,
// and the driver's functions that encode maps.
#pragma once
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    const cudaError_t error = (call);                                                        \
    if (error != cudaSuccess) printf("%s: %s\n", #call, cudaGetErrorName(error)), exit(1);   \
  } while (0)

__device__ inline uint32_t shared_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ inline void init_barrier(uint64_t* bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count));
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ inline void expect(uint64_t* bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(bar)), "r"(bytes)
               : "memory");
}

/// Whether the bytes of a barrier's first phase arrive within some time.
__device__ inline bool arrives(uint64_t* bar) {
  uint32_t done = 0;
  for (int i = 0; i < 100000 && done == 0; ++i)
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(shared_address(bar))
                 : "memory");
  return done != 0;
}

/// Finds a function of the driver.
template <typename Function>
Function entry(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess) printf("there is no %s\n", name), exit(1);
  return reinterpret_cast<Function>(function);
}
