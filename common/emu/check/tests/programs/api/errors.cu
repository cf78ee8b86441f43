// Errors that nobody looked at.
#include "../pair.cuh"

__global__ void nothing() {}

// 2,048 threads are more than a block may have, and nobody asks.
// pair: refused_launch
// exact: launch @launch -
// contains: kernel nothing never ran
// contains: the block has 2048 threads, but a block may have at most 1024
PAIR(refused_launch) {
  const int threads = wrong ? 2048 : 64;
  nothing<<<1, threads>>>();  // @launch
  cudaDeviceSynchronize();
}

// More memory than the device has, and nobody looks.
// pair: allocation_failed
// exact: unchecked @call -
// contains: cudaMalloc failed (cudaErrorMemoryAllocation
PAIR(allocation_failed) {
  int* data = nullptr;
  const size_t bytes = wrong ? size_t{1} << 50 : 64;
  cudaMalloc(&data, bytes);  // @call
  cudaFree(data);
}

// The same, looked at.
// pair: error_looked_at
// exact: unchecked @first -
// contains: cudaStreamCreateWithFlags failed later, at line
// hint: check what every call returns: results after the first failure mean nothing
PAIR(error_looked_at) {
  int* data = nullptr;
  cudaStream_t stream = nullptr;
  cudaMalloc(&data, size_t{1} << 50);  // @first
  cudaStreamCreateWithFlags(&stream, 77);
  if (!wrong) std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

// Dynamic shared memory beyond what a block may have without asking.
// pair: too_much_shared
// exact: launch @launch -
// contains: kernel shares never ran
// contains: the launch asks for 200000 bytes of dynamic shared memory, and a block may have 49152 bytes
__global__ void shares(int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = buffer[threadIdx.x];
}
PAIR(too_much_shared) {
  const Zeros<int> out(32);
  const int bytes = wrong ? 200000 : 128;
  shares<<<1, 32, bytes>>>(out);  // @launch
}

// An empty grid: what is left over of n / 256 when n is small.
// pair: no_blocks
// exact: launch @launch -
// contains: the grid has no blocks, 0 x 1 x 1
__global__ void tail(int* out) {
  out[threadIdx.x] = 1;
}
PAIR(no_blocks) {
  const int n = 100;
  const Zeros<int> out(256);
  tail<<<wrong ? n / 256 : (n + 255) / 256, 256>>>(out);  // @launch
}

// A block of more threads than there can be, asked for with what cudaGetLastError() said before the launch.
// pair: asked_too_soon
// exact: launch @launch -
__global__ void squares(int* out) {
  out[threadIdx.x] = threadIdx.x * threadIdx.x;
}
PAIR(asked_too_soon) {
  const Zeros<int> out(1024);
  if (wrong && cudaGetLastError() != cudaSuccess) std::printf("no launch\n");
  squares<<<1, wrong ? 2048 : 1024>>>(out);  // @launch
  if (!wrong && cudaGetLastError() != cudaSuccess) std::printf("no launch\n");
}
