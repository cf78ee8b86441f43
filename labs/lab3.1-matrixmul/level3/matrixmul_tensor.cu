// matrixmul_tensor.cu: the product in float's accuracy on tensor cores, which can't multiply floats. Level 3.
//
// A tensor core multiplies small matrices of halves (11 bits each) and adds up in float. A multiprocessor
// does 128 multiply-adds of floats in a cycle, and more than a thousand of halves. So:
//
//   1. A float is split into two halves, high + low: 22 bits and a sign each, which is as good as float's 24
//      bits once thousands of products are added up. Rows are scaled by powers of two before, so that no half
//      overflows or loses its bits. (part 9)
//   2. M · N = low · high + high · low + high · high; low · low is too small to count. Three products of
//      halves replace one of floats, and are still much faster. (part 10)
//   3. The tensor core does not round its sums as float does: it truncates them, and over thousands of k the
//      error adds up. So it adds up only 16 values of k, three products each; ordinary additions in float,
//      which round, add those sums. (part 10)
//   4. Tiles, stages and shares are as in matrixmul_fp32.cu. Here chunks of 16 bytes are not padded but
//      permuted within a row ("swizzled"), so that eight lanes that load a column of chunks meet all banks.
//
// Run it:  grader lab3.1 --level 3
//          matrixmul 4096 --version tensor --reals 1
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include "matrixmul_experts.h"
#include "matrixmul_halves.h"
#include "matrixmul_shares.h"

namespace {

constexpr int warp_size = 32;
constexpr int tile_rows = 128, tile_cols = 128;  // of P, for a block of four warps
constexpr int warp_rows = 64, warp_cols = 64;
constexpr int threads = (tile_rows / warp_rows) * (tile_cols / warp_cols) * warp_size;
constexpr int depth = 32;  // values of k in a round
constexpr int stages = 3;
constexpr int wide = 8;  // halves in a chunk of 16 bytes

// One instruction multiplies a 16 × 16 matrix by a 16 × 8 one: its m, n and k.
constexpr int op_rows = 16, op_cols = 8, op_depth = 16;
constexpr int ops_down = warp_rows / op_rows, ops_across = warp_cols / op_cols;

// A stage: tiles of high(M), low(M), high(N), low(N), in chunks of 16 bytes.
constexpr int M_chunks = tile_rows * depth / wide, N_chunks = depth * tile_cols / wide;
constexpr int stage_chunks = 2 * (M_chunks + N_chunks);
constexpr int shared_bytes = stages * stage_chunks * 16;

// Place of a chunk in its tile. Eight rows of a column of chunks lie in eight different groups of four banks.
__device__ constexpr int placeInM(int row, int chunk) {  // 4 chunks a row: two rows fill all 32 banks
  return row * (depth / wide) + (chunk ^ (row / 2 % 4));
}
__device__ constexpr int placeInN(int k, int chunk) {  // 16 chunks a row
  return k * (tile_cols / wide) + (chunk ^ (k % 8));
}

}  // namespace

// Splits a matrix, one row a block: in[row][k] * factor[k] = (high[row][k] + low[row][k]) * back[row].
//   high, low  (width, width), device memory, written
//   back       (width), written: powers of two
//   in         (width, width), read
//   factor     (width), read: powers of two; nullptr for 1
static __global__ void __launch_bounds__(split_threads)
    splitRows(__half* high, __half* low, float* back, const float* in, const float* factor, int width) {
  const std::size_t begin = static_cast<std::size_t>(blockIdx.x) * width;
  // ---- part 9: split a row into two halves (about ten lines) ----------------------------------------------
  // The largest |in[begin + k] * factor[k]| of the row; scaleFor(largestOfBlock(…)) is the row's scale, and
  // thread 0 stores 1 / scale in `back`. Then, for each k, x = in * factor * scale; high is x rounded to a
  // half (__float2half_rn), and low is what is left of x, rounded to a half.
  (void)high, (void)low, (void)back, (void)in, (void)factor, (void)begin;  // until they are used: no warning
  LAB_TODO(9);
  // ---- end of part 9 --------------------------------------------------------------------------------------
}

// Four 8 × 8 matrices of halves from shared memory to registers. Lane 8 i + r gives the address of row r of
// matrix i; lane 4 r + c gets the elements 2 c and 2 c + 1 of row r of each.
static __device__ void loadMatrices(unsigned* to, const uint4* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address));
}
// The same, each matrix transposed: the lane gets the elements of column r instead.
static __device__ void loadTransposed(unsigned* to, const uint4* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address));
}

