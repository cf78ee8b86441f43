// cublas_product.cu: the products of this lab compared with the product of cuBLAS, the library of the CUDA
// toolkit.
//
// Built in your folder of the lab (work/lab3.1/level3), with its kernels and headers; all in one
// line:
//
//   nvcc -std=c++17 -O3 -arch=native -I $KIT/common/lab/include -I . -o cublas_product
//        $KIT/labs/lab3.1-matrixmul/peer/cublas_product.cu
//        matrixmul_kernel.cu matrixmul_fp32.cu matrixmul_tensor.cu matrixmul_hopper.cu -lcublas
//   ./cublas_product [n]… [--version=lab|fp32|tensor|hopper]     all versions, or one of them and cuBLAS
//
// (`grader table lab3.1 --id expert --peer` does both.)
//
// cuBLAS computes in float and with float's accuracy (CUBLAS_PEDANTIC_MATH), as the lab does. For each n
// every product is first compared with a product in double: the largest error, and the root mean square of
// the errors over the product's. No error may exceed cuBLAS's by more than a factor of two. Then the five
// take their samples in turn: the time of several runs back to back, between two events, over their number.
// Each sample begins after a pause and some uncounted runs, so that the sample before does not heat the GPU.
#include <cublas_v2.h>
#include <lab/gpu_timer.hpp>
#include <lab/timer.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "matrixmul.h"
#include "matrixmul_experts.h"

namespace {

constexpr int samples = 9;

void require(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "cublas_product: cuBLAS says: %s\n", cublasGetStatusString(status));
  std::exit(3);
}

// Numbers in [-1, 1) of 24 bits, by a hash of their place.
__global__ void fill(float* a, double* wide, std::size_t count, unsigned seed) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    unsigned hash = static_cast<unsigned>(i) * 2654435761u + seed;
    hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
    a[i] = static_cast<float>((hash ^ (hash >> 16)) >> 8) * (2.0f / 16777216) - 1;
    wide[i] = a[i];
  }
}

struct Errors {
  double largest, squares, of_product;  // |P - right|; sums of squares of that, and of right
};

__global__ void measureErrors(Errors* errors, const float* P, const double* right, std::size_t count) {
  double largest = 0, squares = 0, of_product = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const double error = fabs(P[i] - right[i]);
    largest = error <= largest ? largest : error;  // NaN becomes the largest
    squares += error * error;
    of_product += right[i] * right[i];
  }
  // Nonnegative doubles are ordered as their bits are, with NaN above all.
  atomicMax(reinterpret_cast<unsigned long long*>(&errors->largest),
            static_cast<unsigned long long>(__double_as_longlong(largest)));
  atomicAdd(&errors->squares, squares);
  atomicAdd(&errors->of_product, of_product);
}

template <typename T>
T* allocate(std::size_t count) {
  T* memory = nullptr;
  CUDA_CHECK(cudaMalloc(&memory, count * sizeof(T)));
  return memory;
}

struct Contestant {
  const char* name;
  std::function<void()> run;
  double rms = 0;  // error, over the product
  int runs = 2;    // of a sample
  std::vector<double> ms;
};

