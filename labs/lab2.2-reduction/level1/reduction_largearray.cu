// reduction_largearray.cu: the host's side of the sum of a large array, and its time.
//
//   sum = data[0] + data[1] + … + data[n-1]
//
//        host                           device
//     data ──── 1. copy ─────────────▶ d_in (n)
//                                        │ 2. reductionArray: launch after launch, timed (part 1;
//                                        ▼    the launches are in reduction_largearray_kernel.cu)
//     sum  ◀─── 3. copy back ────────── d_out[0]       and free
//
// The sum runs twice on the same arrays: first over a few numbers, so that CUDA's start-up is not in the
// timed run, then over all of them. So reductionArray must leave its input as it is.
//
// Run it:  grader lab2.2                          builds it, grades it, explains what is wrong
//          reduction_largearray [n]               alone: n random numbers
//          reduction_largearray --version expert  level 3: the kernel of reduction_expert.cu
#include <lab/lab.hpp>
#include <lab/sums.hpp>

#include <limits>

#include "reduction_largearray.h"

#ifdef __CUEMU__  // a CPU takes a second for a GPU's tenth of a millisecond
constexpr int DEFAULT_NUM_ELEMENTS = 1000000;
#else
constexpr int DEFAULT_NUM_ELEMENTS = 16000000;
#endif

using Reduction = void (*)(float* out, float* scratch, const float* in, int n);

// Returns the sum of data, computed on the device by `reduction`.
//   data           (n), host memory, read
//   milliseconds   becomes the time of the reduction, without the copies
static float runTest(const float* data, int n, Reduction reduction, double* milliseconds) {
  const std::size_t bytes = sizeof(float) * n;
  float sum = std::numeric_limits<float>::quiet_NaN();  // NaN: a sum that is never copied back can't pass
  float* d_in = nullptr;                                // (n), device memory: the input
  float* d_out = nullptr;                               // sums of blocks; element 0 becomes the sum
  float* d_scratch = nullptr;                           // sums of blocks of the next launch
  lab::Timer timer;                                     // has start(), stop() and ms()

  // 1. Copy the numbers to the device, and allocate room for the sums of blocks.
  CUDA_CHECK(cudaMalloc(&d_in, bytes));
  CUDA_CHECK(cudaMemcpy(d_in, data, bytes, cudaMemcpyHostToDevice));
  // One float for each block of the first launch, and one for each block of the second. Later launches have
  // fewer.
  CUDA_CHECK(cudaMalloc(&d_out, sizeof(float) * blocksFor(n)));
  CUDA_CHECK(cudaMalloc(&d_scratch, sizeof(float) * blocksFor(blocksFor(n))));

  // 2. A warm-up over two blocks: CUDA starts when it is first used, and loads a kernel when it is first
  // launched.
  reduction(d_out, d_scratch, d_in, n < 2 * BLOCK_SIZE ? n : 2 * BLOCK_SIZE);
  CUDA_CHECK(cudaDeviceSynchronize());

  // Then the reduction, and its time (part 1).
  // ---- part 1: time the reduction (about four lines) ------------------------------------------------------
  // Result: d_out[0] is the sum of all n numbers, and `timer` holds the time of the whole reduction, and
  // nothing else.
  //   a. Start the timer.
  //   b. Call `reduction` as in the warm-up above, but for n numbers.
  //   c. Launches return before the kernels have run. Which call waits for the device? Then stop the timer.
  LAB_TODO(1);
  // ---- end of part 1 --------------------------------------------------------------------------------------
  *milliseconds = timer.ms();

  // 3. Copy the sum back, and free the device memory.
  CUDA_CHECK(cudaMemcpy(&sum, d_out, sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_scratch));
  return sum;
}

// The reduction that --version names.
static Reduction findReduction(const lab::Args& args) {
  if (args.text("version") == "lab") return reductionArray;
  if (args.text("version") == "expert") return reductionExpert;
  args.fail("--version must be lab or expert, but is '" + args.text("version") + "'");
}

int main(int argc, char** argv) {
  lab::Args args("reduction_largearray", "sum of an array of any length, by as many launches as it takes");
  args.argument("n", "how many numbers", std::to_string(DEFAULT_NUM_ELEMENTS));
  args.option("version", "V", "lab, or expert: the kernel of level 3", "lab");
  args.reads({"data"}).writes("sum").parse(argc, argv);
  const Reduction reduction = findReduction(args);
  const int n = static_cast<int>(args.integer("n", 1, 1 << 30, "4 GiB"));
  lab::require_host_memory(1.0 * n * sizeof(float), "n = " + std::to_string(n));

  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("Using device 0: %s\n*****-----*****\n", device.name);

  lab::Random random(args.seed());
  const std::vector<float> data =
      args.inputs().empty() ? lab::draw_terms<float>(random, n)
                            : lab::load<float>(args.inputs()[0], "data", {static_cast<std::size_t>(n)});

  std::printf("Processing %d elements...\n", n);
  lab::Timer host_timer;
  host_timer.start();
  const double host_sum = hostSum(data);
  host_timer.stop();
  double cuda_ms = 0;
  const float device_sum = runTest(data.data(), n, reduction, &cuda_ms);

  lab::print_time("Host CPU Processing time", host_timer.ms());
  lab::print_time("CUDA Processing time", cuda_ms, "kernel");
  std::printf("Speedup: %fX\n", host_timer.ms() / cuda_ms);
  if (!args.output().empty()) {  // the grader compares, with inputs and results of its own
    lab::save(args.output(), {1}, std::vector<float>{device_sum});
    return lab::finish(true);
  }
  return lab::finish(checkSum(device_sum, host_sum, data));
}
