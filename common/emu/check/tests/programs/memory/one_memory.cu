// Several `extern __shared__` arrays: all begin at the same address.
#include "../pair.cuh"

// Two arrays that begin at the same address.
// pair: two_of_one_memory
// exact: one-memory @second,@first halves
// hint: all extern __shared__ arrays of a kernel begin at the same address: declare one of them, let a pointer to its
__device__ void keep_second(int t) {
  extern __shared__ int seconds[];
  seconds[t] = 100 + t;  // @second
}
__global__ void add_both(int* out, bool wrong) {
  extern __shared__ int halves[];
  int* const others = halves + 32;
  const int t = threadIdx.x;
  halves[t] = t;
  if (wrong)
    keep_second(t);
  else
    others[t] = 100 + t;
  __syncthreads();
  out[t] = halves[31 - t];  // @first
}
PAIR(two_of_one_memory) {
  const Zeros<int> out(32);
  add_both<<<1, 32, 64 * sizeof(int)>>>(out, wrong);
}
