// minmatrix_segments.cu: the same minima, segment by segment: one launch and a short one.
//
//   values   (numbers, m) transposed: a segment is one row, the m numbers of a position
//
// The report reads and writes most numbers once a round, and a thread of it has two of them. Here a thread walks
// through its segment in long strides and keeps the smallest number that it has met in a register:
//
//   thread t of part b:   t + b * threads,  then `stride` further,  then again …     stride = parts * threads
//
// A segment has a block of its own only when there are many; of nine segments each is given to several blocks
// (`parts`), or most of the GPU would have nothing to do. They leave one minimum each, which makes a (numbers,
// parts) array: segments again, and the same kernel takes them, with one part.
//
// Run it:  grader lab1.3 --level 2
//          minmatrix --version segments
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <algorithm>
#include <climits>

#include "minmatrix.h"

static constexpr int threads = 256;

// Block b takes part b % parts of segment b / parts.
//   to       (numbers, parts), device memory, written
//   values   (numbers, count), device memory, read
static __global__ void reduceSegments(int* to, const int* values, int count, int parts) {
  __shared__ int smallest[threads];
  const int t = threadIdx.x;                                       // [0, threads)
  const int* const segment = values + blockIdx.x / parts * count;  // (count)
  const int first = blockIdx.x % parts * threads + t;              // [0, stride)
  const int stride = parts * threads;

  // ---- part 5: a block's share of a segment (about nine lines) -------------------------------------------
  //   1. The smallest number of this thread, of all that lie `stride` apart from `first` on.
  //   2. The smallest one of the block, which one thread stores in the block's place.
  (void)to, (void)count, (void)t, (void)segment, (void)first, (void)stride,
      (void)&smallest;  // until then: no warning
  LAB_TODO(5);
  // ---- end of part 5 -------------------------------------------------------------------------------------
}

void minimumSegments(int* out, int* scratch, const int* values, int m, int numbers) {
  // Some 2000 blocks fill any GPU; a part has eight numbers a thread at least. scratch has room for that:
  // a part is a section or more.
  const int parts = std::max(1, std::min(m / (8 * threads), 2000 / numbers));
  reduceSegments<<<numbers * parts, threads>>>(parts == 1 ? out : scratch, values, m, parts);
  CUDA_CHECK_LAUNCH();
  if (parts == 1) return;
  reduceSegments<<<numbers, threads>>>(out, scratch, parts, 1);
  CUDA_CHECK_LAUNCH();
}
