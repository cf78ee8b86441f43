// Programmatic dependent launch: each kernel may begin before the previous one has ended. It waits where it
// needs data of the previous kernel.
#include <cstdio>
#include <utility>

#define CHECK(call)                                                               \
  do {                                                                            \
    const cudaError_t error = (call);                                             \
    if (error != cudaSuccess) printf("%s: %s\n", #call, cudaGetErrorName(error)); \
  } while (0)

constexpr int n = 1 << 16;

/// Doubles, and adds a number that does not depend on the previous kernel.
__global__ void step(const int* in, int* out, int number) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int own = i % 7 * number;
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  out[i] = in[i] * 2 + own;
}

int main() {
  int *numbers, *others;
  CHECK(cudaMallocManaged(&numbers, n * sizeof(int)));
  CHECK(cudaMallocManaged(&others, n * sizeof(int)));
  for (int i = 0; i < n; ++i) numbers[i] = i % 10;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = n / 256;
  config.blockDim = 256;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  for (int number = 1; number <= 6; ++number) {
    CHECK(cudaLaunchKernelEx(&config, step, static_cast<const int*>(numbers), others, number));
    std::swap(numbers, others);
  }
  CHECK(cudaStreamSynchronize(stream));
  // 64 * (i % 10) + (i % 7) * (32 * 1 + 16 * 2 + 8 * 3 + 4 * 4 + 2 * 5 + 6)
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += numbers[i] != 64 * (i % 10) + 120 * (i % 7);
  printf("%d wrong, %d %d\n", wrong, numbers[13], numbers[n - 1]);
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(numbers));
  CHECK(cudaFree(others));
}
