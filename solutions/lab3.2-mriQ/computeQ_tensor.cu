// computeQ_tensor.cu: step 4 of computeQ_expert.cu: the product of matrices on tensor cores. Level 3.
//
// With a = e^(2πi k·m) for the middle m of a segment and u_j = e^(2πi (j + 1/2) k·d), the four sums of a pair of
// voxels are elements of a product of matrices:
//
//                              pair 0      pair 1      …             two columns for each of 64 pairs: the real and
//                 samples      r     i     r     i                   the imaginary part of phiMag · u_j, a row a sample
//               ┌────────────┬───────────────────────┐
//    segment s  │ a_r[s][k] │  rr    ri    rr    ri │              rr = Σ a_r u_r, ri = Σ a_r u_i and so on:
//               │ a_i[s][k] │  ir    ii    ir    ii │              rr - ii, ri + ir and so on are Q
//               └────────────┴───────────────────────┘
//
//   1. A segment has 128 voxels here, so that one cosine and one sine serve 128 pairs of voxel and sample. No
//      array holds them: each lane computes the values that its registers hold as the left operand of the
//      tensor core. (part 10)
//   2. A tensor core multiplies halves, 11 bits each, and adds up in float. Both factors are split into two halves,
//      high + low, and three products replace one: low · high + high · low + high · high. (part 11)
//   3. A tensor core truncates its sums, and over thousands of samples the error adds up. So every 512 samples the
//      sums are added, with rounding, to others in shared memory. (part 11)
//   4. The right operand is the same for all segments. It is computed once, and goes through shared memory in stages,
//      as the tiles of lab3.1 do.
//
// Run it:  grader lab3.2 --level 3
//          mri-q -S --scan 128^3x147258 --version tensor
#include <cuda_pipeline.h>
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <algorithm>

#include "computeQ_factors.h"

namespace {

constexpr int warps = 4, threads = warps * warp_size;
constexpr int stages = 2;

// One instruction multiplies a 16 × 16 matrix by a 16 × 8 one. Its 16 rows are the real and the imaginary parts of 8
// segments, its 8 columns those of 4 pairs.
constexpr int ops_down = 2, ops_across = pairs / op_pairs;  // of a warp
constexpr int warp_segments = ops_down * op_segments, block_segments = warps * warp_segments;

// A stage: depth samples' places, then high(u) and low(u), in pieces of 16 bytes.
constexpr int stage_pieces = depth + 2 * u_pieces;
constexpr int sums = ops_down * ops_across * op_sums;  // of a thread
constexpr int shared_bytes = stages * stage_pieces * 16 + sums * threads * 4;
static_assert(pieces % 8 == 0 && threads >= depth, "see placeInTile and fetch");

// A sample's place among high(u) or low(u) of a stage. Eight samples' pieces with the same number lie in eight
// different groups of four banks.
__device__ constexpr int placeInTile(int k, int piece) {
  return k * pieces + (piece ^ (k % 8));
}

}  // namespace

// The largest phiMag. Nonnegative floats are ordered as their bits are.   grid: any
static __global__ void findLargest(unsigned* largest, const KSample* samples, int numK) {
  float mine = 0;
  for (int k = blockIdx.x * threads + threadIdx.x; k < numK; k += gridDim.x * threads)
    mine = fmaxf(mine, samples[k].phiMag);
  for (int offset = warp_size / 2; offset > 0; offset /= 2)
    mine = fmaxf(mine, __shfl_xor_sync(0xffffffffu, mine, offset));
  if (threadIdx.x % warp_size == 0) atomicMax(largest, __float_as_uint(mine));
}

// Once for each sample and pair.   grid: (rounds * depth / 4); block: (pairs, 4)
static __global__ void __launch_bounds__(4 * pairs)
    prepareFactors(Factors out, const KSample* samples, int numK, Line line) {
  const int k = blockIdx.x * 4 + threadIdx.y, j = threadIdx.x;
  const KSample sample = k < numK ? samples[k] : KSample{0, 0, 0, 0};
  const float step =
      sample.kx * line.dx + sample.ky * line.dy + sample.kz * line.dz;  // cycles from voxel to voxel
  float2 u;
  sincospif((2 * j + 1) * step, &u.y, &u.x);  // of π (2 j + 1) step = 2π (j + 1/2) step
  const float factor = sample.phiMag * scaleOf(*out.largest);
  const std::size_t at = static_cast<std::size_t>(k) * pairs + j;
  split(make_float2(factor * u.x, factor * u.y), out.high[at], out.low[at]);
  if (j == 0) out.place[k] = make_float4(sample.kx, sample.ky, sample.kz, 0);
}

