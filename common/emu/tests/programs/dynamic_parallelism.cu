// emucc: -rdc=true
// Kernels that launch kernels: results, order within a stream, tail launches, nesting, streams of a kernel.
#include <cstdio>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

__global__ void fill(int* out, int value) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

template <typename T>
__global__ void twice(T* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}

// Each block fills its part, then doubles it. The stream of the block keeps this order.
__global__ void parents(int* data, int part) {
  int* const mine = data + blockIdx.x * part;
  if (threadIdx.x == 0) {
    fill<<<part / 32, 32>>>(mine, blockIdx.x + 1);
    twice<<<(part + 63) / 64, 64>>>(mine, part);
  }
}

__global__ void sum(const int* data, int n, int* result) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += data[i];
  *result = total;
}

// The tail launch sees all values that the grid and its children have written.
__global__ void with_tail(int* data, int n, int* result) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    sum<<<1, 1, 0, cudaStreamTailLaunch>>>(data, n, result);
    sum<<<1, 1, 0, cudaStreamTailLaunch>>>(result, 1, result + 1);
  }
  const int per_block = n / gridDim.x;
  if (threadIdx.x == 0) fill<<<1, per_block, 0, cudaStreamFireAndForget>>>(data + blockIdx.x * per_block, 3);
}

__global__ void nest(int* count, int depth) {
  atomicAdd(count, 1);
  if (depth > 0) nest<<<1, 2>>>(count, depth - 1);
}

// A quicksort that launches itself for each half.
__global__ void quicksort(int* data, int low, int high) {
  if (low >= high) return;
  const int pivot = data[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (data[i] < pivot) ++i;
    while (data[j] > pivot) --j;
    if (i <= j) {
      const int swap = data[i];
      data[i++] = data[j];
      data[j--] = swap;
    }
  }
  if (high - low < 16) {  // small parts here
    for (int a = low + 1; a <= high; ++a)
      for (int b = a; b > low && data[b - 1] > data[b]; --b) {
        const int swap = data[b];
        data[b] = data[b - 1];
        data[b - 1] = swap;
      }
    return;
  }
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  quicksort<<<1, 1, 0, stream>>>(data, low, j);
  cudaStreamDestroy(stream);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  quicksort<<<1, 1, 0, stream>>>(data, i, high);
  cudaStreamDestroy(stream);
}

__global__ void errors(int* codes) {
  fill<<<1, 2048>>>(codes, 0);  // more threads than a block may have
  const cudaError_t error = cudaGetLastError();
  codes[0] = error != cudaSuccess;
  codes[1] = cudaGetLastError();
  cudaStream_t stream;
  codes[2] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault) != cudaSuccess;
  int device = -1;
  codes[3] = cudaGetDevice(&device);
  codes[4] = device;
}

int main() {
  constexpr int blocks = 8, part = 128, n = blocks * part;
  int *data, *result;
  CHECK(cudaMallocManaged(&data, n * sizeof(int)));
  CHECK(cudaMallocManaged(&result, 8 * sizeof(int)));

  parents<<<blocks, 32>>>(data, part);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += data[i] != 2 * (i / part + 1);
  printf("parents: %d wrong\n", wrong);

  with_tail<<<blocks, 32>>>(data, n, result);
  CHECK(cudaDeviceSynchronize());
  printf("tail: %d, and after it %d\n", result[0], result[1]);

  *result = 0;
  nest<<<1, 2>>>(result, 4);
  CHECK(cudaDeviceSynchronize());
  printf("nested: %d threads\n", *result);

  unsigned state = 1;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    data[i] = state >> 16;
  }
  quicksort<<<1, 1>>>(data, 0, n - 1);
  CHECK(cudaDeviceSynchronize());
  wrong = 0;
  for (int i = 1; i < n; ++i) wrong += data[i - 1] > data[i];
  printf("quicksort: %d out of order, first %d, last %d\n", wrong, data[0], data[n - 1]);

  errors<<<1, 1>>>(result);
  CHECK(cudaDeviceSynchronize());
  printf("errors:");
  for (int i = 0; i < 5; ++i) printf(" %d", result[i]);
  printf("\n");
  return 0;
}
