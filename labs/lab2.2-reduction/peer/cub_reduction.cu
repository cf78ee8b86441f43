// cub_reduction.cu: the sums of this lab compared with the sum of CUB, the library of the CUDA toolkit.
//
//   grader table lab2.2 --peer        builds and runs it with your kernels
//
// Or by hand, in your folder of the lab (work/lab2.2/level3), with your reductionArray and the
// expert's kernel; all in one line. (emucc takes the same options, but only a GPU's times mean something.)
//
//   nvcc -std=c++17 -O3 -arch=native -I $KIT/common/lab/include -I . -o cub_reduction
//        $KIT/labs/lab2.2-reduction/peer/cub_reduction.cu
//        reduction_largearray_kernel.cu reduction_expert.cu
//   ./cub_reduction [n] [--version=lab|expert]
//
// Without n it goes through five sizes; without a version both take part.
//
// For each n every result is verified first. A sample is the time between two events around several
// consecutive runs, divided by their number; so each launch overlaps the run before it. The three versions
// take their samples in turn, and the medians are printed. Each run reads the array once: GB/s are 4 n /
// time.
#include <cub/cub.cuh>
#include <lab/args.hpp>
#include <lab/gpu_timer.hpp>
#include <lab/timer.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "reduction_largearray.h"

namespace {

#ifdef __CUEMU__  // a CPU that plays the GPU: enough to see that all is right
constexpr int samples = 3, most_runs = 1;
#else
constexpr int samples = 25, most_runs = 20;
#endif

// data[i] = 0, 1 or 2, by a hash of i. Copying the array to the host and adding it there would take longer.
__global__ void fill(float* data, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned hash = (i * 2654435761u) ^ (i >> 15);
    data[i] = static_cast<float>((hash >> 7) % 3);
  }
}

// The sum of the same numbers, added up as integers.
double rightSum(unsigned n) {
  unsigned long long sum = 0;
  for (unsigned i = 0; i < n; ++i) sum += ((((i * 2654435761u) ^ (i >> 15)) >> 7) % 3);
  return static_cast<double>(sum);
}

struct Contestant {
  std::string name;
  std::function<void()> run;
  std::vector<double> ms;

  double median() {
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
  }
};

// @param version "lab", "expert", or empty for both
void compete(int n, const std::string& version) {
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

  std::vector<Contestant> contestants;
  if (version != "expert") contestants.push_back({"lab", [&] { reductionArray(out, scratch, in, n); }, {}});
  if (version != "lab") contestants.push_back({"expert", [&] { reductionExpert(out, scratch, in, n); }, {}});
  contestants.push_back(
      {"CUB", [&] { CUDA_CHECK(cub::DeviceReduce::Sum(cub_memory, cub_bytes, in, out, n)); }, {}});

  const double right = rightSum(n);
  for (Contestant& one : contestants) {
    float sum = NAN;
    CUDA_CHECK(cudaMemset(out, 0xff, sizeof(float)));
    one.run();
    CUDA_CHECK(cudaMemcpy(&sum, out, sizeof(float), cudaMemcpyDeviceToHost));
    if (!(std::fabs(sum - right) <= 2e-6 * right)) {
      std::fprintf(stderr, "%s, n = %d: the sum is %.1f, but should be %.1f\n", one.name.c_str(), n, sum,
                   right);
      std::exit(1);
    }
  }

  const int runs =
      std::clamp(static_cast<int>((1 << 28) / static_cast<unsigned>(n)), std::min(2, most_runs), most_runs);
  lab::GpuTimer timer;
  for (int sample = 0; sample < samples; ++sample) {
    for (Contestant& one : contestants) {
      timer.start();
      for (int run = 0; run < runs; ++run) one.run();
      timer.stop();
      one.ms.push_back(timer.ms() / runs);
      // The grader's tables are made of these samples: the lab's own side and the peer's.
      if (one.name == "CUB") lab::record_time("peer", one.ms.back());
      if (one.name == (version.empty() ? "lab" : version)) lab::record_time("own", one.ms.back());
    }
  }

  const double cub = contestants.back().median();
  for (Contestant& one : contestants) {
    const double ms = one.median();
    std::printf("%12d  %-6s  %9.4f ms  %7.0f GB/s  %5.3f × CUB's speed\n", n, one.name.c_str(), ms,
                4e-6 * n / ms, cub / ms);
  }
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  CUDA_CHECK(cudaFree(scratch));
  CUDA_CHECK(cudaFree(cub_memory));
}

}  // namespace

int main(int argc, char** argv) {
  lab::Args args("cub_reduction", "the lab's sums beside that of CUB");
  args.argument("n", "how many numbers; 0: five sizes, one after the other", "0");
  args.option("version", "V", "lab or expert; default: both", "");
  args.parse(argc, argv);
  const int n = static_cast<int>(args.integer("n", 0, 1 << 30, "4 GiB"));
  const std::string version = args.text("version");
  if (!version.empty() && version != "lab" && version != "expert")
    args.fail("--version must be lab or expert, but is '" + version + "'");
  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("%s\n", device.name);
  for (const int size : {1000000, 16000000, 1 << 24, 1 << 28, 1 << 30}) {
    if (n == 0) compete(size, version);
  }
  if (n > 0) compete(n, version);
  return 0;
}
