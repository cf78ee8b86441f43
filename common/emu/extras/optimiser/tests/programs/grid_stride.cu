// Loops that stride by the grid. The threads of a block may run their iterations one after another: sums and counts, counters
// of several types, blocks of two dimensions, and threads with more iterations than others, with none, or that have returned.
// In some loops the order of threads is visible within a block, so it must not change.
#include <cstdio>
#include <vector>

__device__ unsigned block_sum(unsigned value) {
  __shared__ unsigned part[128];
  const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x;
  part[tid] = value;
  __syncthreads();
  for (unsigned s = blockDim.x * blockDim.y / 2; s > 0; s >>= 1) {
    if (tid < s) part[tid] += part[tid + s];
    __syncthreads();
  }
  return part[0];
}

__global__ void sum(const unsigned* in, int n, unsigned* out) {
  unsigned mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned x = in[i];
    if (x % 3 != 0) mine += x;
  }
  const unsigned all = block_sum(mine);
  if (threadIdx.x == 0) atomicAdd(out, all);
}

__global__ void sum_by_shuffles(const unsigned* in, size_t n, unsigned* out) {
  __shared__ unsigned sums[4];
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  unsigned mine = 0;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    mine ^= in[i] * 7u;
  for (int d = 16; d > 0; d /= 2) mine ^= __shfl_xor_sync(0xffffffffu, mine, d);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x < blockDim.x / 32) atomicXor(out, sums[threadIdx.x]);
}

/// threadIdx.y selects rows, threadIdx.x columns. A row's number determines how many columns it has.
__global__ void sum_of_triangle(const unsigned* in, int n, unsigned* out) {
  unsigned mine = 0;
  for (short row = blockIdx.y * blockDim.y + threadIdx.y; row < n; row += gridDim.y * blockDim.y)
    for (int column = threadIdx.x; column <= row; column += blockDim.x) mine += in[row * n + column];
  const unsigned all = block_sum(mine);
  if (threadIdx.x == 0 && threadIdx.y == 0) atomicAdd(out, all);
}

__global__ void histogram(const unsigned* in, int n, unsigned* out) {
  __shared__ unsigned counts[16];
  __shared__ int largest;
  if (threadIdx.x < 16) counts[threadIdx.x] = 0;
  if (threadIdx.x == 0) largest = -1;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&counts[in[i] % 16], 1u);
    atomicMax(&largest, static_cast<int>(in[i] % 1000));
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], counts[threadIdx.x]);
  if (threadIdx.x == 16) atomicMax(&out[16], static_cast<unsigned>(largest));
}

/// Threads that have returned run no iteration.
__global__ void some_threads(const unsigned* in, int n, unsigned* out) {
  __shared__ unsigned total;
  if (threadIdx.x == 0) total = 0;
  if (threadIdx.x % 3 == 1) return;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 5 * gridDim.x) atomicAdd(&total, in[i] % 8);
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}

/// Uses the old value: each number is returned once, in any order.
__global__ void tickets(int n, unsigned* out) {
  __shared__ int next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 32 * gridDim.x) {
    const int mine = atomicAdd(&next, 1);
    atomicAdd(&out[mine], 1u);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[n] = next;
}

/// Writes the elements that it reads, one by one, and leaves the loop in the middle.
__global__ void in_place(unsigned* a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (i % 100 == 99) break;
    a[i] = a[i] * 3 + 1;
  }
  __syncthreads();
}

int main() {
  constexpr int n = 10007, side = 90;
  std::vector<unsigned> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned>(i) * 2654435761u >> 12;
  unsigned *in, *out;
  cudaMalloc(&in, n * sizeof *in);
  cudaMalloc(&out, 1000 * sizeof *out);
  cudaMemcpy(in, host.data(), n * sizeof *in, cudaMemcpyHostToDevice);
  const auto print = [&](const char* name, int count) {
    std::vector<unsigned> result(count);
    cudaMemcpy(result.data(), out, count * sizeof *out, cudaMemcpyDeviceToHost);
    std::printf("%s:", name);
    for (const unsigned each : result) std::printf(" %u", each);
    std::printf("\n");
    cudaMemset(out, 0, 1000 * sizeof *out);
  };
  cudaMemset(out, 0, 1000 * sizeof *out);
  for (const int threads : {32, 64, 128}) {
    sum<<<3, threads>>>(in, n, out);
    print("sum", 1);
    sum_by_shuffles<<<5, threads>>>(in, n, out);
    print("sum by shuffles", 1);
    histogram<<<2, threads>>>(in, n, out);
    print("histogram", 17);
  }
  sum<<<4, 128>>>(in, 100, out);  // most threads run no iteration
  print("sum of few", 1);
  sum_of_triangle<<<dim3(1, 2), dim3(16, 4)>>>(in, side, out);
  print("triangle", 1);
  some_threads<<<1, 100>>>(in, 1000, out);
  print("some threads", 1);
  tickets<<<1, 32>>>(40, out);
  print("tickets", 41);
  in_place<<<2, 64>>>(in, n);
  cudaMemcpy(host.data(), in, n * sizeof *in, cudaMemcpyDeviceToHost);
  unsigned all = 0;
  for (int i = 0; i < n; ++i) all = all * 31 + host[i];
  std::printf("in place: %u\n", all);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
