// A kernel passes a number of elements to malloc(), which takes bytes.
// gpu: prints an illegal memory access was encountered
// finding: out-of-bounds
#include <cstdio>
__global__ void work() {
  __shared__ int* p;
#ifdef MENDED
  if (threadIdx.x == 0) p = (int*)malloc(blockDim.x * 64 * sizeof(int));  // 64 bytes for each thread
#else
  if (threadIdx.x == 0) p = (int*)malloc(blockDim.x * 64);  // 64 bytes for each thread
#endif
  __syncthreads();
  for (int i = 0; i < 64; ++i) p[i * blockDim.x + threadIdx.x] = threadIdx.x;  // 64 ints
  __syncthreads();
  if (threadIdx.x == 0) free(p);
}
int main() {
  work<<<4, 128>>>();
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
