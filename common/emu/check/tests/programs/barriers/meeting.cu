// Threads of a block that meet at different barriers.
#include "../pair.cuh"

// Each half of the block waits at its own barrier.
// pair: different_barriers
// exact: barrier @low,@high -
// hint: __syncthreads() in a branch is allowed only where all threads of the block take the same branch:
__global__ void halves(int* out, bool wrong) {
  if (!wrong)
    __syncthreads();
  else if (threadIdx.x < 32)
    __syncthreads();  // @low
  else
    __syncthreads();  // @high
  out[threadIdx.x] = threadIdx.x;
}
PAIR(different_barriers) {
  const Zeros<int> out(64);
  halves<<<1, 64>>>(out, wrong);
}

// Threads past the array's end return before the barrier.
// pair: some_have_returned
// exact: barrier-exited @barrier -
// contains: 24 of 64 threads of block (0,0,0) never reach this barrier
// hint: let all threads of the block reach the barrier, and guard only the work: if (i < n) { … } in
__global__ void early_return(int* data, int n, bool wrong) {
  __shared__ int part[64];
  const int i = threadIdx.x;
  if (wrong && i >= n) return;
  part[i] = i < n ? data[i] : 0;
  __syncthreads();  // @barrier
  if (i < n) data[i] = part[n - 1 - i];
}
PAIR(some_have_returned) {
  const Zeros<int> data(64);
  early_return<<<1, 64>>>(data, 40, wrong);
}

// The threads that return should have filled shared memory that others read, so the return is the cause.
// pair: returned_before_filling
// exact: barrier @barrier -
// exact: uninitialised @read part
// contains: guard only the work
// hint: shared memory is not cleared when a block begins: let the threads fill it, then __syncthreads()
__global__ void return_before_filling(int* data, int n, bool wrong) {
  __shared__ int part[64];
  const int i = threadIdx.x;
  if (wrong && i >= n) return;
  part[i] = i < n ? data[i] : 0;
  __syncthreads();  // @barrier
  if (i < n) data[i] = part[63 - i];  // @read
}
PAIR(returned_before_filling) {
  const Zeros<int> data(64);
  return_before_filling<<<1, 64>>>(data, 40, wrong);
}

// Only the first half of the block waits. The other half continues to its end.
// pair: only_half
// exact: barrier @half -
// hint: a barrier in an if is allowed only where all threads of the block go in: end the if before it, and
__global__ void only_half(int* out, bool wrong) {
  __shared__ int sum[64];
  sum[threadIdx.x] = 1;
  if (threadIdx.x < 32 || !wrong) __syncthreads();  // @half
  if (threadIdx.x < 32) out[threadIdx.x] = sum[31 - threadIdx.x];
}
PAIR(only_half) {
  const Zeros<int> out(64);
  only_half<<<1, 64>>>(out, wrong);
}

// A loop whose number of iterations differs between threads: at the end some threads wait alone.
// pair: turns_differ
// contains: barrier
// hint: do all threads run as many iterations of the loop at line
__global__ void turns_differ(int* out, bool wrong) {
  const int turns = wrong ? 1 + threadIdx.x % 2 : 2;
  for (int i = 0; i < turns; ++i) {
    out[threadIdx.x] += i;
    __syncthreads();
  }
  __syncthreads();
}
PAIR(turns_differ) {
  const Zeros<int> out(64);
  turns_differ<<<1, 64>>>(out, wrong);
}

