#include "weights.cuh"

#include <vector>

__constant__ float weights[2 * max_radius + 1];

__device__ float weight_at(int offset, int radius) { return weights[offset + radius]; }

void set_weights(int radius, cudaStream_t stream) {
  std::vector<float> host(2 * radius + 1);
  float sum = 0;
  for (int i = -radius; i <= radius; ++i) sum += host[i + radius] = radius + 1 - (i < 0 ? -i : i);
  for (float &w : host) w /= sum;
  cudaMemcpyToSymbolAsync(weights, host.data(), host.size() * sizeof(float), 0, cudaMemcpyHostToDevice, stream);
}
