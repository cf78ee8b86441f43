// Copies and kernels of several streams overlap: the breadth-first and depth-first orders of the CUDA guide.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include "timer.h"
#define CK(x) do { cudaError_t r = (x); if (r != cudaSuccess) { fprintf(stderr, "%s failed with %s\n", #x, cudaGetErrorString(r)); exit(1); } } while (0)

__global__ void kernel(float *a, int offset) {
  int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  float x = (float)i;
  float s = sinf(x);
  float c = cosf(x);
  a[i] = a[i] + sqrtf(s * s + c * c);
}
float maxError(float *a, int n) {
  float maxE = 0;
  for (int i = 0; i < n; i++) {
    float error = fabs(a[i] - 1.0f);
    if (error > maxE) maxE = error;
  }
  return maxE;
}
int main() {
  const int blockSize = 256, nStreams = 4;
  const int n = 16 * blockSize * nStreams;
  const int streamSize = n / nStreams;
  const int streamBytes = streamSize * sizeof(float);
  const int bytes = n * sizeof(float);
  float *a, *d_a;
  CK(cudaMallocHost((void **)&a, bytes));
  CK(cudaMalloc((void **)&d_a, bytes));
  cudaStream_t stream[nStreams];
  for (int i = 0; i < nStreams; ++i) CK(cudaStreamCreate(&stream[i]));
  Timer timer;

  for (int version = 0; version < 3; ++version) {
    for (int i = 0; i < n; ++i) a[i] = 0;
    if (version == 0) {  // sequential
      CK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
      kernel<<<n / blockSize, blockSize>>>(d_a, 0);
      CK(cudaMemcpy(a, d_a, bytes, cudaMemcpyDeviceToHost));
    } else if (version == 1) {  // loop over {copy, kernel, copy}
      for (int i = 0; i < nStreams; ++i) {
        int offset = i * streamSize;
        CK(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
        kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
        CK(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]));
      }
    } else {  // loop over copy, loop over kernel, loop over copy
      for (int i = 0; i < nStreams; ++i) {
        int offset = i * streamSize;
        CK(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
      }
      for (int i = 0; i < nStreams; ++i) kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, i * streamSize);
      for (int i = 0; i < nStreams; ++i) {
        int offset = i * streamSize;
        CK(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]));
      }
    }
    CK(cudaDeviceSynchronize());
    printf("version %d: max error %s\n", version, maxError(a, n) < 1e-5 ? "small" : "LARGE");
  }
  printf("Time for all: %f s\n", timer.seconds());
  for (int i = 0; i < nStreams; ++i) CK(cudaStreamDestroy(stream[i]));
  cudaFree(d_a);
  cudaFreeHost(a);
  return 0;
}
