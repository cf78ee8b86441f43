// cub_block_reduce.cu: compares the schemes of this lab with CUB's sum of one block; CUB is a library of
// the CUDA toolkit.
//
//   grader table lab1.2 --peer        builds and runs it with your kernels
//
// Or by hand, in your folder of the lab (work/lab1.2/level3), with your kernels; all in one line.
// (emucc takes the same options, but only a GPU's times mean something.)
//
//   nvcc -std=c++17 -O3 -arch=native -I $KIT/common/lab/include -I . -o cub_block_reduce
//        $KIT/labs/lab1.2-reduction/peer/cub_block_reduce.cu
//        vector_reduction_kernel.cu vector_reduction_expert.cu
//   ./cub_block_reduce [--scheme=1a|1b|2|3|expert] [--length=N]
//
// Without --scheme all schemes take part; without --length the lengths are 512 and 16384.
//
// A kernel of this size runs for a microsecond or two, less than a launch takes. So 200 launches of it are
// recorded as a graph, which the device executes without the host, and the time of the graph is divided by
// 200. Every result is verified first; the kernels take their samples in turn; medians are printed.
#include <cub/cub.cuh>
#include <lab/args.hpp>
#include <lab/gpu_timer.hpp>
#include <lab/timer.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "vector_reduction.h"

namespace {

#ifdef __CUEMU__  // in emulation: enough to verify the results
constexpr int samples = 3;
constexpr int launches = 2;
#else
constexpr int samples = 25;
constexpr int launches = 200;  // in a graph
#endif

// The same sum by CUB: each thread adds up its numbers, BlockReduce those of the threads.
template <cub::BlockReduceAlgorithm algorithm>
__global__ void reductionCub(float* data, int n) {
  using BlockReduce = cub::BlockReduce<float, NUM_ELEMENTS, algorithm>;
  __shared__ typename BlockReduce::TempStorage storage;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += NUM_ELEMENTS) sum += data[i];
  sum = BlockReduce(storage).Sum(sum);
  if (threadIdx.x == 0) data[0] = sum;
}

// An empty kernel: its time is the least that a kernel of one block takes.
__global__ void nothing(float*, int) {}

struct Contestant {
  const char* scheme;  // as --scheme names it; empty: takes part whatever it says
  const char* name;
  Reduction kernel;
  cudaGraphExec_t graph = nullptr;
  std::vector<double> us = {};
};

// Verifies that the kernel leaves the sum of n ones in element 0.
void verify(const Contestant& one, float* d_data, int n) {
  const std::vector<float> ones(n, 1.0f);
  float sum = 0;
  CUDA_CHECK(cudaMemcpy(d_data, ones.data(), sizeof(float) * n, cudaMemcpyHostToDevice));
  one.kernel<<<1, NUM_ELEMENTS>>>(d_data, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&sum, d_data, sizeof(float), cudaMemcpyDeviceToHost));
  if (one.kernel != nothing && sum != static_cast<float>(n)) {
    std::fprintf(stderr, "%s: the sum of %d ones is %f\n", one.name, n, sum);
    std::exit(1);
  }
}

// @param scheme one of the lab's, or empty for all
void compete(int n, const std::string& scheme) {
  float* d_data = nullptr;
  cudaStream_t stream;
  CUDA_CHECK(cudaMalloc(&d_data, sizeof(float) * n));
  CUDA_CHECK(cudaStreamCreate(&stream));
  const Contestant all[] = {{"", "empty kernel", nothing},
                            {"1a", "1a adjacent pairs", reduction1a},
                            {"1b", "1b neighbouring threads", reduction1b},
                            {"2", "2 halves", reduction2},
                            {"3", "3 mirror images", reduction3},
                            {"expert", "expert", reductionExpert},
                            {"", "CUB, warp reductions", reductionCub<cub::BLOCK_REDUCE_WARP_REDUCTIONS>},
                            {"", "CUB, raking", reductionCub<cub::BLOCK_REDUCE_RAKING>}};
  std::vector<Contestant> contestants;
  for (const Contestant& one : all) {
    if (scheme.empty() || *one.scheme == '\0' || one.scheme == scheme) contestants.push_back(one);
  }
  for (Contestant& one : contestants) {
    verify(one, d_data, n);
    cudaGraph_t graph;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < launches; ++i) one.kernel<<<1, NUM_ELEMENTS, 0, stream>>>(d_data, n);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&one.graph, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaGraphLaunch(one.graph, stream));  // warm-up
  }
  lab::GpuTimer timer;
  for (int sample = 0; sample < samples; ++sample) {
    for (Contestant& one : contestants) {
      timer.start(stream);
      CUDA_CHECK(cudaGraphLaunch(one.graph, stream));
      timer.stop(stream);
      one.us.push_back(1e3 * timer.ms() / launches);
      // The grader's tables use these samples, of the lab's side and of the peer's.
      if (!scheme.empty() && one.scheme == scheme) lab::record_time("own", 1e-3 * one.us.back());
      if (one.kernel == reductionCub<cub::BLOCK_REDUCE_WARP_REDUCTIONS>)
        lab::record_time("peer", 1e-3 * one.us.back());
    }
  }
  std::printf("n = %d\n", n);
  for (Contestant& one : contestants) {
    std::sort(one.us.begin(), one.us.end());
    std::printf("  %-24s %7.3f µs\n", one.name, one.us[samples / 2]);
    CUDA_CHECK(cudaGraphExecDestroy(one.graph));
  }
  CUDA_CHECK(cudaStreamDestroy(stream));
  CUDA_CHECK(cudaFree(d_data));
}

}  // namespace

int main(int argc, char** argv) {
  lab::Args args("cub_block_reduce", "the lab's schemes beside the block-wide sum of CUB");
  args.option("scheme", "S", "1a, 1b, 2, 3 or expert; default: all of them", "");
  args.option("length", "N", "how many numbers; 0: 512 and 16384", "0");
  args.parse(argc, argv);
  const std::string scheme = args.text("scheme");
  if (!scheme.empty() && scheme != "1a" && scheme != "1b" && scheme != "2" && scheme != "3" &&
      scheme != "expert")
    args.fail("--scheme must be 1a, 1b, 2, 3 or expert, but is '" + scheme + "'");
  const int length = static_cast<int>(args.integer("length", 0, 1 << 24, "64 MiB"));
  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("%s\n", device.name);
  for (const int n : {512, 16384}) {
    if (length == 0) compete(n, scheme);
  }
  if (length > 0) compete(length, scheme);
  return 0;
}
