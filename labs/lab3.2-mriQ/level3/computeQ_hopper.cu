// computeQ_hopper.cu: the product of computeQ_tensor.cu by wgmma, an instruction of Hopper GPUs (H100, H200). Level 3.
//
// In computeQ_tensor.cu each warp loads the right factor from shared memory to registers, 16 × 16 halves at a time, and
// the loads limit it. wgmma multiplies for four warps at once, 64 × 16 by 16 × 128, and reads the right factor from
// shared memory by itself. The left factor stays in registers: the 16 rows of a warp are those of mma.sync, so
// leftOperand serves both. wgmma also runs while the warps compute the next left factor. It expects the right
// factor in an order without bank conflicts. (part 12)
//
// wgmma is an instruction of sm_90a alone: nvcc -arch=sm_90a. Code for other GPUs has an empty kernel.
//
// Run it:  grader lab3.2 --level 3
//          mri-q -S --scan 128^3x147258 --version hopper
#include <cuda_pipeline.h>
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "computeQ_factors.h"

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define HOPPER 1
#else
#define HOPPER 0
#endif

namespace {

constexpr int warps = 4, threads = warps * warp_size;  // a warpgroup
constexpr int stages = 2;
constexpr int ops_down = 2;                         // instructions below each other
constexpr int tile_segments = warps * op_segments;  // of one instruction
constexpr int block_segments = ops_down * tile_segments;
constexpr int op_results = pairs / op_pairs * op_sums;  // sums of one instruction, for a thread
constexpr int sums = ops_down * op_results;

// A stage: high(u), then low(u), in lines of 128 bytes: for each 64 columns a line for each sample. The eight pieces of
// a line are permuted ("swizzled") as the tensor cores expect it: piece p of line k has place p ^ k % 8. So the same
// piece of eight lines lies in eight different places, and reading a column has no bank conflicts. The places of the
// samples follow after all stages, since lines begin at a multiple of 1024 bytes.
constexpr int line = 128;
constexpr int stage_pieces = 2 * u_pieces;
constexpr int shared_bytes = stages * (stage_pieces + depth) * 16 + sums * threads * 4;

}  // namespace

static __device__ int has_kernel = HOPPER;

#if HOPPER

// The place of a piece of 16 bytes in a stage.   k: the sample;   piece: of its two lines, 0 to 15
static __device__ int placeInTile(int k, int piece) {
  // ---- part 12: the piece's place (one line) -----------------------------------------------------------------------
  // Line k of the first 64 columns comes first, that of the other 64 `depth` lines later; a line has eight pieces.
  // Replace these lines.
  (void)k, (void)piece;
  LAB_TODO(12);
  return 0;
  // ---- end of part 12 ----------------------------------------------------------------------------------------------
}

// Starts the asynchronous copies of one round's samples to a stage.
static __device__ void fetch(uint4* stage, uint4* places, const Factors& from, int round) {
  const std::size_t first = static_cast<std::size_t>(round) * depth;
  const int t = threadIdx.x;
  if (t < depth) __pipeline_memcpy_async(places + t, from.place + first + t, 16);
  const uint4* const high = reinterpret_cast<const uint4*>(from.high) + first * pieces;
  const uint4* const low = reinterpret_cast<const uint4*>(from.low) + first * pieces;
#pragma unroll
  for (int i = t; i < u_pieces; i += threads) {
    const int place = placeInTile(i / pieces, i % pieces);
    __pipeline_memcpy_async(stage + place, high + i, 16);
    __pipeline_memcpy_async(stage + u_pieces + place, low + i, 16);
  }
}

// Describes 16 × 128 halves of u to wgmma: where they begin, how far apart the columns 0 and 64 and the samples 0 and 8
// are (all in units of 16 bytes), and, in bit 62, that lines are permuted.
static __device__ std::uint64_t describe(unsigned address) {
  return address / 16 | std::uint64_t{depth * line / 16} << 16 | std::uint64_t{8 * line / 16} << 32 |
         std::uint64_t{1} << 62;
}

#define REGISTERS_8(d, i)                                                                     \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
      "+f"(d[i + 6]), "+f"(d[i + 7])
#define REGISTERS_64(d)                                                                             \
  REGISTERS_8(d, 0), REGISTERS_8(d, 8), REGISTERS_8(d, 16), REGISTERS_8(d, 24), REGISTERS_8(d, 32), \
      REGISTERS_8(d, 40), REGISTERS_8(d, 48), REGISTERS_8(d, 56)

// sum += a · u by the four warps: a is (64, 16), 16 rows for each warp, in registers; u is (16, 128), where `u`
// describes it. It begins the product: until finish() the registers belong to the tensor cores.
static __device__ void multiplyAdd(float (&sum)[op_results], const unsigned (&a)[4], std::uint64_t u) {
  asm volatile(
      "{\n.reg .pred p;\n"
      "setp.ne.b32 p, 1, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "{%64, %65, %66, %67}, %68, p, 1, 1, 1;\n}"
      : REGISTERS_64(sum)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(u)
      : "memory");
}
static __device__ void begin() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
static __device__ void commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
static __device__ void finish(float (&sum)[ops_down][op_results]) {
#pragma unroll
  for (int i = 0; i < ops_down; ++i)
    asm volatile("wgmma.wait_group.sync.aligned 0;" : REGISTERS_64(sum[i])::"memory");
}

