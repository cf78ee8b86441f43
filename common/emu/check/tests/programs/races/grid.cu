// Races between the blocks of a launch.
#include "../pair.cuh"

// Blocks count without an atomic function.
// pair: lost_update
// exact: race @count,@count count
// contains: one of their updates is lost: use atomicAdd
// hint: use atomicAdd or its like (atomicMax …), or sum up in a reduction
// hint: two threads read the same old value, and one of their updates is lost: use atomicAdd or its like
__global__ void tally(int* count, bool wrong) {
  if (wrong)
    *count += 1;  // @count
  else
    atomicAdd(count, 1);
}
PAIR(lost_update) {
  const Zeros<int> count(1);
  tally<<<4, 64>>>(count, wrong);
}

// Relaxation and copy in one kernel with only __syncthreads() between: neighbouring blocks race.
// pair: neighbour_blocks
// exact: race @mean,@copy data
// missing: grid-order
__global__ void relax(float* data, int n, bool wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float mean = i;
  if (wrong && i > 0 && i < n - 1) mean = data[i - 1] + data[i + 1];  // @mean
  __syncthreads();
  if (i < n) data[i] = mean;  // @copy
}
PAIR(neighbour_blocks) {
  const int n = 256;
  const Zeros<float> data(n);
  relax<<<4, 64>>>(data, n, wrong);
}

// All blocks read a value that the last block changes after its own barrier.
// pair: changed_by_the_last
// exact: race @seed,@next seed
__global__ void draw(unsigned* seed, unsigned* out, bool wrong) {
  const unsigned value = *seed;  // @seed
  out[blockIdx.x * blockDim.x + threadIdx.x] = value + threadIdx.x;
  __syncthreads();
  if (wrong && blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *seed = value + 1;  // @next
}
PAIR(changed_by_the_last) {
  const Zeros<unsigned> seed(1), out(256);
  draw<<<4, 64>>>(seed, out, wrong);
}

// Any value may remain, unless all threads write the same one.
// pair: same_value
// exact: race @mark,@mark flag
__global__ void mark(const int* data, int* flag, bool wrong) {
  if (data[threadIdx.x] == 0) *flag = wrong ? blockIdx.x + 1 : 1;  // @mark
}
PAIR(same_value) {
  const Zeros<int> data(64), flag(1);
  mark<<<4, 64>>>(data, flag, wrong);
}

// The index lacks blockIdx: all blocks compute the same elements, and no block computes the others.
// pair: blocks_repeat_each_other
// contains: same-work: threads with the same threadIdx
// contains: does the index lack blockIdx?
// hint: does the index lack blockIdx? That way each block computes what another one has computed already
__global__ void squares(const int* in, int* out, bool wrong) {
  const int i = wrong ? threadIdx.x : blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * in[i];
  if (in[i] == 0) out[1000] = 1;  // several threads may have found it: that is no mistake
}
PAIR(blocks_repeat_each_other) {
  const Zeros<int> in(256), out(1024);
  squares<<<4, 64>>>(in, out, wrong);
}

// The same with different values.
// pair: blocks_overwrite_each_other
// exact: race @place,@place out
// hint: the index is the same in each block: does it lack blockIdx.x * blockDim.x?
// lacks: own element
__global__ void places(int* out, bool wrong) {
  const int i = wrong ? threadIdx.x : blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = blockIdx.x;  // @place
}
PAIR(blocks_overwrite_each_other) {
  const Zeros<int> out(256);
  places<<<4, 64>>>(out, wrong);
}

// The index is right in this pair. The results of the blocks must be added.
// pair: parts_of_blocks_stored
// exact: race @part,@part out
// hint: the index is the same in each block
// hint: If each block computes a part of the result, add the parts by an atomic function
__global__ void add_parts(const int* in, int* out, int of_each, bool wrong) {
  int part = 0;
  for (int k = 0; k < of_each; ++k) part += in[(blockIdx.x * of_each + k) * blockDim.x + threadIdx.x] + 1 + blockIdx.x;
  if (wrong)
    out[threadIdx.x] = part;  // @part
  else
    atomicAdd(&out[threadIdx.x], part);
}
PAIR(parts_of_blocks_stored) {
  const Zeros<int> in(4 * 3 * 64), out(64);
  add_parts<<<4, 64>>>(in, out, 3, wrong);
}

// Only the index of the rows lacks the block.
// pair: rows_lack_the_block
// exact: race @row,@row out
// hint: the index is the same in each block: does it lack blockIdx.y * blockDim.y?
__global__ void rows(int* out, int width, bool wrong) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = wrong ? threadIdx.y : blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = blockIdx.y;  // @row
}
PAIR(rows_lack_the_block) {
  const Zeros<int> out(32 * 32);
  rows<<<dim3(2, 4), dim3(16, 8)>>>(out, 32, wrong);
}

