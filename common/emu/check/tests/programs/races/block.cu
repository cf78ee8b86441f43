// Races between the threads of a block.
#include "../pair.cuh"

// A tiled product: threads read the tiles while other threads fill them.
// pair: missing_barrier
// exact: race @fill,@use tile
// exact: race @fill_other,@use other
constexpr int size = 16;
__global__ void product(const float* a, const float* b, float* c, int n, bool wrong) {
  __shared__ float tile[size][size], other[size][size];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * size + ty, col = blockIdx.x * size + tx;
  float sum = 0;
  for (int t = 0; t < n; t += size) {
    tile[ty][tx] = a[row * n + t + tx];     // @fill
    other[ty][tx] = b[(t + ty) * n + col];  // @fill_other
    if (!wrong) __syncthreads();
    for (int k = 0; k < size; ++k) sum += tile[ty][k] * other[k][tx];  // @use
    __syncthreads();
  }
  c[row * n + col] = sum;
}
PAIR(missing_barrier) {
  const int n = 32;
  const Zeros<float> a(n * n), b(n * n), c(n * n);
  product<<<dim3(n / size, n / size), dim3(size, size)>>>(a, b, c, n, wrong);
}

// The same: the next iteration fills the tile while other threads still use it.
// pair: filled_too_soon
// exact: race @next,@used tile
// contains: first in the 2nd iteration of the loop at line
// contains: before the next iteration of the loop at line
__global__ void sums(const float* in, float* out, int turns, bool wrong) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < turns; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];  // @next
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += tile[k];  // @used
    if (!wrong) __syncthreads();
  }
  out[threadIdx.x] = sum;
}
PAIR(filled_too_soon) {
  const Zeros<float> in(256), out(64);
  sums<<<1, 64>>>(in, out, 4, wrong);
}

// A tree of sums in dynamic shared memory, without a barrier between its levels.
// pair: tree_without_barriers
// exact: race @level,@level part
// contains: a __syncthreads() belongs
// hint: , and write only then
__global__ void tree(const int* in, int* out, bool wrong) {
  extern __shared__ int part[];
  part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];  // @level
    if (!wrong) __syncthreads();
  }
  if (threadIdx.x == 0) *out = part[0];
}
PAIR(tree_without_barriers) {
  const Zeros<int> in(128), out(1);
  tree<<<1, 128, 128 * sizeof(int)>>>(in, out, wrong);
}

// All threads set one shared variable to different values.
// pair: one_variable_for_all
// exact: race @set,@set last
// contains: which value stays is a matter of chance
__global__ void last_of_all(int* out, bool wrong) {
  __shared__ int last;
  if (wrong || threadIdx.x == blockDim.x - 1) last = threadIdx.x;  // @set
  __syncthreads();
  out[threadIdx.x] = last;
}
PAIR(one_variable_for_all) {
  const Zeros<int> out(64);
  last_of_all<<<1, 64>>>(out, wrong);
}

// Structures with different values are copied as a whole.
// pair: two_structures_to_one_place
// exact: race @two,@two out
// exact: race @three,@three out3
// contains: which value stays is a matter of chance: give each thread its own element
struct Two {
  int a, b;
};
struct Three {
  int a, b, c;
};
__global__ void pack(const Two* two, const Three* three, Two* two_out, Three* three_out, bool wrong) {
  const int t = threadIdx.x, to = wrong ? t / 2 : t;
  two_out[to] = two[t];      // @two
  three_out[to] = three[t];  // @three
}
PAIR(two_structures_to_one_place) {
  Two two[64];
  Three three[64];
  for (int i = 0; i < 64; ++i) two[i] = {i, i}, three[i] = {i, i, i};
  const Zeros<Two> in(64), out(64);
  const Zeros<Three> in3(64), out3(64);
  cudaMemcpy(in, two, sizeof two, cudaMemcpyHostToDevice);
  cudaMemcpy(in3, three, sizeof three, cudaMemcpyHostToDevice);
  pack<<<1, 64>>>(in, in3, out, out3, wrong);
}
