// A program can query the advice that it gave for managed memory: read-mostly, preferred locations, accessing
// devices, prefetches. For a range it gets the advice that holds for all of it.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += i;
}

void show(const char* when, const void* at, size_t bytes) {
  int read_mostly = 7, preferred = 7, prefetched = 7, accessed[3] = {7, 7, 7};
  void* data[] = {&read_mostly, &preferred, accessed, &prefetched};
  size_t sizes[] = {sizeof(int), sizeof(int), sizeof accessed, sizeof(int)};
  cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation,
                                        cudaMemRangeAttributeAccessedBy, cudaMemRangeAttributeLastPrefetchLocation};
  const cudaError_t error = cudaMemRangeGetAttributes(data, sizes, attributes, 4, at, bytes);
  printf("%s: %s, read mostly %d, preferred %d, accessed by %d %d %d, prefetched to %d\n", when,
         cudaGetErrorName(error), read_mostly, preferred, accessed[0], accessed[1], accessed[2], prefetched);
}

int main() {
  const size_t half = size_t(4) << 20, bytes = 2 * half;
  const int n = bytes / sizeof(int);
  char* memory;
  cudaMallocManaged(&memory, bytes);
  int* const data = reinterpret_cast<int*>(memory);
  for (int i = 0; i < n; ++i) data[i] = 1;
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};

  show("fresh", memory, bytes);
  cudaMemAdvise(memory, bytes, cudaMemAdviseSetReadMostly, device);
  cudaMemAdvise(memory, half, cudaMemAdviseSetPreferredLocation, device);
  cudaMemAdvise(memory, bytes, cudaMemAdviseSetAccessedBy, device);
  show("first half", memory, half);
  show("second half", memory + half, half);
  show("both", memory, bytes);

  cudaMemPrefetchAsync(memory, bytes, device, 0, nullptr);
  add<<<(n + 255) / 256, 256>>>(data, n);
  cudaMemPrefetchAsync(memory + half, half, host, 0, nullptr);
  printf("ran: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  show("first half", memory, half);
  show("second half", memory + half, half);
  show("both", memory, bytes);

  cudaMemAdvise(memory, bytes, cudaMemAdviseUnsetReadMostly, device);
  cudaMemAdvise(memory, bytes, cudaMemAdviseUnsetAccessedBy, device);
  cudaMemAdvise(memory, bytes, cudaMemAdviseUnsetPreferredLocation, device);
  int one = 7;
  const cudaError_t alone =
      cudaMemRangeGetAttribute(&one, sizeof one, cudaMemRangeAttributeReadMostly, memory, bytes);
  printf("alone: %s %d\n", cudaGetErrorName(alone), one);
  show("all taken back", memory, half);

  bool right = true;
  for (int i = 0; i < n; ++i) right = right && data[i] == 1 + i;
  printf("values %s\n", right ? "right" : "wrong");
  cudaFree(memory);
  char* other;
  cudaMalloc(&other, bytes);
  printf("device memory: %s\n",
         cudaGetErrorName(cudaMemRangeGetAttribute(&one, sizeof one, cudaMemRangeAttributeReadMostly, other, bytes)));
  cudaFree(other);
}
