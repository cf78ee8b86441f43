// Barriers of the grid, and waits for events that never come.
#include <cooperative_groups.h>

#include "../pair.cuh"

// grid.sync() in a launch that does not guarantee that all blocks run at the same time.
// pair: not_cooperative
// exact: barrier @sync -
// contains: cudaLaunchCooperativeKernel
__global__ void two_steps(int* data) {
  data[blockIdx.x] = 1;
  cooperative_groups::this_grid().sync();  // @sync
  data[blockIdx.x + 2] = data[1 - blockIdx.x];
}
PAIR(not_cooperative) {
  const Zeros<int> data(4);
  int* pointer = data;
  void* arguments[] = {&pointer};
  if (wrong)
    two_steps<<<2, 1>>>(pointer);
  else
    cudaLaunchCooperativeKernel(two_steps, 2, 1, arguments, 0, nullptr);
  cudaDeviceSynchronize();
}

// One block does not reach the grid's barrier.
// pair: a_block_stays_away
// contains: barrier
// hint: on a GPU the others wait forever: every block has to reach each grid.sync(), even one without
__global__ void some_blocks(int* data, bool wrong) {
  if (blockIdx.x == 0 && wrong) return;
  cooperative_groups::this_grid().sync();
  data[blockIdx.x] = 1;
}
PAIR(a_block_stays_away) {
  const Zeros<int> data(2);
  int* pointer = data;
  void* arguments[] = {&pointer, &wrong};
  cudaLaunchCooperativeKernel(some_blocks, 2, 1, arguments, 0, nullptr);
  cudaDeviceSynchronize();
}

// A thread polls a flag that no thread sets.
// pair: flag_never_set
// exact: barrier @poll -
__global__ void wait_for_flag(volatile int* flag, bool wrong) {
  if (threadIdx.x == 32 && !wrong) *flag = 1;
  if (threadIdx.x == 0)
    while (*flag == 0) {  // @poll
    }
}
PAIR(flag_never_set) {
  const Zeros<int> flag(1);
  wait_for_flag<<<1, 64>>>(flag, wrong);
  cudaDeviceSynchronize();
}

// A thread takes the same lock twice.
// pair: lock_taken_twice
// exact: barrier @lock -
__global__ void twice(int* lock, int* count, bool wrong) {
  for (int i = 0; i < 2; ++i) {
    while (atomicCAS(lock, 0, 1) != 0) {  // @lock
    }
    __threadfence();
    ++*count;
    __threadfence();
    if (!wrong) atomicExch(lock, 0);
  }
}
PAIR(lock_taken_twice) {
  const Zeros<int> lock(1), count(1);
  twice<<<1, 1>>>(lock, count, wrong);
  cudaDeviceSynchronize();
}

// The grid's barrier is in an if that a part of each block takes.
// pair: part_of_each_block
// exact: barrier @part -
// contains: 32 of 64 threads of block (0,0,0) go past the grid's barrier to the
__global__ void half_of_a_block(int* a, int count) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (threadIdx.x < count) {
    cooperative_groups::this_grid().sync();  // @part
  }
}
PAIR(part_of_each_block) {
  const Zeros<int> a(128);
  int* data = a;
  int count = wrong ? 32 : 64;
  void* arguments[] = {&data, &count};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(half_of_a_block), 2, 64, arguments, 0, nullptr);
}
