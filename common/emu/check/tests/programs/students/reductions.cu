// Triangular maps, the elementwise minimum of many matrices, and MRI-Q: mistakes seen in students' programs,
// and in published ones.
#include "../pair.cuh"

// The map from a block's number to its place in a lower triangle mixes the formulas of two variants: the row of the
// triangle without the diagonal, and the column of the triangle with it.
// pair: mixed_maps
// exact: out-of-bounds @cell cells
__global__ void triangle(float* cell, int n, bool wrong) {
  const int number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number >= n * (n + 1) / 2) return;
  const int row = static_cast<int>(sqrtf(0.25f + 2.0f * number) + (wrong ? 0.5f : -0.5f));
  const int column = number - row * (row + 1) / 2;
  cell[column * n + row] = 1.0f;  // @cell
}
PAIR(mixed_maps) {
  const int n = 8;
  float* cells;
  cudaMalloc(&cells, n * n * sizeof(float));
  triangle<<<1, 64>>>(cells, n, wrong);
  cudaDeviceSynchronize();
  cudaFree(cells);
}

// The results of blocks overwrite input that other blocks still read.
// pair: minimum_in_place
// contains: race:
// contains: touch in[
// contains: two blocks touch
__global__ void least(int* out, const int* in) {
  __shared__ int values[32];
  const int t = threadIdx.x;
  values[t] = in[blockIdx.x * 32 + t];
  __syncthreads();
  for (int s = 16; s > 0; s /= 2) {
    if (t < s) values[t] = min(values[t], values[t + s]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = values[0];
}
PAIR(minimum_in_place) {
  const Zeros<int> in(128), out(4);
  least<<<4, 32>>>(wrong ? in : out, in);
}

// Compaction in place: a thread writes an element that another thread has yet to read.
// pair: compaction_in_place
// exact: race @least,@least in
// hint: a thread reads what another one writes by the same statement: are some threads to be kept out of it
__global__ void compact(int* out, const int* in) {
  const int i = threadIdx.x;
  out[i] = min(in[2 * i], in[2 * i + 1]);  // @least
}
PAIR(compaction_in_place) {
  const Zeros<int> in(128), out(64);
  compact<<<1, 64>>>(wrong ? in : out, in);
}

// A tree in which all threads add, even those without work at this level.
// pair: no_filter
// exact: race @add,@add sums
__global__ void tree(int* out, const int* in, bool wrong) {
  __shared__ int sums[128];
  const int t = threadIdx.x;
  sums[t] = in[t];
  sums[t + 64] = 0;
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (wrong || t < s) sums[t] += sums[t + s];  // @add
    __syncthreads();
  }
  if (t == 0) *out = sums[0];
}
PAIR(no_filter) {
  const Zeros<int> out(1), in(64);
  tree<<<1, 64>>>(out, in, wrong);
}

// The last warp without __syncwarp(): the lanes of a warp need not run in step.
// pair: last_warp
// exact: race @read,@write sums
__global__ void warp_tree(int* out, const int* in, bool wrong) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = in[t];
  sums[t + 32] = in[t + 32];
  __syncwarp();
  for (int s = 32; s > 0; s /= 2) {
    const int sum = sums[t] + (t < s ? sums[t + s] : 0);  // @read
    if (!wrong) __syncwarp();
    sums[t] = sum;  // @write
    if (!wrong) __syncwarp();
  }
  if (t == 0) *out = sums[0];
}
PAIR(last_warp) {
  const Zeros<int> out(1), in(64);
  warp_tree<<<1, 32>>>(out, in, wrong);
}

// One sample is peeled off a loop that is unrolled by two, as an odd number of samples requires. The code does so in
// every tile, so it reads one sample too many in tiles with an even number.
// pair: peeled_sample
// contains: out-of-bounds:
__constant__ float samples[8];
__global__ void accumulate(float* q, int tile, int all) {
  float sum = 0;
  int k = 0;
  if (all % 2 == 1) sum += samples[k++];
  for (; k < tile; k += 2) sum += samples[k] + samples[k + 1];
  q[threadIdx.x] = sum;
}
PAIR(peeled_sample) {
  const Zeros<float> q(32);
  const float values[8] = {};
  cudaMemcpyToSymbol(samples, values, sizeof values);
  accumulate<<<1, 32>>>(q, 8, wrong ? 9 : 8);
}