// Starts the asynchronous copies of one round's samples to a stage.
static __device__ void fetch(uint4* stage, const Factors& from, int round) {
  const std::size_t first = static_cast<std::size_t>(round) * depth;
  const int t = threadIdx.x;
  if (t < depth) __pipeline_memcpy_async(stage + t, from.place + first + t, 16);
  const uint4* const high = reinterpret_cast<const uint4*>(from.high) + first * pieces;
  const uint4* const low = reinterpret_cast<const uint4*>(from.low) + first * pieces;
#pragma unroll
  for (int i = t; i < u_pieces; i += threads) {
    const int place = depth + placeInTile(i / pieces, i % pieces);
    __pipeline_memcpy_async(stage + place, high + i, 16);
    __pipeline_memcpy_async(stage + u_pieces + place, low + i, 16);
  }
}

// Four 8 × 8 matrices of halves from shared memory to registers, each transposed. Lane 8 i + r gives the address of row
// r of matrix i; lane 4 r + c gets the elements 2 c and 2 c + 1 of column r of each.
static __device__ void loadTransposed(unsigned (&to)[4], const uint4* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address));
}

// sum = m · n + before by the whole warp: m is (16, 16), n is (16, 8), sum and before are (16, 8), spread over the lanes.
// Lane 4 r + c holds sum[r][2 c], sum[r][2 c + 1], sum[r + 8][2 c], sum[r + 8][2 c + 1].
static __device__ void multiplyAdd(float (&sum)[4], const unsigned (&m)[4], unsigned n0, unsigned n1,
                                   const float (&before)[4]) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%10, %11, %12, %13};"
      : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
      : "r"(m[0]), "r"(m[1]), "r"(m[2]), "r"(m[3]), "r"(n0), "r"(n1), "f"(before[0]), "f"(before[1]),
        "f"(before[2]), "f"(before[3]));
#else  // compute capability 7.5 has the instruction for half of k only
  asm volatile(
      "{\n.reg .f32 a, b, c, d;\n"
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {a, b, c, d}, {%4, %5}, {%8}, {%10, %11, %12, %13};\n"
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%6, %7}, {%9}, {a, b, c, d};\n}"
      : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
      : "r"(m[0]), "r"(m[1]), "r"(m[2]), "r"(m[3]), "r"(n0), "r"(n1), "f"(before[0]), "f"(before[1]),
        "f"(before[2]), "f"(before[3]));
#endif
}

// sum[i][j] and sum[i][j + 1] += a · u: three products for one.
//   u_high, u_low   (16, 16) each, as loadTransposed gives them
static __device__ void multiplySplit(float (&sum)[ops_down][ops_across][op_sums], int j,
                                     const unsigned (&a_high)[ops_down][4],
                                     const unsigned (&a_low)[ops_down][4], const unsigned (&u_high)[4],
                                     const unsigned (&u_low)[4]) {
  // The small products first. Neighbouring instructions don't wait for each other: they add to different sums.
  if (low_too) {
#pragma unroll
    for (int i = 0; i < ops_down; ++i) {
      multiplyAdd(sum[i][j], a_low[i], u_high[0], u_high[1], sum[i][j]);
      multiplyAdd(sum[i][j + 1], a_low[i], u_high[2], u_high[3], sum[i][j + 1]);
    }
#pragma unroll
    for (int i = 0; i < ops_down; ++i) {
      multiplyAdd(sum[i][j], a_high[i], u_low[0], u_low[1], sum[i][j]);
      multiplyAdd(sum[i][j + 1], a_high[i], u_low[2], u_low[3], sum[i][j + 1]);
    }
  }
#pragma unroll
  for (int i = 0; i < ops_down; ++i) {
    multiplyAdd(sum[i][j], a_high[i], u_high[0], u_high[1], sum[i][j]);
    multiplyAdd(sum[i][j + 1], a_high[i], u_high[2], u_high[3], sum[i][j + 1]);
  }
}

// The products of one round, whose samples are in `stage`.
//   sum[i][j]   of the warp's segments from 8 i on and the pairs from 4 j on
static __device__ void multiplyRound(float (&sum)[ops_down][ops_across][op_sums], const uint4* stage,
                                     const Middle (&middle)[ops_down]) {
  const int lane = threadIdx.x % warp_size;
  const float4* const place = reinterpret_cast<const float4*>(stage);
#pragma unroll
  for (int k = 0; k < depth; k += op_depth) {
    unsigned a_high[ops_down][4], a_low[ops_down][4];
#pragma unroll
    for (int i = 0; i < ops_down; ++i) leftOperand(a_high[i], a_low[i], place + k, middle[i]);
#pragma unroll
    for (int j = 0; j < ops_across; j += 2) {
      unsigned u_high[4], u_low[4] = {};  // two matrices of 16 × 8
      const uint4* const row = stage + depth + placeInTile(k + lane % 16, j + lane / 16);
      loadTransposed(u_high, row);
      if (low_too) loadTransposed(u_low, row + u_pieces);
      multiplySplit(sum, j, a_high, a_low, u_high, u_low);
    }
  }
}

