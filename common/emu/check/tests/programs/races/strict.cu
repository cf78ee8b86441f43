// emucc: --check=strict
// A strict check also reports writes of the same value as races.
#include "../pair.cuh"

// pair: found_it
// exact: race @found,@found found
// hint: but CUDA's memory model calls it a race: let one thread write it, or write it by atomicExch()
__global__ void search(int* found, const int* in, bool wrong) {
  if (in[threadIdx.x] != 0) return;
  if (wrong)
    *found = 1;  // @found
  else
    atomicExch(found, 1);
}
PAIR(found_it) {
  const Zeros<int> found(1), in(64);
  search<<<2, 64>>>(found, in, wrong);
}

// If the values differ, the hint is the usual one.
// pair: values_differ
// exact: race @last,@last last
// lacks: same value
__global__ void last_one(int* last, bool wrong) {
  if (wrong)
    *last = threadIdx.x;  // @last
  else
    atomicMax(last, static_cast<int>(threadIdx.x));
}
PAIR(values_differ) {
  const Zeros<int> last(1);
  last_one<<<1, 64>>>(last, wrong);
}
