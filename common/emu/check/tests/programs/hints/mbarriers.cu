// Threads in different roles meet at mbarriers, each at its own place, so a __syncthreads() would not suit
// them. Each right program is the wrong one plus the arrival or the wait that the hint requires.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>

#include "../pair.cuh"

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// The thread that fills the buffer arrives, but the threads that read it don't wait.
// pair: reader_does_not_wait
// exact: race @fill,@use buffer
// missing: mbarrier-wait
// hint: buffer is read while other threads may still be filling it: wait at the barrier full before line
// hint: for the phase in which there is an arrival
// lacks: __syncthreads
__global__ void first_fills(int* out, bool wrong) {
  __shared__ int buffer;
  __shared__ Barrier full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    buffer = 7;  // @fill
    static_cast<void>(full.arrive());
  } else if (threadIdx.x >= 32) {
    if (!wrong) full.wait_parity(false);
    out[threadIdx.x] = buffer;  // @use
  }
}
PAIR(reader_does_not_wait) {
  const Zeros<int> out(96);
  first_fills<<<1, 96>>>(out, wrong);
}

// The same mistake, but the readers run first. They read unwritten elements, so the readers are not too late.
// pair: reader_does_not_wait_and_comes_first
// exact: race @fill,@use buffer
// missing: mbarrier
// hint: buffer is read while other threads may still be filling it:
// lacks: overwritten
// lacks: __syncthreads
__global__ void last_fills(int* out, bool wrong) {
  __shared__ int buffer;
  __shared__ Barrier full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  if (threadIdx.x == 64) {
    buffer = 7;  // @fill
    static_cast<void>(full.arrive());
  } else {
    if (!wrong) full.wait_parity(false);
    out[threadIdx.x] = buffer;  // @use
  }
}
PAIR(reader_does_not_wait_and_comes_first) {
  const Zeros<int> out(64);
  last_fills<<<1, 65>>>(out, wrong);
}

// The thread that fills the buffer arrives before the buffer is full.
// pair: arrived_before_filling
// exact: race @fill,@use buffer
// missing: mbarrier
// hint: arrive at the barrier full after line
// hint: , and wait there for that before line
// lacks: __syncthreads
__global__ void arrives_first(int* out, bool wrong) {
  __shared__ int buffer[32];
  __shared__ Barrier full;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) init(&full, 32);
  __syncthreads();
  if (threadIdx.x < 32) {
    if (wrong) static_cast<void>(full.arrive());
    buffer[lane] = lane;  // @fill
    if (!wrong) static_cast<void>(full.arrive());
  } else {
    full.wait_parity(false);
    out[lane] = buffer[31 - lane];  // @use
  }
}
PAIR(arrived_before_filling) {
  const Zeros<int> out(32);
  arrives_first<<<1, 64>>>(out, wrong);
}

// The thread that fills the buffer does not wait until the buffer is free again.
// pair: filled_again_too_soon
// exact: race @fill,@use buffer
// missing: mbarrier-wait
// hint: buffer is overwritten while other threads may still read it: wait at the barrier empty before line
// lacks: __syncthreads
__global__ void fills_again(int* out, bool wrong) {
  __shared__ int buffer;
  __shared__ Barrier full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
  }
  __syncthreads();
  for (int turn = 0; turn < 3; ++turn)
    if (threadIdx.x == 32) {
      if (!wrong && turn > 0) empty.wait_parity((turn - 1) % 2);
      buffer = turn;  // @fill
      static_cast<void>(full.arrive());
      if (wrong) __nanosleep(100);
    } else {
      full.wait_parity(turn % 2);
      out[threadIdx.x] += buffer;  // @use
      static_cast<void>(empty.arrive());
    }
}
PAIR(filled_again_too_soon) {
  const Zeros<int> out(32);
  fills_again<<<1, 33>>>(out, wrong);
}

// The same mistake in PTX, whose barrier is a word.
// pair: mbarrier_of_ptx
// exact: race @fill,@use buffer
// missing: mbarrier
// hint: arrive at the barrier full after line
// lacks: __syncthreads
__device__ void arrive(unsigned at) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(at) : "memory");
}
__device__ void wait(unsigned at, unsigned parity) {
  unsigned over = 0;
  while (over == 0)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(at), "r"(parity)
                 : "memory");
}
__global__ void by_ptx(int* out, bool wrong) {
  __shared__ int buffer[32];
  __shared__ unsigned long long full;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&full));
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at) : "memory");
  __syncthreads();
  if (threadIdx.x < 32) {
    if (wrong) arrive(at);
    buffer[lane] = lane;  // @fill
    if (!wrong) arrive(at);
  } else {
    wait(at, 0);
    out[lane] = buffer[31 - lane];  // @use
  }
}
PAIR(mbarrier_of_ptx) {
  const Zeros<int> out(32);
  by_ptx<<<1, 64>>>(out, wrong);
}

