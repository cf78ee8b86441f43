// Asynchronous copies into shared memory without a wait for them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include "../pair.cuh"

namespace cg = cooperative_groups;

constexpr int threads = 64;

// The barrier does not wait for copies: each thread must wait for its own copies.
// pair: async_barrier_alone
// exact: async-copy @copy,@read tile
// contains: reads tile[63] (shared int[64]), which thread (63,0,0) copies asynchronously and has not waited for
// hint: each thread waits for its own copies, then __syncthreads() lets the others see them: __pipeline_wait_prior(n)
__global__ void reverse(int* out, const int* in, bool wrong) {
  __shared__ int tile[threads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));  // @copy
  __pipeline_commit();
  if (!wrong) __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[threads - 1 - t];  // @read
}
PAIR(async_barrier_alone) {
  const Zeros<int> in(threads), out(threads);
  reverse<<<1, threads>>>(out, in, wrong);
}

// A thread reads its own element.
// pair: async_own_element
// exact: async-copy @copy,@read tile
// contains: reads tile[0] (shared int[64]), which it copies asynchronously
__global__ void through(int* out, const int* in, bool wrong) {
  __shared__ int tile[threads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));  // @copy
  __pipeline_commit();
  if (!wrong) __pipeline_wait_prior(0);
  out[t] = tile[t];  // @read
}
PAIR(async_own_element) {
  const Zeros<int> in(threads), out(threads);
  through<<<1, threads>>>(out, in, wrong);
}

// Two tiles in turn: the used tile must be complete, and the next one may still be copied.
// pair: async_one_batch_too_few
// exact: async-copy @copy,@read tile
// contains: so n counts only batches that are not used yet
// hint: __pipeline_wait_prior(n) leaves the latest n batches under way, so n counts only batches that are not used yet
__global__ void two_tiles(int* out, const int* in, int tiles, bool wrong) {
  __shared__ int tile[2][threads];
  const int t = threadIdx.x;
  const auto fetch = [&](int which) {
    if (which < tiles) __pipeline_memcpy_async(&tile[which % 2][t], &in[which * threads + t], sizeof(int));  // @copy
    __pipeline_commit();
  };
  fetch(0);
  int sum = 0;
  for (int i = 0; i < tiles; ++i) {
    fetch(i + 1);
    __pipeline_wait_prior(wrong ? 2 : 1);
    __syncthreads();
    sum += tile[i % 2][threads - 1 - t];  // @read
    __syncthreads();
  }
  out[t] = sum;
}
PAIR(async_one_batch_too_few) {
  const Zeros<int> in(3 * threads), out(threads);
  two_tiles<<<1, threads>>>(out, in, 3, wrong);
}

// The batch has not been committed, so the wait has no effect.
// pair: async_never_committed
// exact: async-copy @copy,@read tile
// hint: a wait is for batches that have ended: __pipeline_commit() after the copies, then __pipeline_wait_prior()
__global__ void no_commit(int* out, const int* in, bool wrong) {
  __shared__ int tile[threads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));  // @copy
  if (!wrong) __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[threads - 1 - t];  // @read
}
PAIR(async_never_committed) {
  const Zeros<int> in(threads), out(threads);
  no_commit<<<1, threads>>>(out, in, wrong);
}

// A group's copy needs cg::wait(), and the group's barrier alone does not wait for the copy.
// pair: async_group
// exact: async-copy @copy,@read tile
// hint: (cg::wait(block) does both
__global__ void by_group(int* out, const int* in, bool wrong) {
  __shared__ int tile[threads];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof(tile));  // @copy
  if (wrong)
    block.sync();
  else
    cg::wait(block);
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];  // @read
}
PAIR(async_group) {
  const Zeros<int> in(threads), out(threads);
  by_group<<<1, threads>>>(out, in, wrong);
}

// The stage is released, but no thread has waited for it.
// pair: async_pipeline_of_a_thread
// exact: async-copy @copy,@read tile
__global__ void by_pipeline(int* out, const int* in, bool wrong) {
  __shared__ int tile[2][threads];
  const int t = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[i][t], &in[i * threads + t], sizeof(int), pipe);  // @copy
    pipe.producer_commit();
  }
  for (int i = 0; i < 2; ++i) {
    if (!wrong) pipe.consumer_wait();
    sum += tile[i][t];  // @read
    pipe.consumer_release();
  }
  out[t] = sum;
}
PAIR(async_pipeline_of_a_thread) {
  const Zeros<int> in(2 * threads), out(threads);
  by_pipeline<<<1, threads>>>(out, in, wrong);
}

// The same mistake in PTX, and a second copy into memory that the first copy is still filling.
// pair: async_ptx
// exact: async-copy @copy,@read tile
// hint: PTX: cp.async.wait_group
__global__ void by_ptx(int* out, const int* in, bool wrong) {
  __shared__ int tile[threads];
  const int t = threadIdx.x;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[t]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + t));  // @copy
  asm volatile("cp.async.commit_group;");
  if (!wrong) asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  out[t] = tile[threads - 1 - t];  // @read
}
PAIR(async_ptx) {
  const Zeros<int> in(threads), out(threads);
  by_ptx<<<1, threads>>>(out, in, wrong);
}
