// Message passing between blocks, with fences and atomic flags.
#include <cuda/barrier>
#include <utility>

#include "../pair.cuh"

// The last block sums the values that all blocks wrote. Only a fence before the counter makes them visible.
// pair: last_block
// exact: race @part,@sum partial
__device__ unsigned finished;
__global__ void sum(int* partial, int* out, bool wrong) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x;  // @part
    if (!wrong) __threadfence();
    is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0)
    for (unsigned b = 0; b < gridDim.x; ++b) *out += partial[b];  // @sum
}
PAIR(last_block) {
  const Zeros<int> partial(8), out(1);
  sum<<<8, 64>>>(partial, out, wrong);
}

// One block passes data to another through a flag.
// pair: message
// exact: race @data,@got data
__global__ void pass(int* data, int* flag, int* out, bool wrong) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 42;  // @data
      if (!wrong) __threadfence();
      atomicExch(flag, 1);
    }
  } else if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = data[0];  // @got
  }
}
PAIR(message) {
  int* data;
  cudaMalloc(&data, sizeof(int));
  const Zeros<int> flag(1), out(1);
  pass<<<2, 32>>>(data, flag, out, wrong);
  cudaDeviceSynchronize();
  cudaFree(data);
}

// The last block resets the counter for the next launch. The reset happens after the work of all other
// blocks, if these released their work by a fence.
// pair: counter_set_back
// contains: race: two blocks touch
__device__ unsigned arrived;
__global__ void total(int* partial, int* out, bool wrong) {
  __shared__ bool is_last;
  partial[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (!wrong) __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&arrived, 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  atomicAdd(out, partial[threadIdx.x * gridDim.x]);
  if (threadIdx.x == 0) arrived = 0;
}
PAIR(counter_set_back) {
  const Zeros<int> partial(256), out(1);
  for (int turn = 0; turn < 2; ++turn) total<<<4, 64>>>(partial, out, wrong);
}

// The block with the highest number is not the last one in time. Only the counter shows which block is last.
// pair: last_by_number
// exact: race @add,@mean sum
// hint: reads while other blocks still change it: read the result in the next kernel, or in the last block
__global__ void mean(const int* in, int* sum, int* out, bool wrong) {
  atomicAdd(sum, in[blockIdx.x]);  // @add
  if (wrong && blockIdx.x == gridDim.x - 1) *out = *sum / gridDim.x;  // @mean
}
__global__ void divide(const int* sum, int* out, int n) {
  *out = *sum / n;
}
PAIR(last_by_number) {
  const Zeros<int> in(8), sum(1), out(1);
  mean<<<8, 1>>>(in, sum, out, wrong);
  divide<<<1, 1>>>(sum, out, 8);
}

// All threads wait for a phase of an mbarrier, and read the data of the next phase before they wait for that phase. By
// then the data has been written, and its writer has arrived.
// pair: next_phase_handed_on
// exact: race @fill,@use buffer
__global__ void next_phase(int* out, bool wrong) {
  __shared__ int buffer;
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  if (threadIdx.x == 0) init(&all, 64);
  __syncthreads();
  all.arrive_and_wait();
  if (threadIdx.x == 63) buffer = 7;  // @fill
  auto token = all.arrive();
  if (!wrong) all.wait(std::move(token));
  out[threadIdx.x] = buffer;  // @use
  if (wrong) all.wait(std::move(token));
}
PAIR(next_phase_handed_on) {
  const Zeros<int> out(64);
  next_phase<<<1, 64>>>(out, wrong);
}

// The completion function runs after all arrivals and before the waiting threads. Here it adds others' values.
// pair: completed_too_early
// exact: race @part,@sum parts
struct Sum {
  const int* parts;
  int* total;
  __device__ void operator()() const {
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += parts[i];  // @sum
    *total = sum;
  }
};
__global__ void summed(int* out, bool wrong) {
  __shared__ int parts[64], total;
  __shared__ cuda::barrier<cuda::thread_scope_block, Sum> all;
  if (threadIdx.x == 0) init(&all, 64, Sum{parts, &total});
  parts[threadIdx.x] = 0;
  __syncthreads();
  if (!wrong) parts[threadIdx.x] = threadIdx.x;
  auto token = all.arrive();
  if (wrong) parts[threadIdx.x] = threadIdx.x;  // @part
  all.wait(std::move(token));
  out[threadIdx.x] = total;
}
PAIR(completed_too_early) {
  const Zeros<int> out(64);
  summed<<<1, 64>>>(out, wrong);
}

// A polled flag: the waiting thread runs first, so that the value is written while the thread polls.
// pair: polled_flag
// exact: race @data,@got sent
__device__ volatile int ready;
__device__ int sent;
__global__ void polled(int* out, bool wrong) {
  if (blockIdx.x == 1) {
    sent = 5;  // @data
    if (!wrong) __threadfence();
    ready = 1;
  } else {
    while (ready == 0) {
    }
    __threadfence();
    *out = sent;  // @got
  }
}
PAIR(polled_flag) {
  const Zeros<int> out(1);
  polled<<<2, 1>>>(out, wrong);
}

// The same between two warps.
// pair: polled_in_shared
// exact: race @data,@got sent
__global__ void polled_in_shared(int* out, bool wrong) {
  __shared__ volatile int ready;
  __shared__ int sent;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    sent = 5;  // @data
    if (!wrong) __threadfence_block();
    ready = 1;
  } else if (threadIdx.x == 0) {
    while (ready == 0) {
    }
    __threadfence_block();
    *out = sent;  // @got
  }
}
PAIR(polled_in_shared) {
  const Zeros<int> out(1);
  polled_in_shared<<<1, 64>>>(out, wrong);
}

