// matrixmul_hopper.cu: the product of matrixmul_tensor.cu by what Hopper GPUs (H100, H200) add. Level 3.
//
// In matrixmul_tensor.cu the warps do everything: they compute addresses, ask for 16 bytes at a time, load registers
// from shared memory, and begin a small product with them. Here other units do all this:
//
//   1. The split writes each tile in the order in which the tensor cores read it, in one piece. So one thread fetches a
//      whole tile with one instruction (cp.async.bulk, by the "tensor memory accelerator", TMA).
//   2. Barriers in shared memory (mbarriers) count the bytes that have arrived. Each stage has two of them: `full` says
//      that its tiles are there, `empty` that all have read them. (part 11)
//   3. wgmma multiplies 64 × 16 by 16 × 128 for four warps at once, and reads both from shared memory by itself. So the
//      warps only begin products, and add the sums of 64 k to those before. (part 12)
//   4. Two blocks form a cluster: they compute tiles below each other, and need the same tile of N. Each fetches half
//      of it for both (multicast).
//   5. One warpgroup (four warps) fetches, two multiply. The fetching one gives its registers to the others.
//   6. A kernel's blocks begin while the kernel before it ends, and wait for its results only where they need them
//      ("programmatic dependent launch"). For small matrices a launch takes as long as the product.
//
// wgmma and setmaxnreg are instructions of sm_90a alone: nvcc -arch=sm_90a. Code for other GPUs has an empty kernel.
//
// Run it:  grader lab3.1 --level 3
//          matrixmul 4096 --version hopper --reals 1
#include <cuda_fp16.h>

#include <cstdint>

#include "matrixmul_experts.h"
#include "matrixmul_halves.h"
#include "matrixmul_shares.h"

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define HOPPER 1
#else
#define HOPPER 0
#endif

namespace {

constexpr int warp_size = 32, warpgroup = 4 * warp_size;
constexpr int multipliers = 2;  // warpgroups that multiply; one more fetches
constexpr int threads = (1 + multipliers) * warpgroup;
constexpr int op_rows = 64, op_cols = 128;  // of one wgmma
[[maybe_unused]] constexpr int op_depth = 16;
constexpr int tile_rows = multipliers * op_rows, ops_across = 2,
              tile_cols = ops_across * op_cols;  // of P, for a block
constexpr int cluster = 2;                       // blocks, whose tiles are below each other
constexpr int depth = 64;                        // values of k in a round
constexpr int stages = 2;
[[maybe_unused]] constexpr int sums = op_rows * op_cols / warpgroup;  // of one wgmma, for a thread

// A stage: a tile of M, then one of N, in lines of 128 bytes whose eight chunks are permuted ("swizzled") as the tensor
// cores expect it: chunk c of line i has place c ^ i % 8.
constexpr int line = 128, wide = 8;                        // bytes of a line; halves in a chunk of 16 bytes
constexpr int M_half = tile_rows * line;                   // a line for each row
constexpr int N_half = tile_cols / 64 * depth * line;      // for each 64 columns a line for each k
constexpr int M_bytes = 2 * M_half, N_bytes = 2 * N_half;  // the high halves, then the low ones
constexpr int stage_bytes = M_bytes + N_bytes;
constexpr int shared_bytes = stages * (stage_bytes + 2 * 8);  // with two barriers for each stage

}  // namespace

static __device__ int has_kernel = HOPPER;

// Where a chunk of eight elements lies among the tiles of M, in bytes: (row, k … k + 7), the high halves.
static __device__ std::size_t placeInM(int row, int k, int width) {
  return (static_cast<std::size_t>(row / tile_rows) * (width / depth) + k / depth) * M_bytes +
         row % tile_rows * line + (k % depth / wide ^ row % 8) * 16;
}
// … and of N: (k, col … col + 7).
static __device__ std::size_t placeInN(int k, int col, int width) {
  return (static_cast<std::size_t>(col / tile_cols) * (width / depth) + k / depth) * N_bytes +
         (col % tile_cols / 64 * depth + k % depth) * line + (col % 64 / wide ^ k % 8) * 16;
}