// Threads without an element leave a function before its barrier. They meet the other threads at the next barrier.
// pair: function_left_early
// exact: barrier @loaded,@next -
// exact: barrier @next -
// hint: do some threads leave the function by the return at line
// hint: Let all threads of the block reach the barrier after it, and guard only the work
__device__ void load(int* s, const int* data, int n) {
  if (threadIdx.x >= n) return;
  s[threadIdx.x] = data[threadIdx.x];
  __syncthreads();  // @loaded
}
__device__ void load_or_pad(int* s, const int* data, int n) {
  s[threadIdx.x] = threadIdx.x < n ? data[threadIdx.x] : 0;
  __syncthreads();
}
__global__ void neighbours(int* data, int n, bool wrong) {
  __shared__ int s[64];
  if (wrong)
    load(s, data, n);
  else
    load_or_pad(s, data, n);
  const int sum = threadIdx.x + 1 < n ? s[threadIdx.x] + s[threadIdx.x + 1] : 0;
  for (int i = 0; i < 1; ++i) __syncthreads();  // @next
  if (threadIdx.x < n) data[threadIdx.x] = sum;
}
PAIR(function_left_early) {
  const Zeros<int> data(64);
  neighbours<<<1, 64>>>(data, 40, wrong);
}

// A thread waits for its warp, while the rest of the warp waits at the block's barrier.
// pair: warp_against_block
// contains: wait for others that never come
__global__ void warp_against_block(int* out, bool wrong) {
  if (threadIdx.x == 0 && wrong)
    __syncwarp();
  else
    __syncthreads();
  if (!wrong) __syncwarp();
  out[threadIdx.x] = 1;
}
PAIR(warp_against_block) {
  const Zeros<int> out(32);
  warp_against_block<<<1, 32>>>(out, wrong);
}

// A barrier in a function that is called in an if: the caller decides which threads reach it.
// pair: function_in_an_if
// exact: barrier @in_function -
// hint: end the if before it, and begin another one after it
__device__ void shift(int* s) {
  const int next = s[(threadIdx.x + 1) % 64];
  __syncthreads();  // @in_function
  s[threadIdx.x] = next;
}
__global__ void shift_half(int* out, int count) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < count) {
    shift(s);
  }
  out[threadIdx.x] = s[threadIdx.x];
}
PAIR(function_in_an_if) {
  const Zeros<int> out(64);
  shift_half<<<1, 64>>>(out, wrong ? 32 : 64);
}

// The condition of a loop is reset while other threads still read it. Threads that read the new value leave, and the
// barriers in the loop wait for them. The race is reported.
// pair: condition_set_back
// exact: race @back,@again changed
// lacks: do all threads run as many iterations
// hint: changed is overwritten while other threads may still read it: a __syncthreads() belongs at the
// hint: at the beginning of each iteration of the loop at line
__global__ void greatest_of_all(int* out, const int* in, bool wrong) {
  __shared__ int s[64];
  __shared__ bool changed;
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  do {
    if (!wrong) __syncthreads();
    changed = false;  // @back
    __syncthreads();
    const int next = s[(t + 1) % 64];
    __syncthreads();
    if (next > s[t]) {
      s[t] = next;
      changed = true;
    }
    __syncthreads();
  } while (changed);  // @again
  out[t] = s[t];
}
PAIR(condition_set_back) {
  int numbers[64];
  for (int i = 0; i < 64; ++i) numbers[i] = i * 37 % 64;
  const Zeros<int> out(64), in(64);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  greatest_of_all<<<1, 64>>>(out, in, wrong);
}

// The same mistake where an if leaves the loop.
// pair: loop_left_by_an_if
// exact: race @back,@leave changed
// hint: changed is overwritten while other threads may still read it: a __syncthreads() belongs after line
__global__ void until_no_change(int* out, const int* in, bool wrong) {
  __shared__ int s[64];
  __shared__ bool changed;
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  while (true) {
    changed = false;  // @back
    __syncthreads();
    const int next = s[(t + 1) % 64];
    __syncthreads();
    if (next > s[t]) {
      s[t] = next;
      changed = true;
    }
    __syncthreads();
    if (!changed) break;  // @leave
    if (!wrong) __syncthreads();
  }
  out[t] = s[t];
}
PAIR(loop_left_by_an_if) {
  int numbers[64];
  for (int i = 0; i < 64; ++i) numbers[i] = i * 37 % 64;
  const Zeros<int> out(64), in(64);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  until_no_change<<<1, 64>>>(out, in, wrong);
}
