// Programs that crash or end early: the checker reports its findings first.
#include <cassert>
#include <cstdlib>
#include <stdexcept>

#include "../pair.cuh"

__global__ void put_one(int* out) {
  out[threadIdx.x] = 1;
}

// The host's own check fails, since the launch never ran.
// pair: assert_fails
// exact: launch @launch -
// error: Assertion
PAIR(assert_fails) {
  static int result[32];
  const Zeros<int> out(32);
  const int threads = wrong ? 2048 : 32;
  put_one<<<1, threads>>>(out);  // @launch
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  assert(result[31] == 1);
}

// The host accesses memory through a null pointer.
// pair: segmentation_fault
// exact: launch @launch -
// exact: null-pointer @null -
// contains: host code uses a null pointer
// hint: is the pointer set before this line, and did the call that sets it succeed?
// error: never ran
PAIR(segmentation_fault) {
  static int result[32];
  const Zeros<int> out(32);
  put_one<<<1, wrong ? 2048 : 32>>>(out);  // @launch
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  int* volatile found = result[31] == 1 ? result : nullptr;
  *found = 2;  // @null
}

// No code catches the host's exception.
// pair: thrown
// exact: launch @launch -
// error: terminate called
PAIR(thrown) {
  static int result[32];
  const Zeros<int> out(32);
  put_one<<<1, wrong ? 2048 : 32>>>(out);  // @launch
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  const auto check = [&]() noexcept {
    if (result[31] != 1) throw std::runtime_error("no result");
  };
  check();
}

// The program ends by quick_exit().
// pair: ends_quickly
// exact: launch @launch -
PAIR(ends_quickly) {
  int* out = nullptr;
  cudaMalloc(&out, 128);
  put_one<<<1, wrong ? 2048 : 32>>>(out);  // @launch
  cudaFree(out);
  std::quick_exit(0);
}

// The host accesses memory past the end of pinned memory.
// pair: past_pinned_memory
// exact: out-of-bounds @past pinned
// contains: host code goes just past the end of pinned, pinned memory of the host
// hint: sizes are in bytes: count * sizeof(type) at the allocation
// error: mistake
PAIR(past_pinned_memory) {
  int* pinned;
  cudaMallocHost(&pinned, wrong ? 1024 : 1024 * sizeof(int));
  for (int i = 0; i < 1024; ++i) pinned[i] = i;  // @past
  cudaFreeHost(pinned);
}

// cudaMalloc gets the pointer itself instead of its address.
// pair: pointer_without_address
// exact: null-pointer @allocate -
// hint: cudaMalloc sets the pointer whose address it gets: write & before the pointer's name
// error: mistake
PAIR(pointer_without_address) {
  int* values = reinterpret_cast<int*>(64);  // a value that an unset pointer may have
  if (wrong)
    cudaMalloc((void**)values, 128);  // @allocate
  else
    cudaMalloc((void**)&values, 128);
  cudaFree(values);
}
