// matrixmul_fp32.cu: the product as fast as the multipliers for float allow. Beyond the manual: level 3.
//
// A multiprocessor begins 128 multiply-adds in each cycle, and reads at most 32 words from shared memory.
// matrixMul, at its best, loads five values for four multiply-adds (WORK_SIZE 4). How can a kernel load few
// enough values, and never wait?
//
//   1. A thread computes 8 × 16 elements of P. For each k it loads 8 + 16 values and does 128 multiply-adds,
//      and the sums stay in registers.                                                            (part 6)
//   2. It loads the values for k + 1 while it multiplies the values of k.                         (part 6)
//   3. The tiles of the next rounds are on their way from global to shared memory (cp.async), without
//      registers in between. There is one barrier in a round of EXPERT_DEPTH values of k.         (part 7)
//   4. M's tile is transposed on its way, so that the 8 values of a thread lie side by side.      (part 7)
//   5. All blocks end together: matrixmul_shares.h.                                               (part 8)
//
//       tile of P: EXPERT_ROWS × EXPERT_COLS        warp: 64 × 64, 8 × 4 lanes      lane: 8 × 16 sums
//     ┌─────┬─────┬─────┬─────┐                    each lane has 2 × 4 pieces       ┌──┐ ┌──┐ ┌──┐ ┌──┐
//     │  w  │  w  │  w  │  w  │                    of 4 × 4 elements; a piece's     └──┘ └──┘ └──┘ └──┘
//     ├─────┼─────┼─────┼─────┤                    four values are one load of      ┌──┐ ┌──┐ ┌──┐ ┌──┐
//     │  w  │  w  │  w  │  w  │                    16 bytes                         └──┘ └──┘ └──┘ └──┘
//     └─────┴─────┴─────┴─────┘
//
// Run it:  grader lab3.1 --level 3
//          matrixmul 4096 --version fp32
#include <cuda_pipeline.h>

#include "matrixmul_experts.h"
#include "matrixmul_shares.h"

#ifndef EXPERT_ROWS
#define EXPERT_ROWS 128  // of a tile of P: 128 or 256
#endif
#ifndef EXPERT_COLS
#define EXPERT_COLS 256  // 128 or 256
#endif
#ifndef EXPERT_DEPTH
#define EXPERT_DEPTH 16  // values of k in a round: 8, 16 or 32
#endif
#ifndef EXPERT_UNROLL
#define EXPERT_UNROLL 8  // of these, whose instructions follow each other: 16 do not fit an instruction cache
#endif
#ifndef EXPERT_STAGES
#define EXPERT_STAGES 2  // rounds whose tiles have a place in shared memory: 2, 3 or 4
#endif
#ifndef EXPERT_LANE_ROWS
#define EXPERT_LANE_ROWS 4  // rows that the lanes of a warp are arranged in: 4 or 8
#endif

namespace {

constexpr int tile_rows = EXPERT_ROWS, tile_cols = EXPERT_COLS, depth = EXPERT_DEPTH, stages = EXPERT_STAGES;
constexpr int unrolled = EXPERT_UNROLL;
constexpr int warp_size = 32;
constexpr int thread_rows = 8, thread_cols = 16;  // of the thread's elements of P
constexpr int lane_rows = EXPERT_LANE_ROWS, lane_cols = warp_size / lane_rows;
constexpr int warp_rows = thread_rows * lane_rows, warp_cols = thread_cols * lane_cols;
constexpr int threads = (tile_rows / thread_rows) * (tile_cols / thread_cols);
constexpr int wide = 4;                   // floats in a chunk of 16 bytes
constexpr int chunks = tile_cols / wide;  // in a row of N's tile

static_assert(tile_rows % warp_rows == 0 && tile_cols % warp_cols == 0, "a tile consists of whole warps");
static_assert(depth % unrolled == 0, "a round is unrolled by whole pieces");
static_assert(threads % depth == 0 && tile_rows % (threads / depth) == 0 && threads % chunks == 0 &&
                  depth % (threads / chunks) == 0,
              "every thread copies as much");

// A stage holds the tile of M transposed, [depth][M_row], and the tile of N, [depth][tile_cols].
constexpr int M_row = tile_rows + wide;  // the padding spreads the transposed values over the banks
constexpr int stage_floats = depth * (M_row + tile_cols);
constexpr int shared_bytes = stages * stage_floats * static_cast<int>(sizeof(float));

// The values that a thread needs for one k.
struct Fragments {
  float m[thread_rows];
  float n[thread_cols];
};

// Row of the thread's sum i, and column of its sum j, relative to its first: pieces of four, a warp's width
// apart.
__device__ constexpr int rowOf(int i) {
  return i / wide * wide * lane_rows + i % wide;
}
__device__ constexpr int colOf(int j) {
  return j / wide * wide * lane_cols + j % wide;
}

}  // namespace

// Loads a thread's values for one k.
//   m   the thread's first element in row k of the transposed tile of M, shared memory
//   n   the thread's first element in row k of the tile of N, shared memory
static __device__ void loadFragments(Fragments& to, const float* m, const float* n) {
  // ---- part 6: a thread's values for one k (about six lines) ----------------------------------------------
  // to.m[i] is at m + rowOf(i), and to.n[j] at n + colOf(j). Four that follow each other lie side by side:
  // one load of a float4 for each piece.
  (void)&to, (void)m, (void)n;  // until they are used: no warning
  LAB_TODO(6);
  // ---- end of part 6 --------------------------------------------------------------------------------------
}

