// Kernels on the emulation beside the same loops in plain OpenMP C++, in one run: the ratio is what the
// emulation costs. Products: 512 × 512; reduction and addition: 16 M floats, blocks of 256; sizes can be cut
// with CUEMU_BENCH_N.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <vector>

#include "cuda_runtime.h"

namespace {

constexpr unsigned tile = 16;
constexpr unsigned block = 256;

int product_size() {
  return 512;
}
int vector_size() {
  const char* const wish = std::getenv("CUEMU_BENCH_N");
  return wish != nullptr ? std::atoi(wish) : 1 << 24;
}

void naive_product(const float* a, const float* b, float* c, int n) {
  ::cuemu::kernel_entry(::cuemu::KernelInfo{"naive_product"}, [=](CUEMU_KERNEL_PARAMS) mutable -> void {
    const int col = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (row >= n || col >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  });
}

void tiled_product(const float* a, const float* b, float* c, int n) {
  ::cuemu::kernel_entry(::cuemu::KernelInfo{"tiled_product"}, [=](CUEMU_KERNEL_PARAMS) mutable -> void {
    auto& as = ::cuemu::shared<float[tile][tile], struct tiled_a>();
    auto& bs = ::cuemu::shared<float[tile][tile], struct tiled_b>();
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx,
                   size = static_cast<unsigned>(n);
    float sum = 0;
    for (unsigned m = 0; m < size; m += tile) {
      as[ty][tx] = a[row * size + m + tx];
      bs[ty][tx] = b[(m + ty) * size + col];
      __syncthreads();
      for (unsigned k = 0; k < tile; ++k) sum += as[ty][k] * bs[k][tx];
      __syncthreads();
    }
    c[row * size + col] = sum;
  });
}

void tree_reduction(const float* in, float* out) {
  ::cuemu::kernel_entry(::cuemu::KernelInfo{"tree_reduction"}, [=](CUEMU_KERNEL_PARAMS) mutable -> void {
    auto& s = ::cuemu::shared<float[block], struct tree_s>();
    s[threadIdx.x] = in[blockIdx.x * block + threadIdx.x];
    __syncthreads();
    for (unsigned stride = block / 2; stride > 0; stride /= 2) {
      if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
      __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
  });
}

template <unsigned Flags>
void vector_addition(const float* a, const float* b, float* c, int n) {
  ::cuemu::kernel_entry<Flags>(::cuemu::KernelInfo{"vector_addition"},
                               [=](CUEMU_KERNEL_PARAMS) mutable -> void {
                                 const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
                                 if (i < n) c[i] = a[i] + b[i];
                               });
}

void nothing() {
  ::cuemu::kernel_entry(::cuemu::KernelInfo{"nothing"}, [=](CUEMU_KERNEL_PARAMS) mutable -> void {});
}

/// Three device arrays of n floats, set to small numbers.
struct Arrays {
  explicit Arrays(int n) {
    const std::vector<float> values(static_cast<std::size_t>(n), 1.5f);
    for (float** array : {&a, &b, &c}) {
      cudaMalloc(array, values.size() * sizeof(float));
      cudaMemcpy(*array, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
    }
  }
  ~Arrays() {
    for (float* array : {a, b, c}) cudaFree(array);
  }
  float *a = nullptr, *b = nullptr, *c = nullptr;
};

void count_elements(benchmark::State& state, long long per_iteration) {
  state.SetItemsProcessed(static_cast<long long>(state.iterations()) * per_iteration);
}

void emu_naive(benchmark::State& state) {
  const int n = product_size();
  const Arrays d(n * n);
  const unsigned blocks = static_cast<unsigned>(n) / tile;
  for (auto _ : state) {
    (::cuemu::push_launch(dim3(blocks, blocks), dim3(tile, tile)), naive_product(d.a, d.b, d.c, n));
    cudaDeviceSynchronize();
  }
  count_elements(state, 1LL * n * n);
}

void emu_tiled(benchmark::State& state) {
  const int n = product_size();
  const Arrays d(n * n);
  const unsigned blocks = static_cast<unsigned>(n) / tile;
  for (auto _ : state) {
    (::cuemu::push_launch(dim3(blocks, blocks), dim3(tile, tile)), tiled_product(d.a, d.b, d.c, n));
    cudaDeviceSynchronize();
  }
  count_elements(state, 1LL * n * n);
}

void plain_product_ijk(benchmark::State& state) {
  const int n = product_size();
  std::vector<float> a(static_cast<std::size_t>(n) * n, 1.5f), b = a, c = a;
  for (auto _ : state) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
      }
    benchmark::DoNotOptimize(c.data());
  }
  count_elements(state, 1LL * n * n);
}

void plain_product_ikj(benchmark::State& state) {
  const int n = product_size();
  std::vector<float> a(static_cast<std::size_t>(n) * n, 1.5f), b = a, c = a;
  for (auto _ : state) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
      float* const row = &c[i * n];
      for (int j = 0; j < n; ++j) row[j] = 0;
      for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j) row[j] += a[i * n + k] * b[k * n + j];
    }
    benchmark::DoNotOptimize(c.data());
  }
  count_elements(state, 1LL * n * n);
}

void emu_reduction(benchmark::State& state) {
  const int n = vector_size();
  const Arrays d(n);
  for (auto _ : state) {
    (::cuemu::push_launch(static_cast<unsigned>(n) / block, block), tree_reduction(d.a, d.b));
    cudaDeviceSynchronize();
  }
  count_elements(state, n);
}

void plain_reduction(benchmark::State& state) {
  const int n = vector_size();
  const std::vector<float> a(static_cast<std::size_t>(n), 1.5f);
  for (auto _ : state) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += a[i];
    benchmark::DoNotOptimize(sum);
  }
  count_elements(state, n);
}

template <unsigned Flags>
void emu_addition(benchmark::State& state) {
  const int n = vector_size();
  const Arrays d(n);
  for (auto _ : state) {
    (::cuemu::push_launch((static_cast<unsigned>(n) + block - 1) / block, block),
     vector_addition<Flags>(d.a, d.b, d.c, n));
    cudaDeviceSynchronize();
  }
  count_elements(state, n);
}

void plain_addition(benchmark::State& state) {
  const int n = vector_size();
  const std::vector<float> a(static_cast<std::size_t>(n), 1.5f), b = a;
  std::vector<float> c = a;
  for (auto _ : state) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
    benchmark::DoNotOptimize(c.data());
  }
  count_elements(state, n);
}

void emu_tiny_launches(benchmark::State& state) {
  for (auto _ : state) {
    for (int i = 0; i < 100; ++i) (::cuemu::push_launch(1, 32), nothing());
    cudaDeviceSynchronize();
  }
  count_elements(state, 100);
}

BENCHMARK(emu_naive)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(plain_product_ijk)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(emu_tiled)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(plain_product_ikj)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(emu_reduction)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(plain_reduction)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(emu_addition<::cuemu::no_flags>)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(emu_addition<::cuemu::plain_loop>)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(plain_addition)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(emu_tiny_launches)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
