// A function for both sides may call only functions for both sides.
#include <cstdlib>
int host(int x) { return x + 1; }
__device__ int device(int x) { return x + 1; }
__host__ __device__ int both(int x) { return x + 1; }
int variable;
const int constant = 4;

__host__ __device__ int right(int x) { return both(x) + constant; }
__host__ __device__ int calls_host(int x) { return host(x); }      // warning
__host__ __device__ int calls_library(int x) { return rand(); }    // warning
__host__ __device__ int calls_device(int x) { return device(x); }  // error
__host__ __device__ void waits() { __syncthreads(); }              // error
__host__ __device__ int reads() { return variable; }               // error
inline __host__ __device__ int unused(int x) { return host(x); }
#ifdef __CUDA_ARCH__
__device__ int sided() { return device(1); }
#else
int sided() { return host(1); }
#endif
__host__ __device__ int calls_sided(int x) {
#ifdef __CUDA_ARCH__
  return device(x);
#else
  return host(x);
#endif
}
__global__ void kernel(int* x) { *x = right(1) + sided() + calls_sided(1); }
int main() { return right(1) + sided() + calls_sided(1) + variable; }