// Each block passes over the whole array, and changes it again.
// pair: loop_of_each_block
// exact: race @twice,@twice data
// hint: each block runs the loop at line
// hint: over the same elements: should it begin at
// hint: should it begin at blockIdx.x * blockDim.x + threadIdx.x and step by gridDim.x * blockDim.x?
// contains: If all blocks are to change the same elements, use atomicAdd
__global__ void add_one(int* data, int n, bool wrong) {
  if (wrong)
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] += 1;  // @twice
  else
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] += 1;
}
PAIR(loop_of_each_block) {
  const Zeros<int> data(200);
  add_one<<<3, 32>>>(data, 200, wrong);
}

// One thread of each block adds to one sum, which is intended.
// pair: sum_of_blocks
// exact: race @sum,@sum sum
// lacks: the index is the same
// hint: two threads read the same old value, and one of their updates is lost: use atomicAdd
__global__ void sum_of_blocks(int* sum, bool wrong) {
  if (threadIdx.x != 0) return;
  if (wrong)
    sum[0] += blockIdx.x;  // @sum
  else
    atomicAdd(&sum[0], blockIdx.x);
}
PAIR(sum_of_blocks) {
  const Zeros<int> sum(1);
  sum_of_blocks<<<4, 64>>>(sum, wrong);
}

// The first two threads write the same value. The reported pair of threads writes different ones.
// pair: values_that_differ
// exact: race @differ,@differ out
// contains: write by thread (1,0,0)
// contains: write by thread (2,0,0)
__global__ void differ(int* out, bool wrong) {
  if (threadIdx.x < 3) out[wrong ? 0 : threadIdx.x] = threadIdx.x / 2;  // @differ
}
PAIR(values_that_differ) {
  const Zeros<int> out(3);
  differ<<<1, 32>>>(out, wrong);
}

// A barrier orders only the threads of one block. The hint says this for memory that all blocks share.
// pair: barrier_for_global_memory
// exact: race @write_own,@read_next a
// hint: . It orders this block alone: where other blocks touch the array too, write to another one, or go on in another kernel
__global__ void shift_global(int* a, int* out, bool wrong) {
  a[threadIdx.x] = threadIdx.x;  // @write_own
  if (!wrong) __syncthreads();
  out[threadIdx.x] = a[(threadIdx.x + 1) % 64];  // @read_next
}
PAIR(barrier_for_global_memory) {
  const Zeros<int> a(64), out(64);
  shift_global<<<1, 64>>>(a, out, wrong);
}

// Structures with different values are copied as a whole.
// pair: two_structures_to_one_place
// exact: race @copy,@copy out
struct Two {
  int a, b;
};
__global__ void pack(const Two* in, Two* out, bool wrong) {
  out[wrong ? blockIdx.x / 2 : blockIdx.x] = in[blockIdx.x];  // @copy
}
PAIR(two_structures_to_one_place) {
  Two numbers[64];
  for (int i = 0; i < 64; ++i) numbers[i] = {i, i};
  const Zeros<Two> in(64), out(64);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  pack<<<64, 1>>>(in, out, wrong);
}
