// pairs.cu: one thread for each pair of balls. All threads do the same little work, whatever their number.
//
//      block                 0                     1               …
//      thread                0     1     2     3     0     1     2     3
//      number                0     1     2     3     4     5     6     7
//      pair                (0,1) (0,2) (1,2) (0,3) (1,3) (2,3) (0,4) (1,4)
//
// Run it:  grader lab5.1
//          nbody 1000 100 --version pairs
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "collide.h"
#include "nbody.h"
#include "pairs.h"

// The number of this thread among all threads of the grid. 64 bits: 65,537 balls have more than 2^31 pairs.
static __device__ long long numberOfThread() {
  return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// grid: as many threads as pairs, or a few more
//   sums   (N), velocities that the changes are added to
__global__ void pairKernel(DeviceBalls P, lab::Velocity* sums, int N, lab::BallStep step) {
  const long long number = numberOfThread();
  if (number >= pairsBefore(N)) return;  // the last block has threads without a pair
  const Pair pair = pairOf(number);
  collide(P, sums, pair.i, pair.j, step);
}

void indexedPairs(const DeviceBalls& P, lab::Velocity* sums, int N, const lab::BallStep& step) {
  const long long pairs = pairsBefore(N);
  if (pairs == 0) return;  // one ball: a grid of no blocks is an error
  pairKernel<<<blocksFor(pairs), BLOCK_SIZE>>>(P, sums, N, step);
  CUDA_CHECK_LAUNCH();
}

// ------------------------------------------------------------------------------------- a test of pairOf() by itself

// One thread for each row of pairs.   found (rows, 4): i and j of its first and of its last pair
__global__ void findKernel(int* found, int rows) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < 1 || j >= rows) return;
  const Pair first = pairOf(pairsBefore(j)), last = pairOf(pairsBefore(j + 1) - 1);
  int* const mine = found + 4LL * j;
  mine[0] = first.i;
  mine[1] = first.j;
  mine[2] = last.i;
  mine[3] = last.j;
}

void findPairs(int* found, int rows) {
  findKernel<<<blocksFor(rows), BLOCK_SIZE>>>(found, rows);
  CUDA_CHECK_LAUNCH();
}
