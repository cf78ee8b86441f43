// cub_reduction.cu: the sums of this lab beside that of CUB, the library that comes with the CUDA toolkit.
//
// Built in a level's folder, with your reductionArray and the expert's kernel; all in one line. (emucc takes
// the same line; but times mean something on a GPU only.)
//
//   nvcc -std=c++17 -O3 -arch=native -I $KIT/common/lab/include -I . -o cub_reduction
//        ../peer/cub_reduction.cu reduction_largearray_kernel.cu reduction_expert.cu
//   ./cub_reduction [n]…
//
// For each n every result is verified first. Then a sample is the time of several runs back to back, between
// two events, over their number, so that the launch of one is hidden behind the run of another. The three
// take their samples in turn, and the medians are printed. Each run reads the array once: GB/s are 4 n /
// time.
#include <cub/cub.cuh>
#include <lab/gpu_timer.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "reduction_largearray.h"

namespace {

constexpr int samples = 25;

// data[i] = 0, 1 or 2, by a hash of i. The copy to the host and its sum would take longer than all else here.
__global__ void fill(float* data, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned hash = (i * 2654435761u) ^ (i >> 15);
    data[i] = static_cast<float>((hash >> 7) % 3);
  }
}

// The same numbers added up as integers.
double rightSum(unsigned n) {
  unsigned long long sum = 0;
  for (unsigned i = 0; i < n; ++i) sum += ((((i * 2654435761u) ^ (i >> 15)) >> 7) % 3);
  return static_cast<double>(sum);
}

struct Contestant {
  const char* name;
  std::function<void()> run;
  std::vector<double> ms;

  double median() {
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
  }
};

void compete(int n) {
  float *in = nullptr, *out = nullptr, *scratch = nullptr;
  void* cub_memory = nullptr;
  std::size_t cub_bytes = 0;
  CUDA_CHECK(cudaMalloc(&in, sizeof(float) * n));
  CUDA_CHECK(cudaMalloc(&out, sizeof(float) * blocksFor(n)));
  CUDA_CHECK(cudaMalloc(&scratch, sizeof(float) * blocksFor(blocksFor(n))));
  CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, cub_bytes, in, out, n));
  CUDA_CHECK(cudaMalloc(&cub_memory, cub_bytes));
  fill<<<1024, 256>>>(in, n);
  CUDA_CHECK_LAUNCH();

  Contestant contestants[] = {
      {"lab", [&] { reductionArray(out, scratch, in, n); }, {}},
      {"expert", [&] { reductionExpert(out, scratch, in, n); }, {}},
      {"CUB", [&] { CUDA_CHECK(cub::DeviceReduce::Sum(cub_memory, cub_bytes, in, out, n)); }, {}},
  };

  const double right = rightSum(n);
  for (Contestant& one : contestants) {
    float sum = NAN;
    CUDA_CHECK(cudaMemset(out, 0xff, sizeof(float)));
    one.run();
    CUDA_CHECK(cudaMemcpy(&sum, out, sizeof(float), cudaMemcpyDeviceToHost));
    if (!(std::fabs(sum - right) <= 2e-6 * right)) {
      std::fprintf(stderr, "%s, n = %d: the sum is %.1f, but should be %.1f\n", one.name, n, sum, right);
      std::exit(1);
    }
  }

  const int runs = std::clamp(static_cast<int>((1 << 28) / static_cast<unsigned>(n)), 2, 20);
  lab::GpuTimer timer;
  for (int sample = 0; sample < samples; ++sample) {
    for (Contestant& one : contestants) {
      timer.start();
      for (int run = 0; run < runs; ++run) one.run();
      timer.stop();
      one.ms.push_back(timer.ms() / runs);
    }
  }

  const double cub = contestants[2].median();
  for (Contestant& one : contestants) {
    const double ms = one.median();
    std::printf("%12d  %-6s  %9.4f ms  %7.0f GB/s  %5.3f × CUB's speed\n", n, one.name, ms, 4e-6 * n / ms,
                cub / ms);
  }
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  CUDA_CHECK(cudaFree(scratch));
  CUDA_CHECK(cudaFree(cub_memory));
}

}  // namespace

int main(int argc, char** argv) {
  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("%s\n", device.name);
  if (argc == 1) {
    for (const int n : {1000000, 16000000, 1 << 24, 1 << 28, 1 << 30}) compete(n);
  }
  for (int i = 1; i < argc; ++i) {
    const long n = std::atol(argv[i]);
    if (n < 1 || n > 1 << 30) {
      std::fprintf(stderr, "cub_reduction: n must be from 1 to 2^30, but is '%s'\n", argv[i]);
      return 2;
    }
    compete(static_cast<int>(n));
  }
  return 0;
}
