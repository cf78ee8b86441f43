// Code that relies on the lanes of a warp running in step. Each program prints its result, which is wrong
// without the hint's change and right with it. If the hint says so, the result is also right under `emucc
// --lockstep` without the change. (A test builds this file both ways.)
#include "../pair.cuh"

/// One block computes the sum of 1, 2, 3 …
template <class Kernel>
static void print_sum(Kernel kernel, int count, int threads) {
  const Zeros<int> out(1), in(count);
  int values[256], sum = 0;
  for (int i = 0; i < count; ++i) values[i] = i + 1;
  cudaMemcpy(in, values, count * sizeof(int), cudaMemcpyHostToDevice);
  kernel<<<1, threads>>>((int*)out, (const int*)in);
  cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%d\n", sum);
}

// The last warp of a tree, as unrolled code. Other warps have continued.
// pair: last_warp_written_out
// exact: race @32,@16 s
// missing: warp-barrier
// hint: a __syncwarp() belongs between lines
// hint: . Without that the code relies on the lanes of a warp running in step, which CUDA does not promise
// hint: (emucc --lockstep runs it that way)
// lacks: outside the if
// lacks: __syncthreads
__global__ void written_out(int* out, const int* in) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];  // @32
    s[t] += s[t + 16];  // @16
    s[t] += s[t + 8];
    if (t == 0) *out = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
  }
}
__global__ void written_out_mended(int* out, const int* in) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    __syncwarp();
    const int sixteen = s[t + 16];
    __syncwarp();
    s[t] += sixteen;
    __syncwarp();
    const int eight = s[t + 8];
    __syncwarp();
    s[t] += eight;
    __syncwarp();
    if (t == 0) *out = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
  }
}
PAIR(last_warp_written_out) {
  print_sum(wrong ? written_out : written_out_mended, 128, 128);
}

// Levels in a loop, computed by the first of several warps.
// pair: levels_of_the_first_warp
// exact: race @level,@level s
// hint: a __syncwarp() belongs at the end of each iteration of the loop at line
// hint: , outside the if at line
// hint: (emucc --lockstep runs it that way)
// lacks: __syncthreads
__global__ void levels(int* out, const int* in) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t / 32 == 0) {
    for (int d = 32; d > 0; d /= 2) {
      if (t < d) s[t] += s[t + d];  // @level
    }
    if (t == 0) *out = s[0];
  }
}
__global__ void levels_mended(int* out, const int* in) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t / 32 == 0) {
    for (int d = 32; d > 0; d /= 2) {
      if (t < d) s[t] += s[t + d];
      __syncwarp();
    }
    if (t == 0) *out = s[0];
  }
}
PAIR(levels_of_the_first_warp) {
  print_sum(wrong ? levels : levels_mended, 64, 64);
}

// An update that may be lost whether or not the lanes run in step.
// pair: lost_within_a_warp
// exact: race @tally,@tally total
// missing: atomic
// lacks: --lockstep
// hint: two threads read the same old value, and one of their updates is lost
__global__ void tally(int* out, const int* in) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncwarp();
  total += in[threadIdx.x];  // @tally
  __syncwarp();
  if (threadIdx.x == 0) *out = total;
}
__global__ void tally_mended(int* out, const int* in) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncwarp();
  atomicAdd(&total, in[threadIdx.x]);
  __syncwarp();
  if (threadIdx.x == 0) *out = total;
}
PAIR(lost_within_a_warp) {
  print_sum(wrong ? tally : tally_mended, 32, 32);
}
