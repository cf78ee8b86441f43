#include <cstdio>
#include <cstdlib>
#include <vector>

#include "filters.h"

#define CHECK(call)                                                                       \
  do {                                                                                    \
    cudaError_t status_ = (call);                                                         \
    if (status_ != cudaSuccess) {                                                         \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
      std::exit(EXIT_FAILURE);                                                            \
    }                                                                                     \
  } while (0)

int main() {
  const int width = 48, height = 16;
  std::vector<float> image(width * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image[y * width + x] = (x / 8 + y / 4) % 2 ? 1.0f : 0.0f;

  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  float *in, *out;
  unsigned char *mask;
  CHECK(cudaMalloc((void **)&in, image.size() * sizeof(float)));
  CHECK(cudaMalloc((void **)&out, image.size() * sizeof(float)));
  CHECK(cudaMalloc((void **)&mask, image.size()));
  CHECK(cudaMemcpyAsync(in, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice, stream));
  filters::blur(in, out, width, height, 3, stream);
  filters::threshold(out, mask, (int)image.size(), 0.55f, stream);
  CHECK(cudaGetLastError());
  std::vector<char> text(image.size());
  CHECK(cudaMemcpyAsync(text.data(), mask, text.size(), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("filters %s\n", FILTERS_VERSION);
  for (int y = 0; y < height; ++y) std::printf("%.*s\n", width, &text[y * width]);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(mask));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
