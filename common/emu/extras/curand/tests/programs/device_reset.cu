// Tests which objects cudaDeviceReset() destroys, and that the device can be used afterwards.
#include <cstdio>
#include <curand_kernel.h>

__global__ void draw(float* out) {
  curandState xorwow;
  curand_init(1, threadIdx.x, 0, &xorwow);
  curandStateMRG32k3a mrg;
  curand_init(1, threadIdx.x, 0, &mrg);
  out[threadIdx.x] = curand_uniform(&xorwow) + curand_uniform(&mrg);
}

// Variables of the program have their initial values again, except for managed variables.
__device__ int counter = 5;
__device__ int large[1 << 20];
__constant__ float factors[3] = {1, 2, 3};
__managed__ int shared = 7;
__device__ int* pointer = &counter;
struct Pair {
  short low = 1;
  double high = 2.5;
};
__device__ Pair pairs[2];

__global__ void show_and_change() {
  printf("%d %d %d %g %d %d %d %g\n", counter, large[0], large[(1 << 20) - 1], factors[1], shared,
         pointer == &counter, pairs[1].low, pairs[1].high);
  counter = large[0] = large[(1 << 20) - 1] = 99;
  shared = 98;
  pointer = nullptr;
  pairs[1] = {};
  pairs[1].high = 97;
}

int main() {
  float first[32], again[32];
  for (int round = 0; round < 3; ++round) {
    float* out;
    cudaMalloc(&out, sizeof first);
    draw<<<1, 32>>>(out);
    const cudaError_t error = cudaMemcpy(round == 0 ? first : again, out, sizeof first, cudaMemcpyDeviceToHost);
    int same = 0;
    for (int i = 0; i < 32; ++i) same += round == 0 || first[i] == again[i];
    printf("random numbers: %s, %d of 32\n", cudaGetErrorName(error), same);
    cudaFree(out);
    for (int times = 0; times < 2; ++times) {
      show_and_change<<<1, 1>>>();
      cudaDeviceSynchronize();
    }
    const float other[3] = {10, 20, 30};
    cudaMemcpyToSymbol(factors, other, sizeof other);
    shared += 1;
    printf("reset: %s\n", cudaGetErrorName(cudaDeviceReset()));
  }
}
