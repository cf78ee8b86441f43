// What cudaDeviceReset() ends, and that the device can be used as before then.
#include <cstdio>
#include <curand_kernel.h>

__global__ void draw(float* out) {
  curandState xorwow;
  curand_init(1, threadIdx.x, 0, &xorwow);
  curandStateMRG32k3a mrg;
  curand_init(1, threadIdx.x, 0, &mrg);
  out[threadIdx.x] = curand_uniform(&xorwow) + curand_uniform(&mrg);
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
    printf("reset: %s\n", cudaGetErrorName(cudaDeviceReset()));
  }
}