// sum[i][j] += m[i] * n[j] for all of the thread's elements.
static __device__ void multiply(float (&sum)[thread_rows][thread_cols], const Fragments& of) {
  // ---- part 6: all products of one k (two unrolled loops) -------------------------------------------------
  // All indices must be known when compiling, or the arrays go to local memory.
  (void)&sum, (void)&of;  // until they are used: no warning
  LAB_TODO(6);
  // ---- end of part 6 --------------------------------------------------------------------------------------
}

// The begin of a thread's copies for the next round, in M and in N: global memory.
struct Source {
  const float *m, *n;
};

// Puts the tiles of one round on their way to a stage, and goes on to the next round. All threads of the
// block share the work: of M's tile a thread copies an element of every (threads / depth)-th row, of N's 16
// bytes of every (threads / chunks)-th row.
//   stage   (stage_floats), shared memory, written some time before __pipeline_wait_prior says so
//   from    element (t / depth, t % depth) of M's tile, (t / chunks, 4 (t % chunks)) of N's; rows are `width`
//           apart
static __device__ void fetch(float* stage, Source& from, int width) {
  const int t = threadIdx.x;
  // ---- part 7: put the tiles of one round on their way (about ten lines) ----------------------------------
  // M: the thread's element of every (threads / depth)-th row, 4 bytes each; element (row, k) of the tile
  // goes to stage[k * M_row + row]. N: a chunk of 16 bytes of every (threads / chunks)-th row, to stage +
  // depth * M_row. __pipeline_memcpy_async(to, from, bytes) starts a copy. At last `from` goes on: depth
  // columns in M, depth rows in N.
  (void)stage, (void)&from, (void)width, (void)t;  // until they are used: no warning
  LAB_TODO(7);
  // ---- end of part 7 --------------------------------------------------------------------------------------
}

// Adds up the products of `rounds` rounds.
//   sum     the thread's sums, added to
//   shared  (stages, stage_floats), shared memory
//   from    of the first round, as in fetch
//   row, col   the thread's first element within the tile of P
static __device__ void multiplyRounds(float (&sum)[thread_rows][thread_cols], float* shared, Source from,
                                      int width, int rounds, int row, int col) {
  // ---- part 7: multiply while the next tiles are on their way (about twenty-five lines) -------------------
  // With one stage it would be, for each round: fetch, commit, wait for all commits, barrier; for each k
  // loadFragments and multiply; barrier. Begin with that. Then keep stages - 1 rounds on their way:
  // __pipeline_commit() closes a group of copies, and __pipeline_wait_prior(n) waits until at most the last n
  // groups are still under way. At last load the fragments of k + 1 before the products of k. Replace these
  // lines.
  (void)&sum, (void)rounds, (void)row, (void)col;  // until they are used: no warning
  fetch(shared, from, width);
  LAB_TODO(7);
  // ---- end of part 7 --------------------------------------------------------------------------------------
}

// P = M · N.   grid: any number of blocks; block: threads; shared memory: shared_bytes
//   P, M, N   (width, width) row-major, device memory, 16-byte aligned; P is zero where tiles are cut
static __global__ void __launch_bounds__(threads, 1)
    productFp32(float* P, const float* M, const float* N, int width, Tiles tiles) {
  extern __shared__ float4 stages_memory[];  // float4, so that it is aligned to 16 bytes
  float* const shared = reinterpret_cast<float*>(stages_memory);
  const int t = threadIdx.x;
  const int warp = t / warp_size, lane = t % warp_size;  // warps are in rows of tile_cols / warp_cols
  const int row = warp / (tile_cols / warp_cols) * warp_rows + lane / lane_cols * wide;
  const int col = warp % (tile_cols / warp_cols) * warp_cols + lane % lane_cols * wide;

  Shares share(tiles);
  while (share.next()) {
    float sum[thread_rows][thread_cols] = {};
    const Source from = {M + static_cast<std::size_t>(share.row * tile_rows + t / depth) * width +
                             share.first * depth + t % depth,
                         N + static_cast<std::size_t>(share.first * depth + t / chunks) * width +
                             share.col * tile_cols + t % chunks * wide};
    multiplyRounds(sum, shared, from, width, share.rounds, row, col);

    float* const p =
        P + static_cast<std::size_t>(share.row * tile_rows + row) * width + share.col * tile_cols + col;
#pragma unroll
    for (int i = 0; i < thread_rows; ++i) {
#pragma unroll
      for (int j = 0; j < thread_cols; j += wide) {
        float4* const to =
            reinterpret_cast<float4*>(p + static_cast<std::size_t>(rowOf(i)) * width + colOf(j));
        const float4 four = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
        if (share.whole_tile) {
          *to = four;
        } else {
          addToTile(to, four);
        }
      }
    }
  }
}

void matrixMulFp32(float* P, const float* M, const float* N, int width) {
  // Computed once: how many blocks run at the same time, with all their shared memory.
  static const int resident = residentBlocks(productFp32, threads, shared_bytes);
  if (width == 0) return;
  int blocks = 0;
  const Tiles tiles = shareTiles(width, tile_rows, tile_cols, depth, resident, &blocks);
  zeroRows(P, width, tiles);
  productFp32<<<blocks, threads, shared_bytes>>>(P, M, N, width, tiles);
  CUDA_CHECK_LAUNCH();
}
