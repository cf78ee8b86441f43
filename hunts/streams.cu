// Squares an array in two halves. Each has a stream for its copies and its kernel; the host waits for both.
#include "hunt.cuh"

constexpr int half = 256;    // elements of a stream
constexpr int threads = 64;  // of each block, a divisor of half

__global__ void square(int* array) {
  const int i = blockIdx.x * threads + threadIdx.x;
  array[i] *= array[i];
}

int main() {
  const std::vector<int> in = numbers(2 * half);
  const std::size_t bytes = half * sizeof(int);
  int* array = nullptr;  // pinned: only then the copies are asynchronous
  check(cudaMallocHost(&array, 2 * half * sizeof(int)));
  for (int i = 0; i < 2 * half; ++i) array[i] = in[i];
  int* const d_array = device_array<int>(2 * half);
  cudaStream_t streams[2];
  for (int s = 0; s < 2; ++s) {
    check(cudaStreamCreate(&streams[s]));
    check(cudaMemcpyAsync(d_array + s * half, array + s * half, bytes, cudaMemcpyHostToDevice, streams[s]));
    square<<<half / threads, threads, 0, streams[s]>>>(d_array + s * half);
    check(cudaMemcpyAsync(array + s * half, d_array + s * half, bytes, cudaMemcpyDeviceToHost, streams[s]));
  }
  check(cudaDeviceSynchronize());
  const std::vector<int> out(array, array + 2 * half);
  for (const cudaStream_t stream : streams) check(cudaStreamDestroy(stream));
  check(cudaFreeHost(array));
  check(cudaFree(d_array));

  std::vector<int> expected(2 * half);
  for (int i = 0; i < 2 * half; ++i) expected[i] = in[i] * in[i];
  return compare("array", out, expected);
}
