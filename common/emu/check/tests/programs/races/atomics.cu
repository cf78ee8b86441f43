// Atomic functions: their scope, and what they order.
#include "../pair.cuh"

// An atomic function that holds within a block only, used by several blocks.
// pair: block_scope
// exact: race @add,@add data
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
