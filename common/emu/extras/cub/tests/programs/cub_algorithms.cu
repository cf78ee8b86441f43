// CUB in kernels and over the device.
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

struct Greatest {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Before {
  __host__ __device__ bool operator()(const int a, const int b) const { return a % 100 < b % 100; }
};
struct Even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

// The prefix of a scan's next part: the sum of all parts so far.
struct Running {
  int total;
  __device__ int operator()(int part) {
    const int before = total;
    total += part;
    return before;
  }
};

__global__ void block_wide(const int* in, int* out) {
  using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE>;
  using Scan = cub::BlockScan<int, 128>;
  using Reduce = cub::BlockReduce<int, 128>;
  using Sort = cub::BlockRadixSort<int, 128, 4>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
    typename Reduce::TempStorage reduce;
    typename Sort::TempStorage sort;
  } storage;
  int items[4];
  Load(storage.load).Load(in, items);
  __syncthreads();
  const int sum = Reduce(storage.reduce).Sum(items);
  __syncthreads();
  const int greatest = Reduce(storage.reduce).Reduce(items[0], Greatest());
  __syncthreads();
  if (threadIdx.x == 0) out[2048] = sum, out[2049] = greatest;
  int scanned[4], total;
  Scan(storage.scan).ExclusiveSum(items, scanned, total);
  __syncthreads();
  Store(storage.store).Store(out, scanned);
  __syncthreads();
  if (threadIdx.x == 5) out[2050] = total;
  int own = items[0], maximum;
  Scan(storage.scan).InclusiveScan(own, maximum, Greatest());
  __syncthreads();
  if (threadIdx.x == 100) out[2051] = maximum;
  Sort(storage.sort).Sort(items);
  __syncthreads();
  int again[4];  // a Store that transposes changes the order of its items
  for (int i = 0; i < 4; ++i) again[i] = items[i];
  Store(storage.store).Store(out + 512, items);
  __syncthreads();
  Sort(storage.sort).SortDescending(again, 0, 4);
  __syncthreads();
  Store(storage.store).Store(out + 1024, again);
}

__global__ void in_parts(const int* in, int* out, int n) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ typename Scan::TempStorage storage;
  Running running{0};
  for (int begin = 0; begin < n; begin += 64) {
    int value = in[begin + threadIdx.x];
    Scan(storage).InclusiveSum(value, value, running);
    __syncthreads();
    out[begin + threadIdx.x] = value;
  }
}

__global__ void warp_wide(const int* in, int* out) {
  using Reduce = cub::WarpReduce<int>;
  using Scan = cub::WarpScan<int, 16>;
  __shared__ typename Reduce::TempStorage reduce[2];
  __shared__ typename Scan::TempStorage scan[4];
  const int value = in[threadIdx.x];
  const int sum = Reduce(reduce[threadIdx.x / 32]).Sum(value);
  int below, total;
  Scan(scan[threadIdx.x / 16]).ExclusiveSum(value, below, total);
  out[threadIdx.x] = below + total * 1000;
  if (threadIdx.x % 32 == 0) out[64 + threadIdx.x / 32] = sum;
}

template <typename Call>
void twice(const char* name, Call call) {
  void* storage = nullptr;
  size_t bytes = 0;
  call(storage, bytes);
  cudaMalloc(&storage, bytes);
  const cudaError_t error = call(storage, bytes);
  cudaDeviceSynchronize();
  cudaFree(storage);
  if (error != cudaSuccess) printf("%s: %s\n", name, cudaGetErrorString(error));
}
template <typename T>
void show(const char* name, const T* values, std::vector<int> which) {
  printf("%s", name);
  for (const int i : which) printf(" %g", static_cast<double>(values[i]));
  printf("\n");
}

