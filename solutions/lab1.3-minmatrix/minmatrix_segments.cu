// minmatrix_segments.cu: the same minima, segment by segment: one launch and a short one.
//
//   values   (numbers, m) transposed: a segment is one row, the m numbers of a position
//
// In the report each thread has only two numbers in a round. Here a thread walks
// through its segment in long strides and keeps the smallest number that it has met in a register:
//
//   thread t of part b:   t + b * threads,  then `stride` further,  then again …     stride = parts * threads
//
// A segment has only one block if there are many segments. If there are nine, several blocks (`parts`) share
// each segment, since most of the GPU would be idle otherwise. Each block leaves one minimum, which makes a
// (numbers, parts) array. This is again an array of segments, and the same kernel reduces it, with one part.
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

  // 1. The smallest number of this thread. Neighbouring threads read neighbouring numbers.
  int mine = INT_MAX;
  for (int i = first; i < count; i += stride) mine = min(mine, segment[i]);
  smallest[t] = mine;
  __syncthreads();

  // 2. The smallest one of the block, by halves.
  for (int distance = threads / 2; distance >= 1; distance /= 2) {
    if (t < distance) smallest[t] = min(smallest[t], smallest[t + distance]);
    __syncthreads();
  }
  if (t == 0) to[blockIdx.x] = smallest[0];
}

void minimumSegments(int* out, int* scratch, const int* values, int m, int numbers) {
  // About 2000 blocks fill any GPU; a part has at least eight numbers for each thread. scratch has room for
  // the minima, since a part is at least a section.
  const int parts = std::max(1, std::min(m / (8 * threads), 2000 / numbers));
  reduceSegments<<<numbers * parts, threads>>>(parts == 1 ? out : scratch, values, m, parts);
  CUDA_CHECK_LAUNCH();
  if (parts == 1) return;
  reduceSegments<<<numbers, threads>>>(out, scratch, parts, 1);
  CUDA_CHECK_LAUNCH();
}