// sum += m · n by the whole warp: m is (16, 16), n is (16, 8), sum is (16, 8), spread over the lanes. Lane
// 4 r + c holds sum[r][2 c], sum[r][2 c + 1], sum[r + 8][2 c], sum[r + 8][2 c + 1].
static __device__ void multiplyAdd(float (&sum)[4], const unsigned (&m)[4], const unsigned (&n)[2]) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(m[0]), "r"(m[1]), "r"(m[2]), "r"(m[3]), "r"(n[0]), "r"(n[1]));
#else  // compute capability 7.5 has the instruction for half of k only
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(m[2 * k]), "r"(m[2 * k + 1]), "r"(n[k]));
  }
#endif
}

// Three products for one: sum[j] += (high + low)(m) · (high + low)(n[j]) for 16 values of k, without
// low · low.
static __device__ void multiplySplit(float (&sum)[ops_across][4], const unsigned (&m_high)[4],
                                     const unsigned (&m_low)[4], const unsigned (&n_high)[ops_across][2],
                                     const unsigned (&n_low)[ops_across][2]) {
  // ---- part 10: three products of halves for one of floats (about ten lines) ------------------------------
  // For each j the three products by multiplyAdd, into sums of their own that begin at 0; then those are
  // added to sum[j], element by element.
  (void)&sum, (void)&m_high, (void)&m_low, (void)&n_high, (void)&n_low;  // until they are used: no warning
  LAB_TODO(10);
  // ---- end of part 10 -------------------------------------------------------------------------------------
}

// Both halves of a matrix.
struct Split {
  const __half *high, *low;  // (width, width) row-major, device memory
};

// Puts the four tiles of one round on their way to a stage.
//   row, col   of the tile of P, in elements; k: first of the round
static __device__ void fetch(uint4* stage, const Split& M, const Split& N, int width, int row, int col,
                             int k) {
  const int t = threadIdx.x;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const __half* const m = (half == 0 ? M.high : M.low) + static_cast<std::size_t>(row) * width + k;
    const __half* const n = (half == 0 ? N.high : N.low) + static_cast<std::size_t>(k) * width + col;
#pragma unroll
    for (int i = 0; i < M_chunks / threads; ++i) {
      const int r = (i * threads + t) / (depth / wide), chunk = t % (depth / wide);
      __pipeline_memcpy_async(stage + half * M_chunks + placeInM(r, chunk),
                              m + static_cast<std::size_t>(r) * width + chunk * wide, 16);
    }
#pragma unroll
    for (int i = 0; i < N_chunks / threads; ++i) {
      const int r = (i * threads + t) / (tile_cols / wide), chunk = t % (tile_cols / wide);
      __pipeline_memcpy_async(stage + 2 * M_chunks + half * N_chunks + placeInN(r, chunk),
                              n + static_cast<std::size_t>(r) * width + chunk * wide, 16);
    }
  }
}

// The products of one round, whose tiles are in `stage`.
//   row, col   of the warp within the tile of P
static __device__ void multiplyRound(float (&sum)[ops_down][ops_across][4], const uint4* stage, int row,
                                     int col) {
  const int lane = threadIdx.x % warp_size;
  const uint4* const stage_n = stage + 2 * M_chunks;
#pragma unroll
  for (int k = 0; k < depth; k += op_depth) {
    unsigned n_high[ops_across][2], n_low[ops_across][2];
#pragma unroll
    for (int j = 0; j < ops_across; j += 2) {  // two matrices of 16 × 8 at once
      const int place = placeInN(k + lane % 16, col / wide + j + lane / 16);
      loadTransposed(&n_high[j][0], stage_n + place);
      loadTransposed(&n_low[j][0], stage_n + N_chunks + place);
    }
#pragma unroll
    for (int i = 0; i < ops_down; ++i) {
      unsigned m_high[4], m_low[4];
      const int place = placeInM(row + i * op_rows + lane % 16, k / wide + lane / 16);
      loadMatrices(m_high, stage + place);
      loadMatrices(m_low, stage + M_chunks + place);
      multiplySplit(sum[i], m_high, m_low, n_high, n_low);
    }
  }
}

