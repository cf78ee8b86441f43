// computeQ_factors.h: the two factors of the product of matrices, for both ways to multiply them on tensor cores (level 3).
//
//   computeQ_tensor.cu   by mma.sync, a warp at a time; computes the right factor
//   computeQ_hopper.cu   by wgmma, four warps at a time
#ifndef COMPUTEQ_FACTORS_H
#define COMPUTEQ_FACTORS_H

#include <cuda_fp16.h>
#include <lab/todo.hpp>

#include "computeQ_lines.h"

#ifndef EXPERT_PRODUCTS
#define EXPERT_PRODUCTS 3  // 1: high · high alone
#endif

constexpr int warp_size = 32;
constexpr int pairs = tensor_segment / 2;
constexpr int depth = 32;  // samples in a round
constexpr bool low_too = EXPERT_PRODUCTS == 3;
constexpr int flush_rounds = 16;   // rounds after which the sums go to shared memory
constexpr int chunk_rounds = 256;  // rounds of a block at most: the grid's y goes over the chunks of samples

// Both instructions give a lane the same elements: 16 rows, the real and the imaginary parts of 8 segments, by 16 samples
// of the left factor; of the sums four for each 4 pairs, whose parts are 8 columns.
constexpr int op_segments = 8, op_depth = 16, op_pairs = 4, op_sums = 4;

constexpr int wide = 8;                   // halves in a piece of 16 bytes
constexpr int pieces = 2 * pairs / wide;  // of a sample's high(u)
constexpr int u_pieces = depth * pieces;  // of a round's

// All samples, as the products need them; zeros at the end fill the last round.
struct Factors {
  int rounds;           // of depth samples
  float4* place;        // (rounds * depth): kx, ky, kz, 0
  __half2 *high, *low;  // (rounds * depth, pairs): phiMag * scale * u_j, split; real and imaginary parts
  unsigned* largest;    // (1): the bits of the largest phiMag
};

// Computes the factors. The kernels may still be running when it returns.
Factors makeFactors(const DeviceScan& scan, Line line);
void freeFactors(const Factors& factors);

// Power of two that brings the largest phiMag to at most 2^15, below the largest half, 65,504. For 0 and numbers near
// it, 2^100.
static __device__ inline float scaleOf(unsigned largest) {
  const int exponent = static_cast<int>(largest >> 23) - 127;
  return ldexpf(1.0f, exponent < -86 ? 100 : 14 - exponent);
}

// Splits two floats into halves: x = high + low, except for the last bits.
static __device__ inline void split(float2 x, __half2& high, __half2& low) {
  high = __floats2half2_rn(x.x, x.y);
  low = __floats2half2_rn(x.x - __low2float(high), x.y - __high2float(high));
}

static __device__ inline unsigned bitsOf(__half2 x) {
  return *reinterpret_cast<const unsigned*>(&x);
}

// The left operand, split: a = e^(2πi k·m) of a warp's op_segments segments and op_depth samples. Row s of the matrix
// is the real part for segment s, row s + 8 the imaginary one. Lane 4 r + c is to hold, two halves in a register,
//
//   m[0]  row r, samples 2 c and 2 c + 1        m[2]  row r, samples 2 c + 8 and 2 c + 9
//   m[1]  row r + 8, the same samples           m[3]  row r + 8, the same samples
//
//   place   of the first sample, in shared memory
//   middle  of segment r
static __device__ inline void leftOperand(unsigned (&high)[4], unsigned (&low)[4], const float4* place,
                                          Middle middle) {
  // ---- part 10: the lane's eight elements of the left operand (about twelve lines) ---------------------------------
  // For both rows and four samples: a's real part is a cosine, its imaginary part a sine (byHardware, withinCycle). split
  // makes two halves of each, and bitsOf a register of two samples' halves. Replace these lines.
  (void)place, (void)middle;
  for (int i = 0; i < 4; ++i) high[i] = low[i] = 0;
  LAB_TODO(10);
  // ---- end of part 10 ----------------------------------------------------------------------------------------------
}

// Adds the sums of one segment's pairs to its voxels. Lane 4 r + c holds those of segment r and of the pairs 4 j + c.
//   sum   the lane's first sum; the others follow, `stride` apart
static __device__ inline void addToVoxels(float* Qr, float* Qi, Segment segment, const float* sum, int stride,
                                          float back) {
  float* const q_r = Qr + segment.first;
  float* const q_i = Qi + segment.first;
#pragma unroll
  for (int j = 0; j < pairs / op_pairs; ++j) {
    const int pair = j * op_pairs + threadIdx.x % 4;
    const int before = pairs - 1 - pair, after = pairs + pair;  // the pair's places in the segment
    const float rr = sum[4 * j * stride] * back, ri = sum[(4 * j + 1) * stride] * back;
    const float ir = sum[(4 * j + 2) * stride] * back, ii = sum[(4 * j + 3) * stride] * back;
    if (after < segment.count) {  // a u
      atomicAdd(&q_r[after], rr - ii);
      atomicAdd(&q_i[after], ri + ir);
    }
    if (before < segment.count) {  // a conj(u)
      atomicAdd(&q_r[before], rr + ii);
      atomicAdd(&q_i[before], ir - ri);
    }
  }
}

#endif
