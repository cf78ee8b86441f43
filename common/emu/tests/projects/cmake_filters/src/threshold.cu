#include "filters.h"

template <typename F>
__global__ void for_each(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

void filters::threshold(const float *in, unsigned char *out, int count, float limit, cudaStream_t stream) {
  for_each<<<32, 128, 0, stream>>>(count, [=] __device__(int i) { out[i] = in[i] > limit ? '#' : '.'; });
}
