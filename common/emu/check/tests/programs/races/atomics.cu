// Atomic functions: their scope, and what they order.
#include "../pair.cuh"

// An atomic function that holds within a block only, used by several blocks.
// pair: block_scope
// exact: race @add,@add data
// hint: atomics that end in _block order the threads of one block only: use the plain form
__global__ void tally(int* count, bool wrong) {
  if (wrong)
    atomicAdd_block(count, 1);  // @add
  else
    atomicAdd(count, 1);
}
PAIR(block_scope) {
  const Zeros<int> count(1);
  tally<<<4, 64>>>(count, wrong);
}

// An atomic function in one thread, a plain store in another.
// pair: atomic_and_plain
// exact: race @add,@plain data
__global__ void mixed(int* count, bool wrong) {
  if (threadIdx.x != 0 || blockIdx.x != 0)
    atomicAdd(count, 1);  // @add
  else if (wrong)
    *count = 5;  // @plain
  else
    atomicExch(count, 5);
}
PAIR(atomic_and_plain) {
  const Zeros<int> count(1);
  mixed<<<1, 64>>>(count, wrong);
}

// A plain look before atomicMax: only the program's own atomicCAS would notice that it was stale.
// pair: look_before_max
// exact: race @max,@look data
// hint: atomicMax() compares by itself: leave out the comparison at line
// hint: , which may read a value that is old
__global__ void greatest(int* most, const int* values, bool wrong) {
  const int value = values[threadIdx.x];
  if (wrong) {
    if (*most < value)            // @look
      atomicMax(most, value);     // @max
  } else {
    atomicMax(most, value);
  }
}
PAIR(look_before_max) {
  const Zeros<int> most(1), values(64);
  int host[64];
  for (int i = 0; i < 64; ++i) host[i] = i + 1;
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  greatest<<<1, 64>>>(most, values, wrong);
}

// Atomic functions in shared memory, and the result read without a barrier.
// pair: histogram_without_barrier
// exact: race @add,@read bins
// hint: without an atomic function what other threads change by one:
__global__ void histogram(int* out, bool wrong) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 8], 1);  // @add
  if (!wrong) __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];  // @read
}
PAIR(histogram_without_barrier) {
  const Zeros<int> out(8);
  histogram<<<1, 128>>>(out, wrong);
}