// Loads eight floats of a row, of M times their factors.
template <bool is_M>
static __device__ void loadChunk(float (&x)[wide], const float* from, const float* factor) {
#pragma unroll
  for (int i = 0; i < wide; i += 4) {
    const float4 four = *reinterpret_cast<const float4*>(from + i);
    const float4 by = is_M ? *reinterpret_cast<const float4*>(factor + i) : make_float4(1, 1, 1, 1);
    x[i] = four.x * by.x, x[i + 1] = four.y * by.y, x[i + 2] = four.z * by.z, x[i + 3] = four.w * by.w;
  }
}
// Splits eight floats into a chunk of high halves and one of low ones.
static __device__ void splitChunk(unsigned char* high, unsigned char* low, const float (&x)[wide]) {
  __align__(16) __half2 h[wide / 2], l[wide / 2];
#pragma unroll
  for (int i = 0; i < wide / 2; ++i) {
    h[i] = __floats2half2_rn(x[2 * i], x[2 * i + 1]);
    l[i] = __floats2half2_rn(x[2 * i] - __low2float(h[i]), x[2 * i + 1] - __high2float(h[i]));
  }
  *reinterpret_cast<uint4*>(high) = *reinterpret_cast<const uint4*>(h);
  *reinterpret_cast<uint4*>(low) = *reinterpret_cast<const uint4*>(l);
}

// Splits a matrix, one row a block, as splitRows in matrixmul_tensor.cu does, into tiles.
//   tiles    4 * width * width bytes, written
//   back     (width), written: what a row is to be multiplied by
//   in       (width, width), read
//   factor   (width), read, for M: powers of two, from the kernel before; nullptr for N
//   P        (width, width): its rows from zero_from on become 0, which spares the product a launch
template <bool is_M>
static __global__ void __launch_bounds__(split_threads)
    splitIntoTiles(unsigned char* tiles, float* back, const float* in, const float* factor, int width,
                   float* P, int zero_from) {
#if HOPPER
  cudaTriggerProgrammaticLaunchCompletion();  // the next kernel's blocks may come
  cudaGridDependencySynchronize();            // the kernel before has ended
#endif
  const int row = blockIdx.x;
  const std::size_t begin = static_cast<std::size_t>(row) * width;
  const float* const from = in + begin;
  for (int i = 4 * threadIdx.x; row >= zero_from && i < width; i += 4 * split_threads)
    *reinterpret_cast<float4*>(P + begin + i) = make_float4(0, 0, 0, 0);
  float largest = 0;
  float x[wide];
  for (int i = wide * threadIdx.x; i < width; i += wide * split_threads) {
    loadChunk<is_M>(x, from + i, factor + i);
#pragma unroll
    for (int e = 0; e < wide; ++e)
      largest = fabsf(x[e]) <= largest ? largest : fabsf(x[e]);  // NaN is taken over
  }
  const float scale = scaleFor(largestOfBlock(largest));
  if (threadIdx.x == 0) back[row] = 1 / scale;
  for (int i = wide * threadIdx.x; i < width; i += wide * split_threads) {
    loadChunk<is_M>(x, from + i, factor + i);
#pragma unroll
    for (int e = 0; e < wide; ++e) x[e] *= scale;
    const std::size_t place = is_M ? placeInM(row, i, width) : placeInN(row, i, width);
    splitChunk(tiles + place, tiles + place + (is_M ? M_half : N_half), x);
  }
}

#if HOPPER
// ---- barriers in shared memory, and copies that arrive at them; addresses are those of shared memory ----

