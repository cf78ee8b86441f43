// Less usual members of CUB's classes: exchanges in place and within warps, reductions of segments, heads and tails.
#include <cstdio>
#include <cub/cub.cuh>

struct Larger {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct Differs {
  __device__ bool operator()(int a, int b) const { return a != b; }
};

constexpr int threads = 64, items = 2, count = threads * items;

__global__ void exchanges(int* out) {
  using Exchange = cub::BlockExchange<int, threads, items>;
  __shared__ typename Exchange::TempStorage storage;
  const int t = threadIdx.x;
  int x[items], ranks[items], y[items];
  const auto store = [&](int row, const int (&from)[items]) {
    for (int i = 0; i < items; ++i) out[row * count + t * items + i] = from[i];
    __syncthreads();
  };
  for (int i = 0; i < items; ++i) x[i] = t * items + i;
  Exchange(storage).BlockedToStriped(x);
  store(0, x);
  Exchange(storage).StripedToBlocked(x);
  store(1, x);
  Exchange(storage).BlockedToWarpStriped(x);
  store(2, x);
  Exchange(storage).WarpStripedToBlocked(x);
  store(3, x);
  Exchange(storage).BlockedToWarpStriped(x, y);
  store(4, y);
  for (int i = 0; i < items; ++i) ranks[i] = count - 1 - x[i];
  Exchange(storage).ScatterToBlocked(x, ranks);
  store(5, x);
  Exchange(storage).ScatterToStriped(x, ranks);
  store(6, x);
  // Even numbers go to the first half. Odd numbers are dropped.
  bool valid[items];
  for (int i = 0; i < items; ++i) {
    x[i] = t * items + i;
    valid[i] = x[i] % 2 == 0;
    ranks[i] = valid[i] ? x[i] / 2 : -1;
  }
  Exchange(storage).ScatterToStripedGuarded(x, y, ranks);
  y[1] = 0;  // no thread wrote this element
  store(7, y);
  for (int i = 0; i < items; ++i) ranks[i] = threads - 1 - x[i] / 2;
  Exchange(storage).ScatterToStripedFlagged(x, y, ranks, valid);
  y[1] = 0;
  store(8, y);
}

__global__ void segments(int* out) {
  using Reduce = cub::WarpReduce<int>;
  using Half = cub::WarpReduce<int, 16>;
  __shared__ typename Reduce::TempStorage storage[threads / 32];
  __shared__ typename Half::TempStorage halves[threads / 16];
  const int t = threadIdx.x;
  Reduce warp(storage[t / 32]);
  Half half(halves[t / 16]);
  const bool head = t % 5 == 0, tail = t % 7 == 6;
  const int a = warp.HeadSegmentedSum(t, head), b = warp.TailSegmentedSum(t, tail);
  const int c = warp.HeadSegmentedReduce(t % 11, head, Larger());
  const int d = half.TailSegmentedReduce(t % 11, tail, Larger());
  out[t] = head || t % 32 == 0 ? a : 0;
  out[threads + t] = t % 7 == 0 || t % 32 == 0 ? b : 0;
  out[2 * threads + t] = head || t % 32 == 0 ? c : 0;
  out[3 * threads + t] = t % 7 == 0 || t % 16 == 0 ? d : 0;
}

__global__ void heads_and_tails(int* out) {
  using Discontinuity = cub::BlockDiscontinuity<int, threads>;
  __shared__ typename Discontinuity::TempStorage storage;
  const int t = threadIdx.x;
  int x[items], heads[items], tails[items];
  for (int i = 0; i < items; ++i) x[i] = (t * items + i) / 5;
  const auto store = [&](int row) {
    for (int i = 0; i < items; ++i) out[row * count + t * items + i] = heads[i] * 10 + tails[i];
    __syncthreads();
  };
  Discontinuity(storage).FlagHeadsAndTails(heads, tails, x, Differs());
  store(0);
  Discontinuity(storage).FlagHeadsAndTails(heads, 0, tails, x, Differs());
  store(1);
  Discontinuity(storage).FlagHeadsAndTails(heads, tails, 25, x, Differs());
  store(2);
  Discontinuity(storage).FlagHeadsAndTails(heads, 0, tails, 25, x, Differs());
  store(3);
}

__global__ void sorts(int* out) {
  using Sort = cub::BlockRadixSort<int, threads, items, int>;
  __shared__ typename Sort::TempStorage storage;
  const int t = threadIdx.x;
  int keys[items], values[items];
  for (int i = 0; i < items; ++i) {
    values[i] = t * items + i;
    keys[i] = values[i] * 37 % count;
  }
  Sort(storage).SortDescendingBlockedToStriped(keys, values);
  for (int i = 0; i < items; ++i) {
    out[t + i * threads] = keys[i];
    out[count + t + i * threads] = values[i];
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 9 * count * sizeof(int));
  const auto print = [&](const char* what, int rows, int width, int step) {
    const cudaError_t error = cudaDeviceSynchronize();
    printf(error == cudaSuccess ? "%s\n" : "%s: %s\n", what, cudaGetErrorString(error));
    for (int row = 0; row < rows; ++row) {
      for (int i = 0; i < width; i += step) printf("%d ", out[row * width + i]);
      printf("%d\n", out[row * width + width - 1]);
    }
  };
  exchanges<<<1, threads>>>(out);
  print("exchanges", 9, count, 14);
  segments<<<1, threads>>>(out);
  print("segments", 4, threads, 1);
  heads_and_tails<<<1, threads>>>(out);
  print("heads and tails", 4, count, 9);
  sorts<<<1, threads>>>(out);
  print("sorts", 2, count, 16);
}