// A barrier of all blocks that is written by hand: each block counts itself, and polls the counter.
// pair: polled_counter
// exact: race @part,@other parts
__device__ unsigned here;
__global__ void blocks_meet(int* parts, int* out, bool wrong) {
  parts[blockIdx.x] = blockIdx.x;  // @part
  if (!wrong) __threadfence();
  atomicAdd(&here, 1);
  while (*(volatile unsigned*)&here < gridDim.x) {
  }
  out[blockIdx.x] = parts[(blockIdx.x + 1) % gridDim.x];  // @other
}
PAIR(polled_counter) {
  const Zeros<int> parts(4), out(4);
  blocks_meet<<<4, 1>>>(parts, out, wrong);
}

// A lock whose holders are not ordered: atomic functions are relaxed.
// pair: lock_without_fences
// exact: race @guarded,@guarded total
// hint: write __threadfence() after it is taken, and another one before it is released
__device__ int lock_of_total;
__global__ void add_guarded(int* total, bool wrong) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock_of_total, 0, 1) != 0) {
  }
  if (!wrong) __threadfence();
  *total += blockIdx.x;  // @guarded
  if (!wrong) __threadfence();
  atomicExch(&lock_of_total, 0);
}
PAIR(lock_without_fences) {
  const Zeros<int> total(1);
  add_guarded<<<4, 32>>>(total, wrong);
}

// Each block takes a lock of its own. The fences are there.
// pair: lock_of_each_block
// exact: race @own_lock,@own_lock total
// hint: do all threads take the same lock?
// lacks: write __threadfence()
__global__ void add_by_locks(int* total, int* locks, bool wrong) {
  if (threadIdx.x != 0) return;
  int* const lock = locks + (wrong ? blockIdx.x : 0);
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *total += blockIdx.x;  // @own_lock
  __threadfence();
  atomicExch(lock, 0);
}
PAIR(lock_of_each_block) {
  const Zeros<int> total(1), locks(4);
  add_by_locks<<<4, 32>>>(total, locks, wrong);
}
