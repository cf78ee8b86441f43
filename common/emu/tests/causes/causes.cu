// Makes a failing CUDA call for each name on the command line, with the checks that labs use, so that lab/cause.hpp
// explains the failure on standard error. The same holds on a GPU, if nvcc builds this program.
//
//     emucc -O2 --no-fission -lineinfo -I common/lab/include causes.cu -o causes; ./causes block
#include <cstdio>
#include <cstring>
#include <vector>

#include "lab/check.hpp"

__global__ void write_at(float* p, int i) {
  p[i + threadIdx.x] = 1;  // the write
}
__global__ void __launch_bounds__(64) bounded(float* p) {
  p[0] = 1;
}
__global__ void with_shared(float* p) {
  __shared__ float fixed[4096];
  extern __shared__ float given[];
  fixed[threadIdx.x] = given[threadIdx.x] = p[0];
  __syncthreads();
  p[0] = fixed[1] + given[1];
}

/// Without --no-fission, these kernels run as loops over their threads.
__global__ void exchanged(float* p, int step) {
  __shared__ float s[64];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  for (int i = 0; i < 64; i += step) p[threadIdx.x] += s[63 - threadIdx.x];  // the endless sum
}
__global__ void neighbours(float* p) {
  __shared__ float s[64];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  printf("thread %u\n", threadIdx.x);
  if (threadIdx.x >= 37) p[threadIdx.x * 2] = s[63 - threadIdx.x];  // the write of some
}
__global__ void passed_on(float* p, const int* next) {
  const int to = atomicAdd((int*)next, 1);
  __syncthreads();
  p[threadIdx.x == 5 && to == 5 ? 96 : threadIdx.x] = 1;  // the write of one
}

/// Thread 3 waits for a value that no thread writes; the others wait for thread 3.
__global__ void one_computes(volatile float* p) {
  if (threadIdx.x == 3)
    while (p[0] != 5) p[1] = p[1] + 1;  // the endless loop
  __syncthreads();                      // the barrier
}
__global__ void all_compute(volatile float* p) {
  while (p[0] != 5) p[1] = p[1] + 1;  // all of them
}
__device__ __noinline__ float half(volatile float* p) {
  while (p[0] != 5) p[1] = p[1] / 2;  // in a function
  return p[1];
}
__global__ void calls(volatile float* p) {
  p[2] = half(p);
}
__global__ void half_waits(float* p) {
  if (threadIdx.x < 32) __syncwarp();
  if (threadIdx.x >= 32) return;
  for (int i = 0; i < 2 && threadIdx.x < 16; ++i) __syncwarp(0xffffffffu);  // 16 lanes wait
  __syncthreads();
  p[0] = 1;
}

__device__ int launch_error;  // of the first launch from a kernel that failed

__global__ void nothing() {}
__global__ void all_launch() {
  nothing<<<1, 1, 0, cudaStreamFireAndForget>>>();
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) atomicCAS(&launch_error, 0, static_cast<int>(error));
}

int main(int count, char** arguments) {
  const char* const name = count > 1 ? arguments[1] : "";
  const auto is = [&](const char* one) { return std::strcmp(name, one) == 0; };
  float *d_P = nullptr, *d_M = nullptr, *d_none = nullptr;
  constexpr std::size_t bytes = 64 * sizeof(float);
  std::vector<float> P(256);
  if (!is("early")) {
    CUDA_CHECK(cudaMalloc(&d_P, bytes));  // P
    CUDA_CHECK(cudaMalloc((void**)&d_M, bytes));
  }

  if (is("block")) write_at<<<1, dim3(33, 33)>>>(d_P, 0);
  if (is("long")) write_at<<<1, 2000>>>(d_P, 0);
  if (is("deep")) write_at<<<1, dim3(1, 1, 65)>>>(d_P, 0);
  if (is("grid")) write_at<<<dim3(1, 70000), 32>>>(d_P, 0);
  if (is("empty")) write_at<<<8 / 16, 32>>>(d_P, 0);
  if (is("bounds")) bounded<<<1, dim3(13, 5)>>>(d_P);
  if (is("shared")) with_shared<<<1, 32, 40000>>>(d_P);
  if (is("earlier")) {
    cudaMemcpy(d_P, P.data(), bytes, cudaMemcpyDeviceToHost);
    write_at<<<1, 32>>>(d_P, 0);
  }
  CUDA_CHECK_LAUNCH();

  if (is("pointers")) CUDA_CHECK(cudaMemcpy(P.data(), d_P, bytes, cudaMemcpyHostToDevice));
  if (is("direction")) CUDA_CHECK(cudaMemcpy(d_P, P.data(), bytes, cudaMemcpyDeviceToHost));
  if (is("one side")) CUDA_CHECK(cudaMemcpy(&P[64], P.data(), bytes, cudaMemcpyHostToDevice));
  if (is("too large")) CUDA_CHECK(cudaMemcpy(d_P, P.data(), 4 * bytes, cudaMemcpyHostToDevice));
  if (is("from inside")) CUDA_CHECK(cudaMemcpy(P.data(), d_P + 16, bytes, cudaMemcpyDeviceToHost));
  if (is("null")) CUDA_CHECK(cudaMemcpy(d_none, P.data(), bytes, cudaMemcpyHostToDevice));
  if (is("kind")) CUDA_CHECK(cudaMemcpy(d_P, P.data(), bytes, static_cast<cudaMemcpyKind>(9)));

  if (is("set")) CUDA_CHECK(cudaMemset(d_P, 0, 2 * bytes));
  if (is("set host")) CUDA_CHECK(cudaMemset(P.data(), 0, bytes));
  if (is("memory")) CUDA_CHECK(cudaMalloc(&d_none, std::size_t(1) << 50));
  if (is("negative")) CUDA_CHECK(cudaMalloc(&d_none, static_cast<std::size_t>(-4)));

  if (is("free host")) CUDA_CHECK(cudaFree(P.data()));
  if (is("free inside")) CUDA_CHECK(cudaFree(d_P + 4));
  if (is("free twice")) {
    CUDA_CHECK(cudaFree(d_P));
    CUDA_CHECK(cudaFree(d_P));
  }

  if (is("no kernel")) {
    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(name)));
  }

  if (is("outside")) write_at<<<1, 4>>>(d_P, 96);
  if (is("freed")) {
    CUDA_CHECK(cudaFree(d_M));
    write_at<<<1, 4>>>(d_M, 0);
  }
  if (is("null kernel")) write_at<<<1, 4>>>(d_none, 3);
  if (is("exchanged")) exchanged<<<1, 64>>>(d_P, 0);
  if (is("neighbours")) neighbours<<<1, 64>>>(d_P);
  if (is("passed on")) passed_on<<<1, 64>>>(d_P, (const int*)d_M);
  if (is("one computes")) one_computes<<<1, 64>>>(d_P);
  if (is("all compute")) all_compute<<<1, 64>>>(d_P);
  if (is("in a function")) calls<<<1, 1>>>(d_P);
  if (is("children")) {
    all_launch<<<12, 256>>>();
    int error = 0;
    CUDA_CHECK(cudaMemcpyFromSymbol(&error, launch_error, sizeof error));
    lab::check_cuda(static_cast<cudaError_t>(error), "launch from a kernel", "causes.cu", 1);
  }
  if (is("half waits")) half_waits<<<1, 64>>>(d_P);
  CUDA_CHECK(cudaDeviceSynchronize());
  std::puts("no call failed");
}
