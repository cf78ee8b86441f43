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
  // ---- part 4: the number of this thread ---------------------------------------------------------------------------
  // How large may it become?
  LAB_TODO(4);
  return 0;
  // ---- end of part 4 -----------------------------------------------------------------------------------------------
}

// grid: as many threads as pairs, or a few more
//   sums   (N), velocities that the changes are added to
__global__ void pairKernel(DeviceBalls P, lab::Velocity* sums, int N, lab::BallStep step) {
  // ---- part 4: the pair of this thread -----------------------------------------------------------------------------
  // Which threads have none?
  (void)numberOfThread, (void)P, (void)sums, (void)N, (void)step;  // until they are used: no warning
  LAB_TODO(4);
  // ---- end of part 4 -----------------------------------------------------------------------------------------------
}

void indexedPairs(const DeviceBalls& P, lab::Velocity* sums, int N, const lab::BallStep& step) {
  // ---- part 4: the launch ------------------------------------------------------------------------------------------
  // One thread for each pair. What of a single ball?
  (void)pairKernel, (void)P, (void)sums, (void)N, (void)step;  // until they are used: no warning
  LAB_TODO(4);
  // ---- end of part 4 -----------------------------------------------------------------------------------------------
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