// Stores a warp's sums in P, or adds them if they belong to a piece of a tile.
//   row, col   of the warp's first element
//   back       (width): factor for each row of P
static __device__ void storeSums(float* P, const float (&sum)[ops_down][ops_across][4], const float* back,
                                 int width, int row, int col, bool whole_tile) {
  const int lane = threadIdx.x % warp_size;
#pragma unroll
  for (int i = 0; i < ops_down; ++i) {
#pragma unroll
    for (int below = 0; below < 2; ++below) {
      const int r = row + i * op_rows + below * 8 + lane / 4;
      float* const p = P + static_cast<std::size_t>(r) * width + col + lane % 4 * 2;
#pragma unroll
      for (int j = 0; j < ops_across; ++j) {
        const float2 two = make_float2(sum[i][j][2 * below] * back[r], sum[i][j][2 * below + 1] * back[r]);
        float2* const to = reinterpret_cast<float2*>(p + j * op_cols);
        if (whole_tile) {
          *to = two;
        } else {
          addToTile(to, two);
        }
      }
    }
  }
}

// P = M · N.   grid: any number of blocks; block: threads; shared memory: shared_bytes
//   P      (width, width) row-major, device memory; zero where tiles are cut
//   M, N   split; each row i of P is multiplied by back[i] when it is stored
static __global__ void __launch_bounds__(threads, 2)
    productTensor(float* P, Split M, Split N, const float* back, int width, Tiles tiles) {
  extern __shared__ uint4 shared[];
  const int warp = threadIdx.x / warp_size;
  const int row = warp / (tile_cols / warp_cols) * warp_rows;  // of the warp within a tile
  const int col = warp % (tile_cols / warp_cols) * warp_cols;

  Shares share(tiles);
  while (share.next()) {
    const int tile_row = share.row * tile_rows, tile_col = share.col * tile_cols;
    float sum[ops_down][ops_across][4] = {};
    for (int ahead = 0; ahead < stages - 1; ++ahead) {
      if (ahead < share.rounds)
        fetch(shared + ahead * stage_chunks, M, N, width, tile_row, tile_col, (share.first + ahead) * depth);
      __pipeline_commit();
    }
    for (int round = 0; round < share.rounds; ++round) {
      __pipeline_wait_prior(stages - 2);
      __syncthreads();
      const int ahead = round + stages - 1;
      if (ahead < share.rounds)
        fetch(shared + ahead % stages * stage_chunks, M, N, width, tile_row, tile_col,
              (share.first + ahead) * depth);
      __pipeline_commit();
      multiplyRound(sum, shared + round % stages * stage_chunks, row, col);
    }
    __syncthreads();  // the stages are free for the next piece
    storeSums(P, sum, back, width, tile_row + row, tile_col + col, share.whole_tile);
  }
}

void matrixMulTensor(float* P, const float* M, const float* N, int width, void* workspace) {
  static const int resident = residentBlocks(productTensor, threads, shared_bytes);
  if (width == 0) return;
  const std::size_t count = static_cast<std::size_t>(width) * width;
  __half* const halves =
      static_cast<__half*>(workspace);  // high(M), low(M), high(N), low(N), then one factor a row
  float* const back_M = reinterpret_cast<float*>(halves + 4 * count);
  float* const back_N = back_M + width;
  // Row k of N was divided by back_N[k], so column k of M is multiplied by it: that changes no product. Each
  // row of M is then scaled as a whole, and the same row of P with it.
  splitRows<<<width, split_threads>>>(halves + 2 * count, halves + 3 * count, back_N, N, nullptr, width);
  CUDA_CHECK_LAUNCH();
  splitRows<<<width, split_threads>>>(halves, halves + count, back_M, M, back_N, width);
  CUDA_CHECK_LAUNCH();

  int blocks = 0;
  const Tiles tiles = shareTiles(width, tile_rows, tile_cols, depth, resident, &blocks);
  zeroRows(P, width, tiles);
  productTensor<<<blocks, threads, shared_bytes>>>(
      P, Split{halves, halves + count}, Split{halves + 2 * count, halves + 3 * count}, back_M, width, tiles);
  CUDA_CHECK_LAUNCH();
}

std::size_t tensorWorkspace(int width) {
  return 4 * sizeof(__half) * width * width + 2 * sizeof(float) * width;
}