// Adds a thread's sums to its part of `total`, (sums of a thread, threads) in shared memory, and clears them.
static __device__ void flush(float* total, float (&sum)[ops_down][ops_across][op_sums]) {
#pragma unroll
  for (int n = 0; n < sums; ++n) {
    float& one = sum[n / op_sums / ops_across][n / op_sums % ops_across][n % op_sums];
    total[n * threads + threadIdx.x] += one;
    one = 0;
  }
}

// Q of voxels on lines.   grid: (segments in the list / block_segments, chunks of samples); block: threads;
//                         shared memory: shared_bytes
//   Qr, Qi    (numX), added to
static __global__ void __launch_bounds__(threads, 2)
    onTensorCores(float* Qr, float* Qi, const float* x, const float* y, const float* z, const Segment* list,
                  int count, Factors factors, Line line) {
  extern __shared__ uint4 shared[];
  const int r = threadIdx.x % warp_size / 4;
  Segment segment[ops_down];  // an empty one beyond the list
  Middle middle[ops_down];
#pragma unroll
  for (int i = 0; i < ops_down; ++i) {
    const int s = blockIdx.x * block_segments + threadIdx.x / warp_size * warp_segments + i * op_segments + r;
    segment[i] = s < count ? list[s] : Segment{0, 0};
    middle[i] = middleOf(segment[i], tensor_segment, x, y, z, line);
  }

  float* const total = reinterpret_cast<float*>(shared + stages * stage_pieces);
  for (int n = 0; n < sums; ++n) total[n * threads + threadIdx.x] = 0;

  float sum[ops_down][ops_across][op_sums] = {};
  const int begin = blockIdx.y * chunk_rounds;
  const int end = factors.rounds - begin < chunk_rounds ? factors.rounds : begin + chunk_rounds;
  for (int ahead = begin; ahead < begin + stages - 1; ++ahead) {
    if (ahead < end) fetch(shared + (ahead - begin) * stage_pieces, factors, ahead);
    __pipeline_commit();
  }
  for (int round = begin; round < end; ++round) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();  // the stage is full, and all threads have read the one before
    const int ahead = round + stages - 1;
    if (ahead < end) fetch(shared + (ahead - begin) % stages * stage_pieces, factors, ahead);
    __pipeline_commit();
    multiplyRound(sum, shared + (round - begin) % stages * stage_pieces, middle);
    if ((round - begin) % flush_rounds == flush_rounds - 1 || round == end - 1) flush(total, sum);
  }

  const float back = 1 / scaleOf(*factors.largest);
#pragma unroll
  for (int i = 0; i < ops_down; ++i)
    addToVoxels(Qr, Qi, segment[i], total + i * ops_across * op_sums * threads + threadIdx.x, threads, back);
}

Factors makeFactors(const DeviceScan& scan, Line line) {
  Factors factors = {};
  factors.rounds = blocksFor(scan.numK, depth);
  const std::size_t samples = static_cast<std::size_t>(factors.rounds) * depth;
  CUDA_CHECK(cudaMalloc(&factors.place, sizeof(float4) * samples));
  CUDA_CHECK(cudaMalloc(&factors.high, sizeof(__half2) * samples * pairs));
  CUDA_CHECK(cudaMalloc(&factors.low, sizeof(__half2) * samples * pairs));
  CUDA_CHECK(cudaMalloc(&factors.largest, sizeof(unsigned)));
  CUDA_CHECK(cudaMemset(factors.largest, 0, sizeof(unsigned)));
  findLargest<<<std::min(blocksFor(scan.numK, threads), 256), threads>>>(factors.largest, scan.samples,
                                                                         scan.numK);
  CUDA_CHECK_LAUNCH();
  prepareFactors<<<factors.rounds*(depth / 4), dim3(pairs, 4)>>>(factors, scan.samples, scan.numK, line);
  CUDA_CHECK_LAUNCH();
  return factors;
}

void freeFactors(const Factors& factors) {
  CUDA_CHECK(cudaFree(factors.place));
  CUDA_CHECK(cudaFree(factors.high));
  CUDA_CHECK(cudaFree(factors.low));
  CUDA_CHECK(cudaFree(factors.largest));
}

void addOnTensorCores(const DeviceScan& scan, const Segment* segments, int count, Line line) {
  if (scan.numK == 0) return;
  const Factors factors = makeFactors(scan, line);
  CUDA_CHECK(cudaFuncSetAttribute(onTensorCores, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  const dim3 grid(blocksFor(count, block_segments), blocksFor(factors.rounds, chunk_rounds));
  onTensorCores<<<grid, threads, shared_bytes>>>(scan.Qr, scan.Qi, scan.x, scan.y, scan.z, segments, count,
                                                 factors, line);
  CUDA_CHECK_LAUNCH();
  freeFactors(factors);
}
