#pragma once
constexpr int max_radius = 8;
extern __constant__ float weights[2 * max_radius + 1];
__device__ float weight_at(int offset, int radius);
void set_weights(int radius, cudaStream_t stream);
