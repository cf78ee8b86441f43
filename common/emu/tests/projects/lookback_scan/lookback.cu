// Single-pass inclusive prefix sum with decoupled look-back (Merrill & Garland 2016).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpu {
inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}
template <typename T>
struct Deleter {
  void operator()(T* p) const { cudaFree(p); }
};
template <typename T>
using unique_ptr = std::unique_ptr<T[], Deleter<T>>;
template <typename T>
unique_ptr<T> make(std::size_t n) {
  T* p = nullptr;
  check(cudaMalloc(&p, n * sizeof(T)), "cudaMalloc");
  return unique_ptr<T>(p);
}
}  // namespace gpu

enum class Status : uint32_t { invalid = 0, aggregate = 1, prefix = 2 };

// Status and value share one 64-bit word so that they are published together.
struct alignas(8) TileState {
  Status status;
  uint32_t value;
};
union Packed {
  TileState state;
  unsigned long long word;
  __device__ Packed() : word(0) {}
};

__device__ __forceinline__ void publish(unsigned long long* tiles, int tile, Status status, uint32_t value) {
  Packed p;
  p.state.status = status;
  p.state.value = value;
  __threadfence();
  atomicExch(&tiles[tile], p.word);
}

template <int kThreads, int kItems>
__global__ void __launch_bounds__(kThreads) scan_kernel(const uint32_t* __restrict__ in, uint32_t* __restrict__ out, int n,
                                                        unsigned long long* tiles, unsigned int* counter) {
  static_assert(kThreads % 32 == 0, "whole warps");
  __shared__ uint32_t warp_sums[kThreads / 32];
  __shared__ int s_tile;
  __shared__ uint32_t s_exclusive;

  if (threadIdx.x == 0) s_tile = atomicAdd(counter, 1u);  // tiles in the order blocks really start
  __syncthreads();
  const int tile = s_tile;
  const int first = (tile * kThreads + threadIdx.x) * kItems;

  uint32_t items[kItems];
  uint32_t thread_sum = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    items[i] = first + i < n ? in[first + i] : 0u;
    thread_sum += items[i];
  }
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  uint32_t inclusive = thread_sum;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    const uint32_t other = __shfl_up_sync(0xffffffffu, inclusive, d);
    if (lane >= static_cast<unsigned>(d)) inclusive += other;
  }
  if (lane == 31) warp_sums[warp] = inclusive;
  __syncthreads();
  uint32_t before = 0, total = 0;
  for (int w = 0; w < kThreads / 32; ++w) {
    if (w < static_cast<int>(warp)) before += warp_sums[w];
    total += warp_sums[w];
  }

  if (warp == 0) {
    uint32_t exclusive = 0;
    if (tile == 0) {
      if (lane == 0) publish(tiles, 0, Status::prefix, total);
    } else {
      if (lane == 0) publish(tiles, tile, Status::aggregate, total);
      int look = tile - 1 - static_cast<int>(lane);
      for (;;) {  // each lane watches one predecessor
        Packed p;
        do {
          p.word = look >= 0 ? *(volatile unsigned long long*)&tiles[look] : static_cast<unsigned long long>(Status::prefix);
        } while (__any_sync(0xffffffffu, p.state.status == Status::invalid));
        const unsigned done = __ballot_sync(0xffffffffu, p.state.status == Status::prefix);
        const int stop = done ? __ffs(done) - 1 : 31;
        uint32_t value = static_cast<int>(lane) <= stop ? p.state.value : 0u;
        for (int d = 16; d > 0; d >>= 1) value += __shfl_xor_sync(0xffffffffu, value, d);
        exclusive += value;
        if (done) break;
        look -= 32;
      }
      if (lane == 0) publish(tiles, tile, Status::prefix, exclusive + total);
    }
    if (lane == 0) s_exclusive = exclusive;
  }
  __syncthreads();
  uint32_t running = s_exclusive + before + inclusive - thread_sum;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    running += items[i];
    if (first + i < n) out[first + i] = running;
  }
}

int main() try {
  constexpr int threads = 128, items = 8;
  bool all = true;
  for (int n : {1, 31, 1024, 1025, 50'000, 400'003}) {
    std::mt19937 generator(n);
    std::vector<uint32_t> host(n), expected(n), result(n);
    std::generate(host.begin(), host.end(), [&] { return generator() & 0xff; });
    std::partial_sum(host.begin(), host.end(), expected.begin());
    auto in = gpu::make<uint32_t>(n), out = gpu::make<uint32_t>(n);
    const int tiles = (n + threads * items - 1) / (threads * items);
    auto state = gpu::make<unsigned long long>(tiles);
    auto counter = gpu::make<unsigned int>(1);
    gpu::check(cudaMemset(state.get(), 0, tiles * sizeof(unsigned long long)), "memset");
    gpu::check(cudaMemset(counter.get(), 0, sizeof(unsigned int)), "memset");
    gpu::check(cudaMemcpy(in.get(), host.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice), "copy in");
    scan_kernel<threads, items><<<tiles, threads>>>(in.get(), out.get(), n, state.get(), counter.get());
    gpu::check(cudaGetLastError(), "launch");
    gpu::check(cudaMemcpy(result.data(), out.get(), n * sizeof(uint32_t), cudaMemcpyDeviceToHost), "copy out");
    const bool ok = result == expected;
    all = all && ok;
    std::printf("%7d elements in %4d tiles: %s\n", n, tiles, ok ? "correct" : "WRONG");
  }
  return all ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
