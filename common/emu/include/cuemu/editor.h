// For editors only. clangd parses a .cu file as clang's CUDA; this file lets clangd use the emulation's headers,
// without a CUDA toolkit. No compiler of the kit includes this file; the `.clangd` of a student's folder names it
// (grader/src/workspace/editor_files.cpp).
//
// clang knows execution spaces and `<<<…>>>`. It does not know the spelling of the specifiers, the built-in
// variables, or the function that takes a launch's configuration. It reads sources as nvcc's host pass does:
// __CUDA_ARCH__ is not defined.
#pragma once

#if defined(__CUDA__) && defined(__clang__)

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))

// The emulation's functions, and the C functions that device code calls, have no execution space specifier, but belong
// to both sides. Their C++ headers come first, because clang itself assigns `operator new` to one side.
#include <cstddef>

#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS  // C's headers without the additions of libstdc++
#pragma clang force_cuda_host_device begin
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#pragma clang force_cuda_host_device end
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#pragma clang force_cuda_host_device begin
#include "cuda_runtime.h"
// The headers that a source may include later are included here for the same reason.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
#if __has_include(<cuda_fp8.h>)
#include <cuda_fp8.h>
#endif
#if __has_include(<curand_kernel.h>)
#include <curand_kernel.h>
#endif
#if __has_include(<mma.h>)
#include <mma.h>
#endif
#if __has_include(<cub/cub.cuh>)
#include <cub/cub.cuh>
#endif
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#pragma clang force_cuda_host_device end

extern "C" __device__ int printf(const char* format, ...);

extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;
extern __device__ const int warpSize;

/// clang calls these functions for `<<<grid, block, bytes, stream>>>`: the first until CUDA 9.1, the second from 9.2
/// on.
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t bytes = 0, cudaStream_t stream = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t bytes = 0,
                                                cudaStream_t stream = 0);

#endif
