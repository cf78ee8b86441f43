// matrixmul_halves.h: scales a row before its floats are split into two halves. The versions on tensor cores
// share it (level 3).
#ifndef MATRIXMUL_HALVES_H
#define MATRIXMUL_HALVES_H

constexpr int split_threads = 256;  // threads of a block that splits a row

// Power of two that brings `largest` into [2^14, 2^15): below the largest half, 65,504, with room to round
// up. For 0 and numbers near it, 2^100.
static __device__ inline float scaleFor(float largest) {
  const int exponent = static_cast<int>(__float_as_uint(largest) >> 23) - 127;  // largest >= 0
  return ldexpf(1.0f, exponent < -86 ? 100 : 14 - exponent);
}

// Largest |x| of a block's threads; every thread gets it. Nonnegative floats are ordered as their bits are,
// with NaN above all.
static __device__ inline float largestOfBlock(float x) {
  __shared__ unsigned of_warp[split_threads / 32];
  unsigned bits = __float_as_uint(fabsf(x));
  for (int offset = 32 / 2; offset > 0; offset /= 2)
    bits = max(bits, __shfl_xor_sync(0xffffffffu, bits, offset));
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = bits;
  __syncthreads();
  unsigned largest = 0;
  for (const unsigned one : of_warp) largest = one > largest ? one : largest;
  return __uint_as_float(largest);
}

#endif
