// cuda::std in C++17 programs also has functions that the host's library has only since C++20.
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

__device__ cuda::std::atomic<int> counter;

__device__ int sum(cuda::std::span<const int> values) {
  int total = 0;
  for (int value : values) total += value;
  return total;
}

__global__ void spans(const int* values, int n) {
  cuda::std::span<const int> all(values, n);
  cuda::std::array<int, 4> few{{4, 3, 2, 1}};
  int raw[3] = {10, 20, 30};
  cuda::std::span<int, 3> three(raw);
  printf("%d %d %d\n", sum(all), sum(few), sum(three));
  printf("%d %d %d\n", sum(all.first(3)), sum(all.last(2)), sum(all.subspan(1, 2)));
  printf("%d %d %d %d\n", (int)three.size(), (int)three.size_bytes(), all.front(), all.back());
  static_assert(cuda::std::is_same_v<decltype(three)::element_type, int>);
  static_assert(decltype(three)::extent == 3 && decltype(all)::extent == cuda::std::dynamic_extent);
}

__global__ void bits(unsigned x) {
  printf("%d %d %d %d %d\n", cuda::std::popcount(x), cuda::std::countl_zero(x), cuda::std::countr_zero(x),
         cuda::std::countl_one(~x), cuda::std::countr_one((unsigned char)7));
  printf("%d %u %u %d\n", (int)cuda::std::has_single_bit(x), cuda::std::bit_floor(x), cuda::std::bit_ceil(x),
         cuda::std::countl_zero((unsigned short)1));
  printf("%x %x %x\n", cuda::std::rotl(x, 8), cuda::std::rotr(x, 4), cuda::std::bit_cast<unsigned>(1.0f));
}

__global__ void others() {
  counter.fetch_add(1, cuda::std::memory_order_relaxed);
  if (threadIdx.x != 0) return;
  auto tuple = cuda::std::make_tuple(1, 2.5f);
  cuda::std::optional<int> maybe;
  if (!maybe) maybe = 4;
  printf("%d %g %d %d\n", cuda::std::get<0>(tuple), cuda::std::get<1>(tuple), *maybe,
         cuda::std::numeric_limits<short>::max());
  const auto begin = cuda::std::chrono::high_resolution_clock::now();
  const auto end = cuda::std::chrono::high_resolution_clock::now();
  printf("%d\n", (end - begin).count() >= 0);
}

int main() {
  int *values, count = 0;
  cudaMallocManaged(&values, 6 * sizeof(int));
  for (int i = 0; i < 6; ++i) values[i] = i * i;
  spans<<<1, 1>>>(values, 6);
  bits<<<1, 1>>>(0x00012300);
  others<<<1, 64>>>();
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  printf("%d\n", count);
  return 0;
}
