// copy_and_cub.cu: compares the kernels of this lab with a copy on the device, or with CUB's reduction of
// segments.
//
//   grader table lab1.3 --peer        builds and runs it with your kernels
//
// Or by hand, in your folder of the lab (work/lab1.3/level3); all in one line. (emucc takes the same options,
// but only a GPU's times mean something.)
//
//   nvcc -std=c++17 -O3 -arch=native -DPEER=0 -I $KIT/common/lab/include -I . -o copy_and_cub
//        $KIT/labs/lab1.3-minmatrix/peer/copy_and_cub.cu
//        minmatrix_report.cu minmatrix_segments.cu minmatrix_expert.cu
//   ./copy_and_cub [--matrices=M] [--version=V]
//
// PEER 0 is a copy of half the array by cudaMemcpyAsync: it reads and writes together as many bytes as the
// minimum must read, so that a kernel as fast as this copy uses the memory as well as a copy does. PEER 1 is
// cub::DeviceSegmentedReduce::Min with one segment a position, on the transposed array.
//
// Each result is verified before anything is timed. The report's kernels overwrite the array: later runs of them
// do the same work on other numbers.
#include <cub/cub.cuh>
#include <lab/args.hpp>
#include <lab/gpu_timer.hpp>
#include <lab/timer.hpp>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <functional>
#include <vector>

#include "minmatrix.h"

#ifndef PEER
#define PEER 0
#endif

namespace {

#ifdef __CUEMU__  // in emulation: enough to verify the results
constexpr int samples = 3, most_runs = 1;
#else
constexpr int samples = 25, most_runs = 20;
#endif

constexpr int numbers = 9;

// Element i, a hash of 31 bits, so that the positions have different minima, which few numbers equal.
__host__ __device__ inline int element(unsigned i) {
  unsigned x = i * 2654435761u;
  x = (x ^ (x >> 15)) * 2246822519u;
  return static_cast<int>((x ^ (x >> 13)) >> 1);
}

__global__ void fill(int* values, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    values[i] = element(i);
}

// @param kept the layout: else transposed
std::vector<int> rightMinimum(int m, bool kept) {
  std::vector<int> minimum(numbers, INT_MAX);
  for (int i = 0; i < m * numbers; ++i) {
    int& one = minimum[kept ? i % numbers : i / m];
    one = std::min(one, element(i));
  }
  return minimum;
}

void verify(const char* name, const int* out, const std::vector<int>& right) {
  std::vector<int> got(numbers);
  CUDA_CHECK(cudaMemcpy(got.data(), out, sizeof(int) * numbers, cudaMemcpyDeviceToHost));
  if (got == right) return;
  std::fprintf(stderr, "%s: the minimum is wrong\n", name);
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  lab::Args args("copy_and_cub", "the kernels of this lab beside a copy or CUB");
  args.option("matrices", "M", "how many 3×3 matrices", "1000000");
  args.option("version", "V", "report, segments or expert", "expert");
  args.parse(argc, argv);
  const int m =
      static_cast<int>(args.integer("matrices", 1, static_cast<std::int64_t>(MOST_NUMBERS / numbers)));
  const std::string version = args.text("version");
  if (version != "report" && version != "segments" && version != "expert")
    args.fail("--version must be report, segments or expert, but is '" + version + "'");

  const int count = m * numbers;
  int *values = nullptr, *scratch = nullptr, *out = nullptr;
  CUDA_CHECK(cudaMalloc(&values, sizeof(int) * count));
  CUDA_CHECK(cudaMalloc(&scratch, sizeof(int) * scratchSize(m, numbers)));
  CUDA_CHECK(cudaMalloc(&out, sizeof(int) * numbers));
  fill<<<1024, 256>>>(values, count);
  CUDA_CHECK_LAUNCH();

  const std::function<void()> own = [&] {
    if (version == "report") minimumReport(out, scratch, values, m, numbers);
    if (version == "segments") minimumSegments(out, scratch, values, m, numbers);
    if (version == "expert") minimumExpert(out, values, m, numbers);
  };
#if PEER == 0
  const std::size_t half = sizeof(int) * count / 2;
  char* copy = nullptr;
  CUDA_CHECK(cudaMalloc(&copy, half));
  const std::function<void()> peer = [&] {
    CUDA_CHECK(cudaMemcpyAsync(copy, values, half, cudaMemcpyDeviceToDevice));
  };
#else
  std::vector<int> begins;
  for (int p = 0; p <= numbers; ++p) begins.push_back(p * m);
  int* segments = nullptr;  // where each one begins; the next one's begin is its end
  CUDA_CHECK(cudaMalloc(&segments, sizeof(int) * begins.size()));
  CUDA_CHECK(cudaMemcpy(segments, begins.data(), sizeof(int) * begins.size(), cudaMemcpyHostToDevice));
  void* cub_memory = nullptr;
  std::size_t cub_bytes = 0;
  const auto cub_minimum = [&] {
    CUDA_CHECK(
        cub::DeviceSegmentedReduce::Min(cub_memory, cub_bytes, values, out, numbers, segments, segments + 1));
  };
  cub_minimum();  // without memory: returns the size that it needs
  CUDA_CHECK(cudaMalloc(&cub_memory, cub_bytes));
  const std::function<void()> peer = cub_minimum;
  peer();
  verify("CUB", out, rightMinimum(m, false));
#endif
  own();
  verify(version.c_str(), out, rightMinimum(m, version == "expert"));

  const int runs = std::clamp((1 << 28) / count, std::min(2, most_runs), most_runs);
  lab::GpuTimer timer;
  for (int sample = 0; sample < samples; ++sample) {
    for (const bool is_own : {true, false}) {
      timer.start();
      for (int run = 0; run < runs; ++run) (is_own ? own : peer)();
      timer.stop();
      lab::record_time(is_own ? "own" : "peer", timer.ms() / runs);
      std::printf("%-5s %9.4f ms  %7.0f GB/s\n", is_own ? "own" : "peer", timer.ms() / runs,
                  4e-6 * count / (timer.ms() / runs));
    }
  }
  return 0;
}