// A pipeline of the block: the threads that compute do not wait for the stage.
// pair: stage_not_waited_for
// exact: race @fill,@use stage
// hint: commit the stage (producer_commit()) after line
// hint: , and wait for it (consumer_wait()) before line
// lacks: __syncthreads
__global__ void staged(int* out, const int* in, bool wrong) {
  __shared__ int stage[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  const bool fills = threadIdx.x < 32;
  auto pipeline = cuda::make_pipeline(block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int turn = 0; turn < 2; ++turn)
    if (fills) {
      pipeline.producer_acquire();
      stage[turn % 2][threadIdx.x] = in[threadIdx.x];  // @fill
      pipeline.producer_commit();
    } else {
      if (!wrong) pipeline.consumer_wait();
      out[threadIdx.x - 32] += stage[turn % 2][63 - threadIdx.x];  // @use
      pipeline.consumer_release();
    }
}
PAIR(stage_not_waited_for) {
  const Zeros<int> out(32), in(32);
  staged<<<1, 64>>>(out, in, wrong);
}

// The opposite mistake: the stage is released before it has been read.
// pair: stage_released_too_soon
// exact: race @fill,@use stage
// hint: release the stage (consumer_release()) after line
// hint: , and acquire it (producer_acquire()) before line
// lacks: __syncthreads
__global__ void released(int* out, const int* in, bool wrong) {
  __shared__ int stage[32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  const cg::thread_block block = cg::this_thread_block();
  const bool fills = threadIdx.x < 32;
  auto pipeline = cuda::make_pipeline(block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int turn = 0; turn < 4; ++turn)
    if (fills) {
      pipeline.producer_acquire();
      stage[threadIdx.x] = in[threadIdx.x];  // @fill
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      if (wrong) pipeline.consumer_release();
      out[threadIdx.x - 32] += stage[63 - threadIdx.x];  // @use
      if (!wrong) pipeline.consumer_release();
    }
}
PAIR(stage_released_too_soon) {
  const Zeros<int> out(32), in(32);
  released<<<1, 64>>>(out, in, wrong);
}

// All threads arrive at the mbarrier, and read before they wait.
// pair: read_between_arrival_and_wait
// exact: race @write,@read values
// missing: mbarrier-wait
// hint: wait at the barrier all before line
// lacks: __syncthreads
__global__ void two_halves(int* out, bool wrong) {
  __shared__ int values[64];
  __shared__ Barrier all;
  if (threadIdx.x == 0) init(&all, 64);
  __syncthreads();
  values[threadIdx.x] = threadIdx.x;  // @write
  auto token = all.arrive();
  if (!wrong) all.wait(std::move(token));
  out[threadIdx.x] = values[63 - threadIdx.x];  // @read
  if (wrong) all.wait(std::move(token));
}
PAIR(read_between_arrival_and_wait) {
  const Zeros<int> out(64);
  two_halves<<<1, 64>>>(out, wrong);
}

// An mbarrier at which all threads arrive and wait replaces a __syncthreads(), which is as good.
// pair: beside_a_barrier_of_all
// exact: race @write,@read values
// missing: block-barrier
// hint: a __syncthreads() belongs between lines
__global__ void in_place_of_syncthreads(int* out, bool wrong) {
  __shared__ int values[64];
  __shared__ Barrier all;
  if (threadIdx.x == 0) init(&all, 64);
  __syncthreads();
  values[threadIdx.x] = threadIdx.x;
  all.arrive_and_wait();
  const int other = values[63 - threadIdx.x];  // @read
  if (!wrong) __syncthreads();
  values[threadIdx.x] = other + 1;  // @write
  __syncthreads();
  out[threadIdx.x] = values[63 - threadIdx.x];
}
PAIR(beside_a_barrier_of_all) {
  const Zeros<int> out(64);
  in_place_of_syncthreads<<<1, 64>>>(out, wrong);
}