static __device__ unsigned sharedAddress(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
static __device__ void initBarrier(unsigned barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
// Arrives, and says how many bytes the phase waits for as well.
static __device__ void expectBytes(unsigned barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
// Arrives at the same barrier of a block of the cluster. Without .release.cluster: a warp that has read a stage has
// written nothing that the other block reads, and a fence for all blocks in each round costs a tenth of the time.
static __device__ void arriveAt(unsigned barrier, int block) {
  asm volatile(
      "{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(barrier),
      "r"(block)
      : "memory");
}
// Waits until the phase of this parity is over. Phases are numbered from 0; the one before counts as over.
static __device__ void waitFor(unsigned barrier, int parity) {
  int over = 0;
  while (over == 0) {
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.b32 %0, 1, 0, p;\n}"
        : "=r"(over)
        : "r"(barrier), "r"(parity)
        : "memory");
  }
}
// Copies from device to shared memory; the bytes count at the barrier.
static __device__ void copyBytes(unsigned to, const unsigned char* from, int bytes, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
      "l"(from), "r"(bytes), "r"(barrier)
      : "memory");
}
// The same to all blocks of the cluster; they count at the barrier of each.
static __device__ void copyToAll(unsigned to, const unsigned char* from, int bytes, unsigned barrier) {
  constexpr unsigned short all = (1 << cluster) - 1;
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
      "[%3], %4;" ::"r"(to),
      "l"(from), "r"(bytes), "r"(barrier), "h"(all)
      : "memory");
}
static __device__ void meetCluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// The stages, one after the other, as those who fill and those who read them go through them.
struct Stage {
  unsigned tiles, full, empty;  // addresses: of the tiles, and of the two barriers
  int parity = 0, number = 0;

  __device__ explicit Stage(unsigned shared)
      : tiles(shared), full(shared + stages * stage_bytes), empty(full + stages * 8) {}
  __device__ void next() {
    tiles += stage_bytes, full += 8, empty += 8;
    if (++number < stages) return;
    tiles -= stages * stage_bytes, full -= stages * 8, empty -= stages * 8;
    number = 0, parity ^= 1;
  }
};

// Fetches one round's tiles. One thread does it.
//   m, n     the tile of M of this block, and that of N of the cluster
//   member   which block of the cluster this is: it fetches that half of N for both
static __device__ void fetch(const Stage& stage, const unsigned char* m, const unsigned char* n, int member) {
  waitFor(stage.empty, stage.parity ^ 1);
  expectBytes(stage.full, stage_bytes);
  copyBytes(stage.tiles, m, M_bytes, stage.full);
  const int half = member * (N_bytes / cluster);
  copyToAll(stage.tiles + M_bytes + half, n + half, N_bytes / cluster, stage.full);
}

// ---- wgmma ----

// Describes 64 × 16 halves of M or 16 × 128 of N to wgmma: where they begin; how far apart the columns 0 and 64 of N
// are; how far apart the rows 0 and 8 of M are, or the k 0 and 8 of N (all in units of 16 bytes); and, in bit 62, that
// lines are permuted. An address has 18 bits; those above say which block of the cluster.
static __device__ std::uint64_t describe(unsigned address) {
  return (address & 0x3ffff) / 16 | std::uint64_t{depth * line / 16} << 16 |
         std::uint64_t{8 * line / 16} << 32 | std::uint64_t{1} << 62;
}

#define REGISTERS_8(d, i)                                                                     \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
      "+f"(d[i + 6]), "+f"(d[i + 7])
#define REGISTERS_64(d)                                                                             \
  REGISTERS_8(d, 0), REGISTERS_8(d, 8), REGISTERS_8(d, 16), REGISTERS_8(d, 24), REGISTERS_8(d, 32), \
      REGISTERS_8(d, 40), REGISTERS_8(d, 48), REGISTERS_8(d, 56)

// sum += m · n, or sum = m · n if it is the `first`: m is (64, 16), n is (16, 128), as they are described. It only
// begins: finish() waits for it. Thread 32 w + 4 r + c holds sum[4 j + 2 b + e], row 16 w + 8 b + r, column
// 8 j + 2 c + e.
static __device__ void multiplyAdd(float (&sum)[sums], std::uint64_t m, std::uint64_t n, bool first = false) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.eq.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, p, 1, 1, 0, 1;\n}"
      : REGISTERS_64(sum)
      : "l"(m), "l"(n), "r"(static_cast<int>(first))
      : "memory");
}
static __device__ void begin() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
static __device__ void finish(float (&sum)[sums]) {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" : REGISTERS_64(sum)::"memory");
}

