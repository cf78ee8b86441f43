#include "filters.h"
#include "weights.cuh"

namespace {

template <bool Rows>
__global__ void __launch_bounds__(256) pass(const float *__restrict__ in, float *__restrict__ out, int width,
                                            int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int o = -radius; o <= radius; ++o) {
    const int column = Rows ? min(max(x + o, 0), width - 1) : x;
    const int row = Rows ? y : min(max(y + o, 0), height - 1);
    sum += weight_at(o, radius) * in[row * width + column];
  }
  out[y * width + x] = sum;
}

}  // namespace

void filters::blur(const float *in, float *out, int width, int height, int radius, cudaStream_t stream) {
  set_weights(radius, stream);
  float *half;
  cudaMallocAsync(&half, sizeof(float) * width * height, stream);
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  pass<true><<<grid, block, 0, stream>>>(in, half, width, height, radius);
  pass<false><<<grid, block, 0, stream>>>(half, out, width, height, radius);
  cudaFreeAsync(half, stream);
}
