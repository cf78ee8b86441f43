// CUB's merge sorts, adjacent differences, shuffles and run-length decoding for a block; sorts, exchanges,
// loads and stores for warps; Thrust's scans by key with the program's own operations, also on zipped values.
#include <thrust/device_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scan.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cstdio>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>
#include <vector>

constexpr int threads = 64, items = 4, count = threads * items;

struct ByLastDigit {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return a % 10 < b % 10;
  }
};
struct Less {
  template <class T>
  __host__ __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};
struct Minus {
  __host__ __device__ int operator()(int a, int b) const { return a - b; }
};

__global__ void sorts(const int* in, int* by_digit, int* places, int* part, int* warps) {
  using Block = cub::BlockMergeSort<int, threads, items, int>;
  using Keys = cub::BlockMergeSort<int, threads, items>;
  using Warp = cub::WarpMergeSort<int, items, 32>;
  __shared__ union {
    Block::TempStorage block;
    Keys::TempStorage keys;
    Warp::TempStorage warp[threads / 32];
  } shared;
  const int t = threadIdx.x;
  int key[items], value[items];
  for (int i = 0; i < items; ++i) key[i] = in[t * items + i], value[i] = t * items + i;
  Block(shared.block).StableSort(key, value, ByLastDigit());
  for (int i = 0; i < items; ++i) by_digit[t * items + i] = key[i], places[t * items + i] = value[i];
  __syncthreads();
  for (int i = 0; i < items; ++i) key[i] = in[t * items + i];
  Keys(shared.keys).Sort(key, Less(), 100, 1 << 20);
  for (int i = 0; i < items; ++i) part[t * items + i] = key[i];
  __syncthreads();
  for (int i = 0; i < items; ++i) key[i] = in[t * items + i];
  Warp(shared.warp[t / 32]).Sort(key, Less());
  for (int i = 0; i < items; ++i) warps[t * items + i] = key[i];
}

__global__ void neighbours(const int* in, int* left, int* right, int* shuffled) {
  using Difference = cub::BlockAdjacentDifference<int, threads>;
  using Shuffle = cub::BlockShuffle<int, threads>;
  __shared__ union {
    Difference::TempStorage difference;
    Shuffle::TempStorage shuffle;
  } shared;
  const int t = threadIdx.x;
  int item[items], out[items];
  for (int i = 0; i < items; ++i) item[i] = in[t * items + i];
  Difference(shared.difference).SubtractLeft(item, out, Minus());
  for (int i = 0; i < items; ++i) left[t * items + i] = out[i];
  __syncthreads();
  Difference(shared.difference).SubtractRight(item, out, Minus(), 1000);
  for (int i = 0; i < items; ++i) right[t * items + i] = out[i];
  __syncthreads();
  int other = -1;
  Shuffle(shared.shuffle).Offset(t, other, 3);
  shuffled[t] = other;
  __syncthreads();
  Shuffle(shared.shuffle).Rotate(t, other, 5);
  shuffled[threads + t] = other;
  __syncthreads();
  out[0] = -1;
  Shuffle(shared.shuffle).Up(item, out);
  shuffled[2 * threads + t] = out[0];
  __syncthreads();
  out[items - 1] = -1;
  Shuffle(shared.shuffle).Down(item, out);
  shuffled[3 * threads + t] = out[items - 1];
}

__global__ void runs(int* decoded, int* places, int* total) {
  using Decode = cub::BlockRunLengthDecode<int, threads, 1, items>;
  __shared__ Decode::TempStorage shared;
  int item[1] = {static_cast<int>(threadIdx.x)}, length[1] = {static_cast<int>(threadIdx.x % 7 + 1)};
  int all = 0;
  Decode decode(shared, item, length, all);
  int out[items] = {};  // elements after the last run do not change
  unsigned place[items] = {};
  decode.RunLengthDecode(out, place, 0);
  for (int i = 0; i < items; ++i) {
    decoded[threadIdx.x * items + i] = out[i];
    places[threadIdx.x * items + i] = static_cast<int>(place[i]);
  }
  if (threadIdx.x == 0) *total = all;
}

__global__ void warps(const int* in, int* exchanged, int* copied) {
  using Exchange = cub::WarpExchange<int, items, 32>;
  using Load = cub::WarpLoad<int, items, cub::WARP_LOAD_TRANSPOSE>;
  using Store = cub::WarpStore<int, items, cub::WARP_STORE_TRANSPOSE>;
  __shared__ Exchange::TempStorage exchange[threads / 32];
  __shared__ Load::TempStorage load[threads / 32];
  __shared__ Store::TempStorage store[threads / 32];
  const int t = threadIdx.x, warp = t / 32;
  int item[items], out[items];
  for (int i = 0; i < items; ++i) item[i] = in[t * items + i];
  Exchange(exchange[warp]).BlockedToStriped(item, out);
  for (int i = 0; i < items; ++i) exchanged[t * items + i] = out[i];
  Load(load[warp]).Load(in + warp * 32 * items, item);
  for (int i = 0; i < items; ++i) item[i] *= 2;
  Store(store[warp]).Store(copied + warp * 32 * items, item);
  if (t == 0) cub::ThreadStore<cub::STORE_CG>(copied, cub::ThreadLoad<cub::LOAD_CA>(copied) + 1);
}