// sum += m · n for the k of a round, without low · low.
//   m, n   addresses of the tiles' high halves, at the first row and the first column
static __device__ void multiplyRound(float (&sum)[sums], unsigned m, unsigned n) {
  constexpr int m_step = op_depth * sizeof(__half), n_step = op_depth * line;  // from 16 k to the next
  float part[sums];  // of these k alone, as in matrixmul_tensor.cu
  begin();
#pragma unroll
  for (int k = 0; k < depth / op_depth; ++k) {  // the small ones first
    const unsigned m_high = m + k * m_step, n_high = n + k * n_step;
    multiplyAdd(part, describe(m_high + M_half), describe(n_high), k == 0);
    multiplyAdd(part, describe(m_high), describe(n_high + N_half));
  }
#pragma unroll
  for (int k = 0; k < depth / op_depth; ++k)
    multiplyAdd(part, describe(m + k * m_step), describe(n + k * n_step));
  finish(part);
#pragma unroll
  for (int e = 0; e < sums; ++e) sum[e] += part[e];  // rounded to nearest, as float is
}

// Stores a thread's sums in P, or adds them where they are those of a piece of a tile.
//   row, col   of the warp's first element
template <bool whole_tile>
static __device__ void storeSums(float* P, const float (&sum)[ops_across][sums], const float* back, int width,
                                 int row, int col) {
  const int lane = threadIdx.x % warp_size;
#pragma unroll
  for (int i = 0; i < ops_across; ++i) {
#pragma unroll
    for (int below = 0; below < 2; ++below) {
      const int r = row + below * 8 + lane / 4;
      float* const p = P + static_cast<std::size_t>(r) * width + col + i * op_cols + lane % 4 * 2;
      const float factor = back[r];
#pragma unroll
      for (int j = 0; j < op_cols / 8; ++j) {
        const float* const two = &sum[i][4 * j + 2 * below];
        float2* const to = reinterpret_cast<float2*>(p + 8 * j);
        if (whole_tile) {
          *to = make_float2(two[0] * factor, two[1] * factor);
        } else {
          addToTile(to, make_float2(two[0] * factor, two[1] * factor));
        }
      }
    }
  }
}

// The warpgroups that multiply: group 0 the upper 64 rows of each tile, group 1 the lower ones.
static __device__ void multiplyTiles(float* P, const float* back, int width, Shares share, Stage stage,
                                     int group) {
  const int lane = threadIdx.x % warp_size;
  const int row = group * op_rows + threadIdx.x % warpgroup / warp_size * 16;  // of the warp within a tile
  while (share.next()) {
    float sum[ops_across][sums];
#pragma unroll
    for (int i = 0; i < ops_across; ++i) {
#pragma unroll
      for (int e = 0; e < sums; ++e) sum[i][e] = 0;
    }
    for (int round = 0; round < share.rounds; ++round) {
      waitFor(stage.full, stage.parity);
#pragma unroll
      for (int i = 0; i < ops_across; ++i)
        multiplyRound(sum[i], stage.tiles + group * op_rows * line,
                      stage.tiles + M_bytes + i * (op_cols / 64 * depth * line));
      if (lane < cluster) arriveAt(stage.empty, lane);
      stage.next();
    }
    const int P_row = (share.row * cluster + blockIdx.y) * tile_rows + row, P_col = share.col * tile_cols;
    if (share.whole_tile) {
      storeSums<true>(P, sum, back, width, P_row, P_col);
    } else {
      storeSums<false>(P, sum, back, width, P_row, P_col);
    }
  }
}

