// Events that stop a kernel. Each is a finding with its line.
#include <cassert>

#include "../pair.cuh"

// pair: assertion_fails
// exact: assert @assert -
// hint: what it says is false for this thread
__global__ void asserts(int* values) {
  assert(values[threadIdx.x] == 0);  // @assert
}
PAIR(assertion_fails) {
  const Zeros<int> values(32);
  cudaMemset(values, wrong ? -1 : 0, 32 * sizeof(int));
  asserts<<<1, 32>>>(values);
  cudaDeviceSynchronize();
  cudaGetLastError();
}

// pair: trap_is_called
// exact: stopped @trap -
// hint: the kernel ends here, and each call of CUDA after it gives an error
__global__ void traps(bool wrong) {
  if (wrong) __trap();  // @trap
}
PAIR(trap_is_called) {
  traps<<<1, 32>>>(wrong);
  cudaDeviceSynchronize();
  cudaGetLastError();
}

// pair: null_function
// exact: null-pointer @call -
// hint: a function pointer for a kernel is the address of a __device__ function, taken in device code (in a
using Function = int (*)(int);
__device__ int twice(int x) {
  return 2 * x;
}
__device__ Function table[2] = {twice, nullptr};
__global__ void call(int* out, int which) {
  out[threadIdx.x] = table[which](threadIdx.x);  // @call
}
PAIR(null_function) {
  const Zeros<int> out(32);
  call<<<1, 32>>>(out, wrong ? 1 : 0);
  cudaDeviceSynchronize();
  cudaGetLastError();
}

// pair: divided_by_zero
// exact: stopped @divide -
// contains: stopped: integer division by zero
__global__ void divide(int* out, int by) {
  out[threadIdx.x] = 7 / by;  // @divide
}
PAIR(divided_by_zero) {
  const Zeros<int> out(32);
  divide<<<1, 32>>>(out, wrong ? 0 : 1);
  cudaDeviceSynchronize();
  cudaGetLastError();
}

// Plain reads poll another block's flag: no other block runs meanwhile, and a compiler may read the flag only once.
// pair: plain_flag
// g++ only
// exact: stopped @poll -
// hint: if this loop waits for another thread to write what it reads, that has to be volatile, or read by an atomic function: a compiler may read it once, before the loop, and wait forever
__global__ void wait_for_flag(int* flag, int* out, bool wrong) {
  if (blockIdx.x == 1) {
    atomicExch(flag, 1);
  } else if (wrong) {
    while (*flag == 0) {  // @poll
    }
  } else {
    volatile int* const polled = flag;
    while (*polled == 0) {
    }
  }
  out[blockIdx.x] = 1;
}
PAIR(plain_flag) {
  if (wrong) setenv("CUEMU_TIMEOUT", "0.5", 1);
  const Zeros<int> flag(1), out(2);
  wait_for_flag<<<2, 1>>>(flag, out, wrong);
  cudaDeviceSynchronize();
  cudaGetLastError();
}