int main() {
  const int n = 10000;
  int *in, *out, *more, *found;
  float *reals, *sorted;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  cudaMallocManaged(&more, n * sizeof *more);
  cudaMallocManaged(&found, 16 * sizeof *found);
  cudaMallocManaged(&reals, n * sizeof *reals);
  cudaMallocManaged(&sorted, n * sizeof *sorted);
  for (int i = 0; i < n; ++i) {
    in[i] = i * 7919 % 1009 - 300;
    reals[i] = static_cast<float>(in[i]) * (i % 3 == 0 ? -0.5f : 0.25f);
  }

  block_wide<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  show("block", out, {0, 1, 2, 511, 512, 513, 700, 1023, 1024, 1025, 1300, 1535, 2048, 2049, 2050, 2051});
  in_parts<<<1, 64>>>(in, out, 640);
  cudaDeviceSynchronize();
  show("parts", out, {0, 63, 64, 300, 639});
  warp_wide<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  show("warp", out, {0, 1, 15, 16, 31, 63, 64, 65});

  twice("sum", [&](void* s, size_t& b) { return cub::DeviceReduce::Sum(s, b, in, found, n); });
  twice("max", [&](void* s, size_t& b) { return cub::DeviceReduce::Max(s, b, in, found + 1, n); });
  twice("min", [&](void* s, size_t& b) { return cub::DeviceReduce::Min(s, b, in, found + 2, n); });
  twice("reduce",
        [&](void* s, size_t& b) { return cub::DeviceReduce::Reduce(s, b, in, found + 3, n, Greatest(), 5); });
  show("reduced", found, {0, 1, 2, 3});
  twice("scan", [&](void* s, size_t& b) { return cub::DeviceScan::ExclusiveSum(s, b, in, out, n); });
  show("exclusive", out, {0, 1, 2, 5000, 9999});
  twice("scan",
        [&](void* s, size_t& b) { return cub::DeviceScan::InclusiveScan(s, b, in, out, Greatest(), n); });
  show("greatest so far", out, {0, 1, 2, 5000, 9999});
  twice("sort", [&](void* s, size_t& b) { return cub::DeviceRadixSort::SortKeys(s, b, reals, sorted, n); });
  show("sorted", sorted, {0, 1, 2, 5000, 9999});
  for (int i = 0; i < n; ++i) more[i] = i;
  int* order;
  cudaMallocManaged(&order, n * sizeof *order);
  twice("pairs", [&](void* s, size_t& b) {
    return cub::DeviceRadixSort::SortPairsDescending(s, b, in, out, more, order, n);
  });
  show("keys", out, {0, 1, 2, 5000, 9999});
  show("values", order, {0, 1, 2, 5000, 9999});
  twice("select", [&](void* s, size_t& b) { return cub::DeviceSelect::If(s, b, in, out, found, n, Even()); });
  show("even", out, {0, 1, 2, 3, found[0] - 1});
  show("how many", found, {0});
  for (int i = 0; i < n; ++i) more[i] = i * i / 50 % 40;
  twice("unique", [&](void* s, size_t& b) { return cub::DeviceSelect::Unique(s, b, more, out, found, 300); });
  show("unique", out, {0, 1, 10, found[0] - 1});
  twice("runs", [&](void* s, size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(s, b, more, out, order, found + 1, 300);
  });
  show("runs", order, {0, 1, 2, found[1] - 1});
  twice("by key", [&](void* s, size_t& b) {
    return cub::DeviceReduce::ReduceByKey(s, b, more, out, in, order, found + 2, Greatest(), 300);
  });
  show("by key", order, {0, 1, 2, found[2] - 1});
  twice("histogram", [&](void* s, size_t& b) {
    return cub::DeviceHistogram::HistogramEven(s, b, in, found, 9, -300, 708, n);
  });
  show("histogram", found, {0, 1, 2, 3, 4, 5, 6, 7});
  int* offsets;
  cudaMallocManaged(&offsets, 5 * sizeof *offsets);
  for (int i = 0; i < 5; ++i) offsets[i] = i * i * 100;
  twice("segments", [&](void* s, size_t& b) {
    return cub::DeviceSegmentedReduce::Sum(s, b, in, found, 4, offsets, offsets + 1);
  });
  show("segments", found, {0, 1, 2, 3});
  twice("segmented sort", [&](void* s, size_t& b) {
    return cub::DeviceSegmentedSort::SortKeysDescending(s, b, in, out, n, 4, offsets, offsets + 1);
  });
  show("each segment sorted", out, {0, 99, 100, 399, 400, 899, 900, 1599});
  for (int i = 0; i < n; ++i) more[i] = i;
  cub::DoubleBuffer<int> keys(in, out), values(more, order);
  twice("segmented pairs", [&](void* s, size_t& b) {
    return cub::DeviceSegmentedRadixSort::SortPairs(s, b, keys, values, n, 4, offsets, offsets + 1, 0, 4);
  });
  show("by four bits", keys.Current(), {0, 1, 98, 99, 100, 101, 398, 399, 1598, 1599});
  show("their values", values.Current(), {0, 1, 98, 99, 100, 101, 398, 399, 1598, 1599});
  for (int i = 0; i < n; ++i) more[i] = n - i;
  twice("merge sort",
        [&](void* s, size_t& b) { return cub::DeviceMergeSort::StableSortPairs(s, b, in, more, n, Before()); });
  show("merge sorted", in, {0, 1, 2, 5000, 9999});
  show("their values", more, {0, 1, 2, 5000, 9999});

  // More than the memory that kernels may allocate.
  const int many = 1 << 20;
  int *large, *large_sorted;
  cudaMallocManaged(&large, many * sizeof *large);
  cudaMallocManaged(&large_sorted, many * sizeof *large_sorted);
  for (int i = 0; i < many; ++i) large[i] = (int)(i * 2654435761u >> 4);
  twice("large sort",
        [&](void* s, size_t& b) { return cub::DeviceRadixSort::SortKeys(s, b, large, large_sorted, many); });
  int in_order = 1;
  for (int i = 1; i < many; ++i) in_order += large_sorted[i - 1] <= large_sorted[i];
  printf("large sort: %d of %d in order\n", in_order, many);
  size_t none = 0;
  const cudaError_t small = cub::DeviceRadixSort::SortKeys((void*)large, none, in, out, n);
  printf("sort without room: %s\n", cudaGetErrorName(small));
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
