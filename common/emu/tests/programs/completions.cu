// cuda::barrier with a completion function: a pointer to a function, or an object with members.
#include <cstdio>
#include <cuda/barrier>
#include <utility>

#pragma nv_diag_suppress static_var_with_dynamic_init

__device__ int phases_over, sum_of_phase[4], pending;

__device__ void count_phase() {
  sum_of_phase[phases_over++] = pending;
  pending = 0;
}

// The function sees all work of the threads before they arrived. It ends before any thread continues.
template <class Barrier, class Completion>
__device__ void run_phases(Barrier& barrier, Completion completion, int* out) {
  if (threadIdx.x == 0) init(&barrier, blockDim.x, completion);
  __syncthreads();
  int seen = 0;
  for (int phase = 0; phase < 4; ++phase) {
    atomicAdd(&pending, (phase + 1) * (int)threadIdx.x);
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
    seen += sum_of_phase[phase] + phases_over;
    __syncthreads();
  }
  out[threadIdx.x] = seen;
}

__global__ void by_pointer(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block, void (*)()> barrier;
  run_phases(barrier, &count_phase, out);
}

struct Tally {
  int* ended;
  int step;
  __device__ void operator()() const {
    count_phase();
    *ended += step;
  }
};

__global__ void by_object(int* out, int* ended) {
  __shared__ cuda::barrier<cuda::thread_scope_block, Tally> barrier;
  run_phases(barrier, Tally{ended, 10}, out);
}

void print(const char* what, const int* out, int count) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error));
  printf("%s:", what);
  for (int i = 0; i < count; ++i) printf(" %d", out[i]);
  printf("\n");
  const int zero = 0;
  cudaMemcpyToSymbol(phases_over, &zero, sizeof zero);
}

int main() {
  int* out = nullptr;
  cudaMallocManaged(&out, 65 * sizeof(int));
  out[64] = 0;
  by_pointer<<<1, 64>>>(out);
  print("by a pointer", out, 3);
  by_object<<<1, 64>>>(out, out + 64);
  print("by an object", out, 3);
  print("phases it has ended", out + 64, 1);
  cudaFree(out);
  return 0;
}
