// bug: race 11,11 values
// A reduction within a warp: without __syncwarp() lanes need not run in step.
#include <cstdio>
__global__ void reduce(const int* in, int* out) {
  __shared__ int values[32];
  values[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    if (threadIdx.x < step)
#ifdef BUG
      values[threadIdx.x] += values[threadIdx.x + step];
#else
      values[threadIdx.x] += values[threadIdx.x + step];
    __syncwarp();
#endif
  }
  if (threadIdx.x == 0) *out = values[0];
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  reduce<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