// The products of one round. The left factor of its second half is computed while the first half is multiplied.
//   stage    u of the samples;  places  their places
static __device__ void multiplyRound(float (&sum)[ops_down][op_results], const uint4* stage,
                                     const uint4* places, const Middle (&middle)[ops_down]) {
  const float4* const place = reinterpret_cast<const float4*>(places);
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(stage));
  constexpr int steps = depth / op_depth;
  unsigned a_high[steps][ops_down][4], a_low[steps][ops_down][4];
#pragma unroll
  for (int k = 0; k < steps; ++k) {
#pragma unroll
    for (int i = 0; i < ops_down; ++i)
      leftOperand(a_high[k][i], a_low[k][i], place + k * op_depth, middle[i]);
    const unsigned high = address + k * op_depth * line, low = high + u_pieces * 16;
    begin();
#pragma unroll
    for (int i = 0; i < ops_down; ++i) {  // the small products first
      if (low_too) {
        multiplyAdd(sum[i], a_low[k][i], describe(high));
        multiplyAdd(sum[i], a_high[k][i], describe(low));
      }
      multiplyAdd(sum[i], a_high[k][i], describe(high));
    }
    commit();
  }
  finish(sum);
}

// Adds a thread's sums to its part of `total`, (sums of a thread, threads) in shared memory, and clears them.
static __device__ void flush(float* total, float (&sum)[ops_down][op_results]) {
#pragma unroll
  for (int n = 0; n < sums; ++n) {
    float& one = sum[n / op_results][n % op_results];
    total[n * threads + threadIdx.x] += one;
    one = 0;
  }
}

// Q of voxels on lines.   grid: (segments in the list / block_segments, chunks of samples); block: threads;
//                         shared memory: shared_bytes
//   Qr, Qi    (numX), added to
static __global__ void __launch_bounds__(threads, 2)
    onWarpgroups(float* Qr, float* Qi, const float* x, const float* y, const float* z, const Segment* list,
                 int count, Factors factors, Line row) {
  extern __shared__ __align__(1024) uint4 lines[];
  uint4* const places = lines + stages * stage_pieces;
  float* const total = reinterpret_cast<float*>(places + stages * depth);
  Segment segment[ops_down];  // an empty one beyond the list
  Middle middle[ops_down];
#pragma unroll
  for (int i = 0; i < ops_down; ++i) {
    const int s = blockIdx.x * block_segments + i * tile_segments + threadIdx.x / warp_size * op_segments +
                  threadIdx.x % warp_size / 4;
    segment[i] = s < count ? list[s] : Segment{0, 0};
    middle[i] = middleOf(segment[i], tensor_segment, x, y, z, row);
  }
  for (int n = 0; n < sums; ++n) total[n * threads + threadIdx.x] = 0;

  float sum[ops_down][op_results] = {};
  const int begin = blockIdx.y * chunk_rounds;
  const int end = factors.rounds - begin < chunk_rounds ? factors.rounds : begin + chunk_rounds;
  for (int ahead = begin; ahead < begin + stages - 1; ++ahead) {
    if (ahead < end)
      fetch(lines + (ahead - begin) * stage_pieces, places + (ahead - begin) * depth, factors, ahead);
    __pipeline_commit();
  }
  for (int round = begin; round < end; ++round) {
    __pipeline_wait_prior(stages - 2);
    asm volatile("fence.proxy.async;" ::: "memory");  // wgmma reads what ordinary instructions wrote
    __syncthreads();  // the stage is full, and all threads have read the one before
    const int ahead = round + stages - 1, next = (ahead - begin) % stages, now = (round - begin) % stages;
    if (ahead < end) fetch(lines + next * stage_pieces, places + next * depth, factors, ahead);
    __pipeline_commit();
    multiplyRound(sum, lines + now * stage_pieces, places + now * depth, middle);
    if ((round - begin) % flush_rounds == flush_rounds - 1 || round == end - 1) flush(total, sum);
  }

  const float back = 1 / scaleOf(*factors.largest);
#pragma unroll
  for (int i = 0; i < ops_down; ++i)
    addToVoxels(Qr, Qi, segment[i], total + i * op_results * threads + threadIdx.x, threads, back);
}

#else

static __global__ void onWarpgroups(float*, float*, const float*, const float*, const float*, const Segment*,
                                    int, Factors, Line) {}

#endif

void addOnWarpgroups(const DeviceScan& scan, const Segment* segments, int count, Line row) {
  int there = 0;
  CUDA_CHECK(cudaMemcpyFromSymbol(&there, has_kernel, sizeof there));
  if (there == 0) {
    std::fprintf(stderr,
                 "The version hopper needs wgmma: a GPU of compute capability 9.0 (H100, H200), and nvcc "
                 "-arch=sm_90a. Choose --version tensor.\n");
    std::exit(EXIT_FAILURE);
  }
  if (scan.numK == 0) return;
  const Factors factors = makeFactors(scan, row);
  CUDA_CHECK(cudaFuncSetAttribute(onWarpgroups, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  const dim3 grid(blocksFor(count, block_segments), blocksFor(factors.rounds, chunk_rounds));
  onWarpgroups<<<grid, threads, shared_bytes>>>(scan.Qr, scan.Qi, scan.x, scan.y, scan.z, segments, count,
                                                factors, row);
  CUDA_CHECK_LAUNCH();
  freeFactors(factors);
}
