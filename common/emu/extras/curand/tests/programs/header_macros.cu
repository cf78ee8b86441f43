// Macros of headers that programs test before they declare names of their own: include guards, versions,
// keywords. The standard headers that nvcc includes by itself are deliberately not included here.
#include <cooperative_groups.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_profiler_api.h>
#include <curand.h>
#include <curand_kernel.h>
#include <mma.h>

// A helper that recognises the runtime only by its include guards, as the samples' headers do.
#ifdef __DRIVER_TYPES_H__
static const char* name_of(cudaError_t error) {
  return cudaGetErrorName(error);
}
#endif
#ifdef CURAND_H_
static const char* name_of(curandStatus_t status) {
  switch (status) {
    case CURAND_STATUS_SUCCESS: return "CURAND_STATUS_SUCCESS";
    case CURAND_STATUS_VERSION_MISMATCH: return "CURAND_STATUS_VERSION_MISMATCH";
    case CURAND_STATUS_NOT_INITIALIZED: return "CURAND_STATUS_NOT_INITIALIZED";
    case CURAND_STATUS_ALLOCATION_FAILED: return "CURAND_STATUS_ALLOCATION_FAILED";
    case CURAND_STATUS_TYPE_ERROR: return "CURAND_STATUS_TYPE_ERROR";
    case CURAND_STATUS_OUT_OF_RANGE: return "CURAND_STATUS_OUT_OF_RANGE";
    case CURAND_STATUS_LENGTH_NOT_MULTIPLE: return "CURAND_STATUS_LENGTH_NOT_MULTIPLE";
    case CURAND_STATUS_DOUBLE_PRECISION_REQUIRED: return "CURAND_STATUS_DOUBLE_PRECISION_REQUIRED";
    case CURAND_STATUS_LAUNCH_FAILURE: return "CURAND_STATUS_LAUNCH_FAILURE";
    case CURAND_STATUS_PREEXISTING_FAILURE: return "CURAND_STATUS_PREEXISTING_FAILURE";
    case CURAND_STATUS_INITIALIZATION_FAILED: return "CURAND_STATUS_INITIALIZATION_FAILED";
    case CURAND_STATUS_ARCH_MISMATCH: return "CURAND_STATUS_ARCH_MISMATCH";
    case CURAND_STATUS_INTERNAL_ERROR: return "CURAND_STATUS_INTERNAL_ERROR";
  }
  return "?";
}
#endif
#ifdef __CUDA_RUNTIME_H__
#define CHECK(call) \
  if (auto status = (call)) printf("%s failed: %s\n", #call, name_of(status))
#endif

// Keywords that a header defines as nothing for compilers that lack them.
#ifndef __device__
#define __device__
#endif
#ifndef __global__
#define __global__
#endif
#ifndef __shared__
#define __shared__
#endif
#ifndef __constant__
#define __constant__
#endif
#ifndef __forceinline__
#define __forceinline__
#endif

__constant__ int factor = 3;

__device__ __forceinline__ int scaled(int x) {
  return factor * x;
}

__global__ void reversed(int* out) {
  __shared__ int part[32];
  part[threadIdx.x] = scaled(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = part[31 - threadIdx.x];
}

static int missing = 0;
static void expect(bool there, const char* name) {
  if (there) return;
  ++missing;
  printf("not defined: %s\n", name);
}

#define TEXT(x) #x
#define VALUE(x) TEXT(x)
// A guard is defined as nothing or as a number, so its own name never remains.
#define GUARD(name) expect(VALUE(name)[0] != #name[0] || VALUE(name)[1] != #name[1], #name)

int main() {
  GUARD(__CUDA_RUNTIME_H__);
  GUARD(__CUDA_RUNTIME_API_H__);
  GUARD(__DRIVER_TYPES_H__);
  GUARD(__DRIVER_FUNCTIONS_H__);
  GUARD(__VECTOR_TYPES_H__);
  GUARD(__VECTOR_FUNCTIONS_H__);
  GUARD(__HOST_DEFINES_H__);
  GUARD(__HOST_CONFIG_H__);
  GUARD(__DEVICE_TYPES_H__);
  GUARD(__DEVICE_FUNCTIONS_H__);
  GUARD(__DEVICE_LAUNCH_PARAMETERS_H__);
  GUARD(__DEVICE_ATOMIC_FUNCTIONS_H__);
  GUARD(__CHANNEL_DESCRIPTOR_H__);
  GUARD(__COMMON_FUNCTIONS_H__);
  GUARD(__MATH_FUNCTIONS_H__);
  GUARD(__TEXTURE_TYPES_H__);
  GUARD(__SURFACE_TYPES_H__);
  GUARD(__LIBRARY_TYPES_H__);
  GUARD(__SM_20_ATOMIC_FUNCTIONS_H__);
  GUARD(__SM_30_INTRINSICS_H__);
  GUARD(__SM_35_INTRINSICS_H__);
  GUARD(__SM_60_ATOMIC_FUNCTIONS_H__);
  GUARD(__SM_61_INTRINSICS_H__);
  GUARD(__CUDA_FP16_H__);
  GUARD(__CUDA_FP16_TYPES_EXIST__);
  GUARD(__CUDA_BF16_H__);
  GUARD(__CUDA_FP8_H__);
  GUARD(__CUDA_MMA_H__);
  GUARD(__CUDA_PROFILER_API_H__);
  GUARD(CU_COMPLEX_H_);
  GUARD(CURAND_H_);
  GUARD(CURAND_KERNEL_H_);
  GUARD(_COOPERATIVE_GROUPS_H_);
  expect(CUDART_VERSION == __CUDART_API_VERSION, "the runtime's version");
  expect(__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10 == CUDART_VERSION, "the compiler's version");
  expect(CURAND_VERSION == CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH, "cuRAND's version");

  int *out, host[32];
  CHECK(cudaMalloc(&out, sizeof host));
  reversed<<<1, 32>>>(out);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  assert(host[31] == 0);
  fprintf(stdout, "reversed: %d %d %d\n", host[0], host[1], abs(-host[30]));
  printf("%s %s\n", name_of(cudaErrorInvalidValue), name_of(CURAND_STATUS_TYPE_ERROR));
  printf("missing: %d\n", missing);
  return missing != 0;
}
