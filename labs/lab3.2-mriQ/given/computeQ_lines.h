// computeQ_lines.h: declarations for the ways of computing voxels on lines (level 3).
//
//   computeQ_expert.cu   finds the lines, and adds up by ordinary multiply-adds
//   computeQ_tensor.cu   adds up on tensor cores
//   computeQ_hopper.cu   adds up on Hopper's tensor cores
#ifndef COMPUTEQ_LINES_H
#define COMPUTEQ_LINES_H

#include "computeQ.h"

// Voxels in a row, step apart, starting at `first`.
struct Segment {
  int first, count;
};

// How voxels follow each other: rows of `length`, neighbours (dx, dy, dz) apart.
struct Line {
  float dx = 0, dy = 0, dz = 0;
  int length = 1;
};

// Where the middle of a segment lies.
struct Middle {
  float x, y, z;
};

// The middle of a full segment of `size` voxels that begins where this one does.
static __device__ inline Middle middleOf(Segment segment, int size, const float* x, const float* y,
                                         const float* z, Line line) {
  const int a = segment.first, b = a + (segment.count > 0 ? segment.count - 1 : 0);
  const float rest = 0.5f * (size - 1 - (b - a));  // a short segment gets a full one's middle
  return {0.5f * (x[a] + x[b]) + rest * line.dx, 0.5f * (y[a] + y[b]) + rest * line.dy,
          0.5f * (z[a] + z[b]) + rest * line.dz};
}

// cycles, less the nearest whole number of them: [-1/2, 1/2]. See cosAndSin in computeQ.cu.
static __device__ inline float withinCycle(float cycles) {
  constexpr float no_fraction = 12582912.0f;
  return cycles - ((cycles + no_fraction) - no_fraction);
}

// cos and sin of 2π * cycles for cycles in [-1/2, 1/2], by the special function units.
static __device__ inline void byHardware(float cycles, float& cosine, float& sine) {
  const float angle = 6.2831853071795864769f * cycles;
  cosine = __cosf(angle);
  sine = __sinf(angle);
}

__host__ __device__ constexpr int blocksFor(int n, int block) {
  return n / block + (n % block != 0);
}

// Voxels of a full segment on tensor cores.
constexpr int tensor_segment = 128;

// Adds Q of the segments' voxels to scan.Qr and scan.Qi. The kernels may still be running when it returns.
//   segments   (count), device memory; count > 0
void addOnTensorCores(const DeviceScan& scan, const Segment* segments, int count, Line line);
// By wgmma. Ends the program where the GPU does not have it.
void addOnWarpgroups(const DeviceScan& scan, const Segment* segments, int count, Line line);

#endif