// P = M · N.   grid: (any number of clusters, cluster); block: threads; shared memory: shared_bytes
//   P      (width, width) row-major, device memory; zero where tiles are cut
//   M, N   tiles; row i of P is still to be multiplied by back[i]
//   tiles  of P, each for a cluster
static __global__ void __cluster_dims__(1, cluster) __launch_bounds__(threads, 1)
    productHopper(float* P, const unsigned char* M, const unsigned char* N, const float* back, int width,
                  Tiles tiles) {
  extern __shared__ __align__(1024) unsigned char shared[];
  Stage stage(sharedAddress(shared));
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      initBarrier(stage.full + 8 * s, 1);
      initBarrier(stage.empty + 8 * s,
                  cluster * multipliers * warpgroup / warp_size);  // each warp of both blocks
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  meetCluster();
  cudaGridDependencySynchronize();  // the tiles are there

  Shares share(tiles);
  const int group = threadIdx.x / warpgroup, member = blockIdx.y, rounds = width / depth;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    while (threadIdx.x == 0 && share.next()) {
      const std::size_t tile_row = share.row * cluster + member, tile_col = share.col;
      const unsigned char* m = M + (tile_row * rounds + share.first) * M_bytes;
      const unsigned char* n = N + (tile_col * rounds + share.first) * N_bytes;
      for (int round = 0; round < share.rounds; ++round, m += M_bytes, n += N_bytes) {
        fetch(stage, m, n, member);
        stage.next();
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    multiplyTiles(P, back, width, share, stage, group - 1);
  }
  meetCluster();  // none ends while another may still arrive at its barriers
}
#else
static __global__ void productHopper(float*, const unsigned char*, const unsigned char*, const float*, int,
                                     Tiles) {}
#endif

// Blocks that run at the same time. Ends the program where the kernel is empty.
static int residentHopper() {
  int there = 0;
  CUDA_CHECK(cudaMemcpyFromSymbol(&there, has_kernel, sizeof there));
  if (there == 0) {
    std::fprintf(stderr,
                 "The version hopper needs wgmma: a GPU of compute capability 9.0 (H100, H200), and nvcc "
                 "-arch=sm_90a. Choose --version tensor.\n");
    std::exit(EXIT_FAILURE);
  }
  return residentBlocks(productHopper, threads, shared_bytes);
}

// Launches a kernel whose blocks may begin while the kernel before ends.
template <typename... Parameters, typename... Arguments>
static void launchEarly(void (*kernel)(Parameters...), dim3 grid, int block, int dynamic_bytes,
                        Arguments... arguments) {
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how = {};
  how.gridDim = grid, how.blockDim = block, how.dynamicSmemBytes = dynamic_bytes;
  how.attrs = &early, how.numAttrs = 1;
  CUDA_CHECK(cudaLaunchKernelEx(&how, kernel, arguments...));
}

void matrixMulHopper(float* P, const float* M, const float* N, int width, void* workspace) {
  static const int resident = residentHopper();
  if (width == 0) return;
  int clusters = 0;
  const Tiles tiles = shareTiles(width, tile_rows * cluster, tile_cols, depth, resident / cluster, &clusters);
  const std::size_t bytes = 2 * sizeof(__half) * width * width;
  unsigned char* const tiles_M =
      static_cast<unsigned char*>(workspace);  // and tiles of N, then one factor a row
  unsigned char* const tiles_N = tiles_M + bytes;
  float* const back_M = reinterpret_cast<float*>(tiles_N + bytes);
  float* const back_N = back_M + width;
  splitIntoTiles<false><<<width, split_threads>>>(tiles_N, back_N, N, nullptr, width, P, tiles.zero_from);
  CUDA_CHECK_LAUNCH();
  launchEarly(splitIntoTiles<true>, width, split_threads, 0, tiles_M, back_M, M, back_N, width, P, width);
  launchEarly(productHopper, dim3(clusters, cluster), threads, shared_bytes, P, tiles_M, tiles_N, back_M,
              width, tiles);
}
