#pragma once
#include <cuda_runtime_api.h>

namespace filters {
// Images lie in device memory, row by row, one float for each pixel.
void blur(const float *in, float *out, int width, int height, int radius, cudaStream_t stream = 0);
void threshold(const float *in, unsigned char *out, int count, float limit, cudaStream_t stream = 0);
}  // namespace filters
