// CUDA's declaration specifiers for plain C and C++ compilers, which don't know them. Headers that C and C++ files
// share with a .cu file use them. In .cu files, emucc handles them.
#pragma once
#define __HOST_DEFINES_H__

#ifndef __CUDACC__
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __no_return__ __attribute__((noreturn))
#define __cudart_builtin__
#define __device_builtin__
#else
// Programs test `#ifndef __device__` to define it themselves. So emucc's specifiers are macros, too, which are defined
// as themselves.
#define __host__ __host__
#define __device__ __device__
#define __global__ __global__
#define __shared__ __shared__
#define __constant__ __constant__
#define __managed__ __managed__
#define __grid_constant__ __grid_constant__
#define __forceinline__ __forceinline__
#endif