struct Equal {
  __host__ __device__ bool operator()(int a, int b) const { return a / 10 == b / 10; }
};
struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Both {
  using Pair = thrust::tuple<int, float>;
  __host__ __device__ Pair operator()(const Pair& a, const Pair& b) const {
    return thrust::make_tuple(thrust::get<0>(a) + thrust::get<0>(b), thrust::get<1>(a) * thrust::get<1>(b));
  }
};

void scans() {
  const int n = 8, key[n] = {1, 2, 11, 12, 13, 25, 21, 7}, value[n] = {3, 1, 4, 1, 5, 9, 2, 6};
  thrust::device_vector<int> keys(key, key + n), values(value, value + n), out(n), sums(n);
  thrust::device_vector<float> halves(n, 0.5f), products(n);
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), out.begin(), Equal(), Larger());
  for (int i = 0; i < n; ++i) printf("%d ", static_cast<int>(out[i]));
  thrust::exclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), out.begin(), 100, Equal());
  for (int i = 0; i < n; ++i) printf("%d ", static_cast<int>(out[i]));
  const auto in = thrust::make_zip_iterator(thrust::make_tuple(values.begin(), halves.begin()));
  const auto to = thrust::make_zip_iterator(thrust::make_tuple(sums.begin(), products.begin()));
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), in, to, Equal(), Both());
  printf("\n%d %g, %d %g\n", static_cast<int>(sums[4]), static_cast<float>(products[4]), static_cast<int>(sums[7]),
         static_cast<float>(products[7]));
}

int main() {
  int *in, *a, *b, *c, *d;
  for (int** const memory : {&in, &a, &b, &c, &d}) cudaMallocManaged(memory, (count + 1) * sizeof(int));
  for (int i = 0; i < count; ++i) in[i] = i * 37 % 101;
  std::vector<int> order(count), wanted(in, in + count);

  sorts<<<1, threads>>>(in, a, b, c, d);
  cudaDeviceSynchronize();
  for (int i = 0; i < count; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return in[x] % 10 < in[y] % 10; });
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += b[i] != order[i] || a[i] != in[order[i]];
  printf("pairs in a block: %d wrong\n", wrong);
  std::sort(wanted.begin(), wanted.begin() + 100);
  wrong = 0;
  for (int i = 0; i < 100; ++i) wrong += c[i] != wanted[i];
  printf("the first 100: %d wrong\n", wrong);
  wanted.assign(in, in + count);
  std::sort(wanted.begin(), wanted.begin() + count / 2);
  std::sort(wanted.begin() + count / 2, wanted.end());
  wrong = 0;
  for (int i = 0; i < count; ++i) wrong += d[i] != wanted[i];
  printf("warps: %d wrong\n", wrong);

  neighbours<<<1, threads>>>(in, a, b, c);
  cudaDeviceSynchronize();
  wrong = a[0] != in[0];
  for (int i = 1; i < count; ++i) wrong += a[i] != in[i] - in[i - 1];
  for (int i = 0; i < count; ++i) wrong += b[i] != in[i] - (i + 1 < count ? in[i + 1] : 1000);
  printf("differences: %d wrong\n", wrong);
  wrong = 0;
  for (int i = 0; i < threads; ++i) {
    wrong += c[i] != (i + 3 < threads ? i + 3 : -1);
    wrong += c[threads + i] != (i + 5) % threads;
    wrong += c[2 * threads + i] != (i > 0 ? in[i * items - 1] : -1);
    wrong += c[3 * threads + i] != (i + 1 < threads ? in[(i + 1) * items] : -1);
  }
  printf("shuffles: %d wrong\n", wrong);

  runs<<<1, threads>>>(a, b, c);
  cudaDeviceSynchronize();
  wrong = 0;
  int at = 0;
  for (int run = 0; run < threads; ++run)
    for (int i = 0; i < run % 7 + 1; ++i, ++at)
      if (at < count) wrong += a[at] != run || b[at] != i;
  printf("runs: %d wrong of %d\n", wrong, *c == at ? at : -1);

  warps<<<1, threads>>>(in, a, b);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int t = 0; t < threads; ++t)
    for (int i = 0; i < items; ++i) wrong += a[t * items + i] != in[t / 32 * 32 * items + i * 32 + t % 32];
  for (int i = 0; i < count; ++i) wrong += b[i] != in[i] * 2 + (i == 0);
  printf("exchanges, loads and stores: %d wrong\n", wrong);
  for (int* const memory : {in, a, b, c, d}) cudaFree(memory);
  scans();
  return 0;
}