// @param version   version to compare with cuBLAS; empty for all
void compete(cublasHandle_t cublas, int n, const std::string& version) {
  const int side = compiled.block_size, columns = side * compiled.work_size;  // of a block of matrixMul
  const int step = std::max(expert_step, columns);
  const int width = (n + step - 1) / step * step;
  const std::size_t count = static_cast<std::size_t>(width) * width;
  float *const M = allocate<float>(count), *const N = allocate<float>(count),
               *const P = allocate<float>(count);
  double *const wide_M = allocate<double>(count), *const wide_N = allocate<double>(count),
                *const right = allocate<double>(count);
  char* const workspace = allocate<char>(tensorWorkspace(width));
  Errors* const errors = allocate<Errors>(1);
  fill<<<1024, 256>>>(M, wide_M, count, 1);
  fill<<<1024, 256>>>(N, wide_N, count, 77);
  CUDA_CHECK_LAUNCH();

  // cuBLAS's matrices are column-major, so our M · N is N · M for cuBLAS.
  const double one = 1, zero = 0;
  const float one_f = 1, zero_f = 0;
  require(cublasDgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, width, width, width, &one, wide_N, width, wide_M,
                      width, &zero, right, width));
  std::vector<Contestant> contestants = {
      {"cuBLAS",
       [&] {
         require(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, width, width, width, &one_f, N, width, M,
                             width, &zero_f, P, width));
       }},
      {"lab", [&] { matrixMul<<<dim3(width / columns, width / side), dim3(side, side)>>>(P, M, N, width); }},
      {"fp32", [&] { matrixMulFp32(P, M, N, width); }},
      {"tensor", [&] { matrixMulTensor(P, M, N, width, workspace); }},
      {"hopper", [&] { matrixMulHopper(P, M, N, width, workspace); }},
  };

  if (!version.empty()) {
    const auto other = [&](const Contestant& one_of) { return one_of.name != version; };
    contestants.erase(std::remove_if(contestants.begin() + 1, contestants.end(), other), contestants.end());
  }

  const double operations = 2.0 * width * width * width;
  lab::GpuTimer timer;
  for (Contestant& one_of : contestants) {
    CUDA_CHECK(cudaMemset(P, 0xff, count * sizeof(float)));  // NaN
    CUDA_CHECK(cudaMemset(errors, 0, sizeof(Errors)));
    one_of.run();
    CUDA_CHECK_LAUNCH();
    timer.start();
    one_of.run();
    timer.stop();
    // Many runs of small products; few runs where each takes long, as in emulation.
    one_of.runs = std::clamp(static_cast<int>(std::min(1e12 / operations, 500 / timer.ms())), 2, 50);
    measureErrors<<<1024, 256>>>(errors, P, right, count);
    CUDA_CHECK_LAUNCH();
    Errors found;
    CUDA_CHECK(cudaMemcpy(&found, errors, sizeof(Errors), cudaMemcpyDeviceToHost));
    one_of.rms = std::sqrt(found.squares / found.of_product);
    std::printf("%6d  %-6s  error: largest %.2e, relative %.2e\n", width, one_of.name, found.largest,
                one_of.rms);
    if (!(one_of.rms <= 2 * contestants[0].rms)) {
      std::fprintf(stderr, "cublas_product: %s is wrong or less accurate than cuBLAS\n", one_of.name);
      std::exit(1);
    }
  }

  for (int sample = 0; sample < samples; ++sample) {
    for (Contestant& one_of : contestants) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      for (int run = 0; run < (one_of.runs + 3) / 4; ++run) one_of.run();
      timer.start();
      for (int run = 0; run < one_of.runs; ++run) one_of.run();
      timer.stop();
      one_of.ms.push_back(timer.ms() / one_of.runs);
      if (!version.empty()) lab::record_time(&one_of == &contestants[0] ? "peer" : "own", one_of.ms.back());
    }
  }
  double cublas_ms = 0;
  for (Contestant& one_of : contestants) {
    std::sort(one_of.ms.begin(), one_of.ms.end());
    const double ms = one_of.ms[samples / 2];
    if (cublas_ms == 0) cublas_ms = ms;
    std::printf("%6d  %-6s  %9.4f ms ± %.1f %%  %6.1f TFLOP/s  %5.3f × cuBLAS's speed\n", width, one_of.name,
                ms, 100 * (one_of.ms.back() - one_of.ms.front()) / ms, operations / ms * 1e-9,
                cublas_ms / ms);
  }
  for (void* memory : {static_cast<void*>(M), static_cast<void*>(N), static_cast<void*>(P),
                       static_cast<void*>(wide_M), static_cast<void*>(wide_N), static_cast<void*>(right),
                       static_cast<void*>(workspace), static_cast<void*>(errors)})
    CUDA_CHECK(cudaFree(memory));
}

}  // namespace

int main(int argc, char** argv) {
  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("%s\n", device.name);
  cublasHandle_t cublas = nullptr;
  require(cublasCreate(&cublas));
  require(cublasSetMathMode(cublas, CUBLAS_PEDANTIC_MATH));
  std::vector<int> sizes;
  std::string version;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--version=lab" || word == "--version=fp32" || word == "--version=tensor" ||
        word == "--version=hopper") {
      version = word.substr(word.find('=') + 1);
      continue;
    }
    char* end = nullptr;
    const long n = std::strtol(argv[i], &end, 10);
    if (*end != '\0' || n < 1 || n > 20000) {
      std::fprintf(stderr,
                   "cublas_product: n must be from 1 to 20000, or --version=lab, fp32, tensor or hopper, but "
                   "is '%s'\n",
                   argv[i]);
      return 2;
    }
    sizes.push_back(static_cast<int>(n));
  }
  if (sizes.empty()) sizes = {1024, 2048, 3072, 4096, 8192};
  for (const int n : sizes) compete(cublas, n, version);
  require(cublasDestroy(cublas));
  return 0;
}
