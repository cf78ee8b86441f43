// Atomic functions: their scope, and the accesses that they order.
#include "../pair.cuh"

// Several blocks use an atomic function whose scope is the block.
// pair: block_scope
// exact: race @add,@add count
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

// One thread uses an atomic function, and another a plain store.
// pair: atomic_and_plain
// exact: race @add,@plain count
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

// A plain read before atomicMax: only the program's own atomicCAS would notice that the value was stale.
// pair: look_before_max
// exact: race @max,@look most
// hint: atomicMax() compares by itself
// hint: compares by itself: leave out the comparison at line
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

// Atomic functions in shared memory, whose result is read without a barrier.
// pair: histogram_without_barrier
// exact: race @add,@read bins
// hint: reads without an atomic function what other threads change by atomicAdd(): a __syncthreads() belongs
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

// The maximum of integers and of other numbers. As `+=` becomes atomicAdd, this becomes atomicMax.
// pair: maximum_by_hand
// exact: race @max,@max most
// hint: atomicMax() compares and writes in one step; or find the greatest one in a reduction, where the values are no integers
__global__ void maximum(int* most, const int* in, bool wrong) {
  if (wrong)
    *most = max(*most, in[threadIdx.x]);  // @max
  else
    atomicMax(most, in[threadIdx.x]);
}
PAIR(maximum_by_hand) {
  const Zeros<int> most(1), in(64);
  maximum<<<2, 64>>>(most, in, wrong);
}

// pair: minimum_of_floats
// exact: race @min,@min least
// hint: one of their updates is lost: find the least one in a reduction (atomicMin is for integers)
__global__ void minimum(float* least, const float* in, bool wrong) {
  if (wrong) {
    *least = fminf(*least, in[threadIdx.x]);  // @min
    return;
  }
  float mine = in[threadIdx.x];
  for (int lanes = 16; lanes > 0; lanes /= 2) mine = fminf(mine, __shfl_down_sync(0xffffffffu, mine, lanes));
  if (threadIdx.x == 0) *least = mine;
}
PAIR(minimum_of_floats) {
  const Zeros<float> least(1), in(32);
  minimum<<<1, 32>>>(least, in, wrong);
}

// A plain read before an atomic function other than a compare-and-swap is a race.
// pair: look_before_others
// exact: race @inc,@look_inc counts
// exact: race @dec,@look_dec counts
// exact: race @min_update,@look_min counts
// exact: race @add,@look_add sum
__global__ void look_first(unsigned* counts, float* sum, bool wrong) {
  if (!wrong || counts[0] < 100)  // @look_inc
    atomicInc(&counts[0], 1000);  // @inc
  if (!wrong || counts[1] < 100)  // @look_dec
    atomicDec(&counts[1], 50);    // @dec
  if (!wrong || counts[2] < 100)  // @look_min
    atomicMin(&counts[2], 99 - threadIdx.x);    // @min_update
  if (!wrong || sum[0] < 100)     // @look_add
    atomicAdd(&sum[0], 1.0f);     // @add
}
PAIR(look_before_others) {
  const Zeros<unsigned> counts(3);
  const unsigned most = 99;
  cudaMemcpy(counts + 2, &most, sizeof most, cudaMemcpyHostToDevice);
  const Zeros<float> sum(1);
  look_first<<<2, 32>>>(counts, sum, wrong);
}

// One thread sets the counter, and all threads count in it, with no barrier between.
// pair: set_and_counted
// exact: race @set,@count n
// hint: writes without an atomic function what other threads change by atomicAdd(): a __syncthreads() belongs between lines
__global__ void count_all(int* out, bool wrong) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;  // @set
  if (!wrong) __syncthreads();
  atomicAdd(&n, 1);  // @count
  __syncthreads();
  if (threadIdx.x == 0) *out = n;
}
PAIR(set_and_counted) {
  const Zeros<int> out(1);
  count_all<<<1, 64>>>(out, wrong);
}

// One block stores a value where the other blocks add.
// pair: stored_where_others_add
// exact: race @store,@add data
// hint: writes without an atomic function what other blocks change by atomicAdd(): use atomicExch() there, or set it before
__global__ void two_ways(int* data, bool wrong) {
  if (wrong && blockIdx.x + 1 == gridDim.x)
    data[threadIdx.x] = 7;  // @store
  else
    atomicAdd(&data[threadIdx.x], 7);  // @add
}
PAIR(stored_where_others_add) {
  const Zeros<int> data(64);
  two_ways<<<4, 64>>>(data, wrong);
}

// The same with several blocks: only code before the kernel runs before all of them.
// pair: set_and_counted_by_blocks
// exact: race @set,@count n
// hint: there, or set it before the kernel (cudaMemset)
__global__ void count_blocks(int* n, bool wrong) {
  if (wrong && blockIdx.x == 0) *n = 0;  // @set
  atomicAdd(n, 1);  // @count
}
PAIR(set_and_counted_by_blocks) {
  const Zeros<int> n(1);
  count_blocks<<<4, 1>>>(n, wrong);
}

// The user's own atomic function avoids the loop by a plain read, although other threads change the value.
// pair: look_before_own_loop
// exact: race @swap,@look most
// hint: reads plainly what others change by atomicCAS() at line
// hint: at the same time: where a value that is no longer there does no harm, because it only saves the atomicCAS(), read it
// hint: read it through a pointer to volatile, or by an atomic function (atomicAdd(p, 0))
// missing: atomic
__device__ float raise_to(float* most, float value, bool wrong) {
  volatile float* const watched = most;
  float seen;
  if (wrong)
    seen = *most;  // @look
  else
    seen = *watched;
  if (seen >= value) return seen;
  int* const bits = reinterpret_cast<int*>(most);
  int old = __float_as_int(seen), expected;
  do {
    expected = old;
    const float next = fmaxf(value, __int_as_float(expected));
    old = atomicCAS(bits, expected, __float_as_int(next));  // @swap
  } while (old != expected);
  return __int_as_float(old);
}
__global__ void greatest_float(float* most, const float* values, bool wrong) {
  raise_to(most, values[blockIdx.x * blockDim.x + threadIdx.x], wrong);
}
PAIR(look_before_own_loop) {
  const Zeros<float> most(1), values(128);
  float host[128];
  for (int i = 0; i < 128; ++i) host[i] = i * 37 % 128;
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  greatest_float<<<2, 64>>>(most, values, wrong);
}

// The same mistake in shared memory, where the right twin reads by an atomic function.
// pair: look_before_own_loop_in_a_block
// exact: race @swap,@look least
// hint: because it only saves the atomicCAS(), read it by an atomic function (atomicAdd(p, 0))
__device__ void lower_to(int* least, int value, bool wrong) {
  int old = wrong ? *least : atomicAdd(least, 0);  // @look
  while (old > value) {
    const int seen = atomicCAS(least, old, value);  // @swap
    if (seen == old) return;
    old = seen;
  }
}
__global__ void least_of_block(int* out, const int* values, bool wrong) {
  __shared__ int least;
  if (threadIdx.x == 0) least = 1 << 30;
  __syncthreads();
  lower_to(&least, values[threadIdx.x], wrong);
  __syncthreads();
  if (threadIdx.x == 0) *out = least;
}
PAIR(look_before_own_loop_in_a_block) {
  const Zeros<int> out(1), values(64);
  int host[64];
  for (int i = 0; i < 64; ++i) host[i] = 1 + i * 37 % 64;
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  least_of_block<<<1, 64>>>(out, values, wrong);
}
