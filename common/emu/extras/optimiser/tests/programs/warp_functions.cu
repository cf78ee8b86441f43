// Warp functions that all lanes of a warp certainly call together: in the kernel, in branches and loops of
// whole warps, in functions.
#include <cstdio>

constexpr int warp_width = 32;
constexpr unsigned all_lanes = 0xffffffffu;
#define CHECK(call) \
  if ((call) != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(cudaGetLastError()))

__device__ int sum_of_warp(int value) {
  for (int distance = warp_width / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(all_lanes, value, distance);
  return value;
}

template <class T>
__device__ __forceinline__ T largest(unsigned mask, T value) {
#pragma unroll
  for (int bits = warpSize / 2; bits > 0; bits >>= 1) {
    const T other = __shfl_xor_sync(mask, value, bits);
    value = other > value ? other : value;
  }
  return value;
}

// Returns the sum over the lanes up to the calling lane.
__device__ int scan_of_warp(int value) {
  const int lane = (threadIdx.x + threadIdx.y * blockDim.x) % warp_width;
  for (int distance = 1; distance < warp_width; distance *= 2) {
    const int below = __shfl_up_sync(all_lanes, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

// Sums the values of a block: each warp sums its values, then the first warp adds these sums.
__global__ void block_sums(const int* in, int* out, int n) {
  __shared__ int sums[warp_width];
  const int lane = threadIdx.x % warp_width, warp = threadIdx.x / warp_width;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  if (i < n) sum = in[i];
  sum = sum_of_warp(sum);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = sum_of_warp(lane < static_cast<int>(blockDim.x) / warp_width ? sums[lane] : 0);
    if (lane == 0) out[blockIdx.x] = sum;
  }
}

// Each warp handles one row. The warps of the grid take the rows in turn.
__global__ void rows(const int* in, int* out, int rows, int columns) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  const int warps = gridDim.x * blockDim.x / warpSize;
  const unsigned lane = threadIdx.x & 31u;
  for (int row = warp; row < rows; row += warps) {
    int best = -1;
    for (int column = static_cast<int>(lane); column < columns; column += warpSize)
      best = max(best, in[row * columns + column]);
    best = largest(all_lanes, best);
    const unsigned odd = __ballot_sync(all_lanes, (in[row * columns] + lane) & 1u);
    if (lane == 0) out[row] = best * 100 + __popc(odd);
  }
}

// Scans (inclusively) a block whose threads are numbered by rows and columns.
__global__ void block_scan(const int* in, int* out) {
  __shared__ int ends[warp_width];
  const int thread = threadIdx.x + threadIdx.y * blockDim.x;
  int value = scan_of_warp(in[blockIdx.x * 128 + thread]);
  if (thread % warp_width == warp_width - 1) ends[thread / warp_width] = value;
  __syncthreads();
  if (thread / warp_width == 0) {
    const int total = scan_of_warp(thread < 4 ? ends[thread] : 0);
    __syncwarp();
    ends[thread] = total;
  }
  __syncthreads();
  if (thread >= warp_width) value += ends[thread / warp_width - 1];
  out[blockIdx.x * 128 + thread] = value;
}

// Moves odd values to the front in their order, by votes and one atomic for each warp.
__global__ void pack(const int* in, int* out, int* count) {
  const int lane = threadIdx.x % 32, value = in[threadIdx.x];
  const unsigned odd = __ballot_sync(all_lanes, value % 2);
  if (__any_sync(all_lanes, value > 15)) atomicAdd(count + 1, lane == 0);
  int at = 0;
  if (lane == 0) at = atomicAdd(count, __popc(odd));
  at = __shfl_sync(all_lanes, at, 0) + __popc(odd & ((1u << lane) - 1u));
  if (value % 2) out[at] = value;
}

// Reverses segments of eight lanes, and prints the result of each kind of reduction.
__global__ void segments(const int* in, int* out) {
  const int lane = threadIdx.x % 32;
  int value = in[threadIdx.x];
  value += 100 * __shfl_sync(all_lanes, value, 7 - lane % 8, 8);
  value += __reduce_max_sync(all_lanes, lane) * 10000;
  const unsigned bits = __reduce_or_sync(all_lanes, 1u << (lane & 7));
  out[threadIdx.x] = value + static_cast<int>(bits) * 1000000;
}

int main() {
  constexpr int n = 1024;
  int *in, *out;
  CHECK(cudaMallocManaged(&in, n * sizeof(int)));
  CHECK(cudaMallocManaged(&out, n * sizeof(int)));
  for (int i = 0; i < n; ++i) in[i] = (i * 37 + i / 32) % 19;
  const auto show = [&](const char* name, int count, int step) {
    CHECK(cudaDeviceSynchronize());
    printf("%s:", name);
    for (int i = 0; i < count; i += step) printf(" %d", out[i]);
    printf("\n");
  };
  block_sums<<<6, 192>>>(in, out, 1000);
  show("block sums", 6, 1);
  rows<<<2, 96>>>(in, out, 20, 7);
  show("rows", 20, 1);
  block_scan<<<8, 128>>>(in, out);
  show("scan, 128 in a row", n, 61);
  block_scan<<<8, dim3(16, 8)>>>(in, out);
  show("scan, 16 in a row", n, 61);
  CHECK(cudaMemset(out, 0, n * sizeof(int)));
  pack<<<1, 32>>>(in, out, out + 32);
  show("packed", 34, 1);
  segments<<<1, 64>>>(in, out);
  show("segments", 64, 9);
  return 0;
}
