// computeQ_expert.cu: Q at several times the speed that sines and cosines allow. Beyond the manual: level 3.
//
// A multiprocessor (compute capability 9.0) computes 16 sines or cosines a cycle on its special function
// units, and 128 multiply-adds on its other units. Each pair of voxel and sample needs a sine and a cosine: 8
// pairs a cycle at most, and no improvement of the rest of the loop helps. Three steps do:
//
//   1. Each thread has several voxels, so that a sample is loaded once for all of them. (part 7)
//   2. Every fifth pair gets its cosine and sine from polynomials: the other units share the work. (part 8)
//   3. Voxels of an image lie on lines, at equal distances. For 32 of them in a row, around a middle m,
//
//          e^(2πi k·(m ± (j + 1/2) d))  =  a · u_j  and  a · conj(u_j)
//          with  a = e^(2πi k·m)  and  u_j = e^(2πi (j + 1/2) k·d)
//
//      u_j is the same for every row of the image, so it is computed once for each sample. A pair costs two
//      multiply-adds and a thirty-second of a cosine: Q is then a product of matrices, and no longer a sum of
//      cosines. (part 9)
//
// Step 3 needs voxels on lines. The program finds lines in the data; voxels that lie on no line take steps 1
// and 2.
//
// Run it:  grader lab3.2 --level 3
//          mri-q -S --scan 128^3x147258 --version expert
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "computeQ_lines.h"

#ifndef EXPERT_LINES
#define EXPERT_LINES 1  // 0: no step 3
#endif
#ifndef EXPERT_VOXELS
#define EXPERT_VOXELS 5  // of a thread, steps 1 and 2
#endif
#ifndef EXPERT_BY_FMA
#define EXPERT_BY_FMA 1  // how many of them by polynomials; 0: no step 2
#endif
#ifndef EXPERT_PAIRS
#define EXPERT_PAIRS 16  // step 3: pairs of voxels of a segment, an even number
#endif
#ifndef EXPERT_ROWS
#define EXPERT_ROWS 2  // step 3: segments of a thread
#endif
#ifndef EXPERT_BLOCKS
#define EXPERT_BLOCKS 3  // step 3: blocks that a multiprocessor is to hold, which limits the registers
#endif

namespace {

constexpr int threads = 128;  // of a block
constexpr int enough_blocks = 2048;
constexpr int least_chunk = 256, most_chunk = 8192;  // samples of a block: the grid's y goes over the chunks
constexpr int tile_size = 64;                        // samples in shared memory at a time
constexpr int voxels = EXPERT_VOXELS, by_fma = EXPERT_BY_FMA;
constexpr int pairs = EXPERT_PAIRS, rows = EXPERT_ROWS;
constexpr int segment_size = 2 * pairs;
constexpr int shortest_segment = 3;  // fewer voxels are cheaper one by one
static_assert(by_fma >= 0 && by_fma <= voxels && pairs >= 2 && pairs % 2 == 0 && rows >= 1,
              "see the macros above");

// A sample of step 3: its place, and phiMag * u_j for each pair; counted in float4, since a load takes 16 bytes.
constexpr int line_sample_size = 1 + pairs / 2;  // in float4

// The lists of voxels for each way of computing, on the device, and their lengths.
struct Plan {
  Segment* segments;  // step 3
  int* singles;       // numbers of the voxels of steps 1 and 2
  int counts[2];      // of segments, of singles
};

}  // namespace

// cos and sin of 2π * cycles to within 5e-6, by 11 multiplications and additions.
static __device__ void byPolynomial(float cycles, float& cosine, float& sine) {
  // s = √2 sin(π c) and h = √2 cos(π c): half the angle needs half the terms. Then cos(2π c) = 1 - s² and
  // sin(2π c) = s h. Coefficients: interpolation at the Chebyshev nodes of t = c² in [0, 1/4].
  const float t = cycles * cycles;
  const float s = cycles * (((-0.79116058f * t + 3.5977597f) * t - 7.3078156f) * t + 4.4428797f);
  const float h = (((0.31067786f * t - 1.8835528f) * t + 5.7394595f) * t - 6.9788508f) * t + 1.4142135f;
  cosine = 1 - s * s;
  sine = s * h;
}

// Steps 1 and 2: voxels anywhere.   grid: (voxels in the list / (threads * voxels), chunks of samples)
//   Qr, Qi   (numX), added to
//   list     (count), numbers of voxels, read
static __global__ void __launch_bounds__(threads)
    anywhere(float* Qr, float* Qi, const float* x, const float* y, const float* z, const int* list, int count,
             const KSample* samples, int numK, int chunk) {
  __shared__ KSample tile[tile_size];
  const int begin = blockIdx.y * chunk;  // of this block's samples
  const int end = numK - begin < chunk ? numK : begin + chunk;
  int voxel[voxels];  // -1: none
  float my_x[voxels] = {}, my_y[voxels] = {}, my_z[voxels] = {}, sum_r[voxels] = {}, sum_i[voxels] = {};
  for (int v = 0; v < voxels; ++v) {
    const int i = (blockIdx.x * voxels + v) * threads + threadIdx.x;
    voxel[v] = i < count ? list[i] : -1;
    if (voxel[v] < 0) continue;
    my_x[v] = x[voxel[v]];
    my_y[v] = y[voxel[v]];
    my_z[v] = z[voxel[v]];
  }

  for (int first = begin; first < end; first += tile_size) {
    const int n = end - first < tile_size ? end - first : tile_size;
    __syncthreads();  // all threads have read the previous tile
    if (threadIdx.x < n) tile[threadIdx.x] = samples[first + threadIdx.x];
    __syncthreads();  // the tile is full

#pragma unroll 2
    for (int k = 0; k < n; ++k) {
      const KSample sample = tile[k];  // one load for all voxels
#pragma unroll
      for (int v = 0; v < voxels; ++v) {
        const float cycles = withinCycle(sample.kx * my_x[v] + sample.ky * my_y[v] + sample.kz * my_z[v]);
        float cosine, sine;
        if (v < by_fma) {  // known when compiling: no branch is left
          byPolynomial(cycles, cosine, sine);
        } else {
          byHardware(cycles, cosine, sine);
        }
        sum_r[v] += sample.phiMag * cosine;
        sum_i[v] += sample.phiMag * sine;
      }
    }
  }

  for (int v = 0; v < voxels; ++v) {
    if (voxel[v] < 0) continue;
    atomicAdd(&Qr[voxel[v]], sum_r[v]);  // other blocks have other chunks of the samples
    atomicAdd(&Qi[voxel[v]], sum_i[v]);
  }
}

// Step 3, once for each sample: its place and phiMag * u_j.   grid: as many threads as samples, or a few more
//   out   (numK, line_sample_size) row-major, written
static __global__ void prepareLineSamples(float4* out, const KSample* samples, int numK, Line line) {
  const int k = blockIdx.x * threads + threadIdx.x;
  if (k >= numK) return;
  const KSample sample = samples[k];
  float4* const mine = out + static_cast<std::size_t>(k) * line_sample_size;
  mine[0] = make_float4(sample.kx, sample.ky, sample.kz, 0);
  const float step =
      sample.kx * line.dx + sample.ky * line.dy + sample.kz * line.dz;  // cycles from voxel to voxel
  for (int j = 0; j < pairs; j += 2) {
    float4 u;
    sincospif((2 * j + 1) * step, &u.y, &u.x);  // of π (2 j + 1) step = 2π (j + 1/2) step
    sincospif((2 * j + 3) * step, &u.w, &u.z);
    mine[1 + j / 2] =
        make_float4(sample.phiMag * u.x, sample.phiMag * u.y, sample.phiMag * u.z, sample.phiMag * u.w);
  }
}

// Step 3: segments of voxels on lines.   grid: (segments in the list / (threads * rows), chunks of samples)
//   Qr, Qi    (numX), added to
//   samples   (numK, line_sample_size), from prepareLineSamples
static __global__ void __launch_bounds__(threads, EXPERT_BLOCKS)
    onLines(float* Qr, float* Qi, const float* x, const float* y, const float* z, const Segment* list,
            int count, const float4* samples, int numK, int chunk, Line line) {
  __shared__ float4 tile[tile_size * line_sample_size];
  const int begin = blockIdx.y * chunk;  // of this block's samples
  const int end = numK - begin < chunk ? numK : begin + chunk;
  // Segment number r of this thread; an empty segment beyond the list.
  const auto segment_of = [=](int r) {
    const int i = static_cast<int>((blockIdx.x * rows + r) * threads + threadIdx.x);
    return i < count ? list[i] : Segment{0, 0};
  };
  Middle middle[rows];
  for (int r = 0; r < rows; ++r) middle[r] = middleOf(segment_of(r), segment_size, x, y, z, line);
  // Four separate sums, of the real products of a and u_j: Q of the voxels on both sides of the middle is
  // their sums and differences.
  float rr[rows][pairs] = {}, ii[rows][pairs] = {}, ri[rows][pairs] = {}, ir[rows][pairs] = {};

  for (int first = begin; first < end; first += tile_size) {
    const int n = end - first < tile_size ? end - first : tile_size;
    const float4* const from = samples + static_cast<std::size_t>(first) * line_sample_size;
    __syncthreads();  // all threads have read the previous tile
    for (int i = threadIdx.x; i < n * line_sample_size; i += threads) tile[i] = from[i];
    __syncthreads();  // the tile is full

#pragma unroll 1
    for (int k = 0; k < n; ++k) {
      const float4* const sample = tile + k * line_sample_size;
      float a_r[rows], a_i[rows];  // a = e^(2πi k·m)
#pragma unroll
      for (int r = 0; r < rows; ++r)
        byHardware(
            withinCycle(sample[0].x * middle[r].x + sample[0].y * middle[r].y + sample[0].z * middle[r].z),
            a_r[r], a_i[r]);
#pragma unroll
      for (int j = 0; j < pairs; j += 2) {
        const float4 u = sample[1 + j / 2];  // u_j and u_(j+1), for all rows
#pragma unroll
        for (int r = 0; r < rows; ++r) {
          rr[r][j] += a_r[r] * u.x, ii[r][j] += a_i[r] * u.y;
          ri[r][j] += a_r[r] * u.y, ir[r][j] += a_i[r] * u.x;
          rr[r][j + 1] += a_r[r] * u.z, ii[r][j + 1] += a_i[r] * u.w;
          ri[r][j + 1] += a_r[r] * u.w, ir[r][j + 1] += a_i[r] * u.z;
        }
      }
    }
  }

#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const Segment segment = segment_of(r);  // read again: kept, it would take registers during the loop
#pragma unroll
    for (int j = 0; j < pairs; ++j) {
      const int before = pairs - 1 - j, behind = pairs + j;  // the pair's places in the segment
      float* const q_r = Qr + segment.first;
      float* const q_i = Qi + segment.first;
      if (behind < segment.count) {  // a u
        atomicAdd(&q_r[behind], rr[r][j] - ii[r][j]);
        atomicAdd(&q_i[behind], ri[r][j] + ir[r][j]);
      }
      if (before < segment.count) {  // a conj(u)
        atomicAdd(&q_r[before], rr[r][j] + ii[r][j]);
        atomicAdd(&q_i[before], ir[r][j] - ri[r][j]);
      }
    }
  }
}

// Whether `value` is the predicted one, to within the rounding of numbers as large as a and b.
static __device__ bool fits(float value, float predicted, float a, float b) {
  return fabsf(value - predicted) <= 4.8e-7f * fmaxf(fabsf(a), fabsf(b));  // 4 units in the last place
}

// Sorts voxels into segments and singles.   grid: as many threads as there are segments, or a few more
//   size   voxels of a full segment
static __global__ void sortVoxels(Plan plan, int* counts, const float* x, const float* y, const float* z,
                                  int numX, int segments, int size, Line line) {
  const int s = blockIdx.x * threads + threadIdx.x;
  if (s >= segments) return;
  const int per_row = blocksFor(line.length, size);
  const int row = s / per_row;
  const int first = row * line.length + s % per_row * size;
  const int row_end = numX - row * line.length < line.length ? numX : (row + 1) * line.length;
  const int count = row_end - first < size ? row_end - first : size;
  if (count <= 0) return;  // the last row may be short

  const int last = first + count - 1;
  bool on_line = EXPERT_LINES && count >= shortest_segment;
  for (int i = 1; i < count && on_line; ++i) {
    on_line = fits(x[first + i], x[first] + i * line.dx, x[first], x[last]) &&
              fits(y[first + i], y[first] + i * line.dy, y[first], y[last]) &&
              fits(z[first + i], z[first] + i * line.dz, z[first], z[last]);
  }
  if (on_line) {
    plan.segments[atomicAdd(&counts[0], 1)] = {first, count};
  } else {
    const int place = atomicAdd(&counts[1], count);
    for (int i = 0; i < count; ++i) plan.singles[place + i] = first + i;
  }
}

// The line of the first voxels; sortVoxels compares the others with it.
static Line findLine(const DeviceScan& scan) {
  constexpr int most = 1024;  // longer rows are treated as several
  const int n = std::min(scan.numX, most);
  std::vector<float> p[3];
  const float* const from[3] = {scan.x, scan.y, scan.z};
  for (int axis = 0; axis < 3; ++axis) {
    p[axis].resize(n);
    CUDA_CHECK(cudaMemcpy(p[axis].data(), from[axis], sizeof(float) * n, cudaMemcpyDeviceToHost));
  }
  Line line;
  if (n < 2) return line;
  // The row ends where the distance to the next voxel differs from the distance of the first two.
  const auto same_step = [&p](int axis, int i) {
    const float a = p[axis][i], b = p[axis][i + 1], step = p[axis][1] - p[axis][0];
    return std::fabs(b - a - step) <= 4.8e-7f * std::max(std::fabs(a), std::fabs(b));
  };
  while (line.length < n && same_step(0, line.length - 1) && same_step(1, line.length - 1) &&
         same_step(2, line.length - 1))
    ++line.length;
  const auto mean = [&](int axis) { return (p[axis][line.length - 1] - p[axis][0]) / (line.length - 1); };
  line.dx = mean(0), line.dy = mean(1), line.dz = mean(2);
  return line;
}

// Blocks in the grid's y, each with `chunk` samples: few large chunks, unless these would give too few blocks
// for the device.
static int chunksFor(int numK, int columns, int& chunk) {
  const int wanted = std::max(1, enough_blocks / columns);
  chunk = std::clamp(blocksFor(numK, wanted), least_chunk, most_chunk);
  return std::max(1, blocksFor(numK, chunk));  // without samples the sums are zeros
}

void computeQExpert(const DeviceScan& scan, OnLines by) {
  if (scan.numX == 0) return;
  const Line line = findLine(scan);
  const int size = by == OnLines::expert ? segment_size : tensor_segment;
  const int segments = blocksFor(scan.numX, line.length) * blocksFor(line.length, size);

  Plan plan = {};
  int* counts = nullptr;
  float4* line_samples = nullptr;
  CUDA_CHECK(cudaMalloc(&plan.segments, sizeof(Segment) * segments));
  CUDA_CHECK(cudaMalloc(&plan.singles, sizeof(int) * scan.numX));
  CUDA_CHECK(cudaMalloc(&counts, sizeof plan.counts));
  CUDA_CHECK(cudaMalloc(&line_samples, sizeof(float4) * line_sample_size * scan.numK));
  CUDA_CHECK(cudaMemset(counts, 0, sizeof plan.counts));
  CUDA_CHECK(cudaMemset(scan.Qr, 0, sizeof(float) * scan.numX));
  CUDA_CHECK(cudaMemset(scan.Qi, 0, sizeof(float) * scan.numX));
  sortVoxels<<<blocksFor(segments, threads), threads>>>(plan, counts, scan.x, scan.y, scan.z, scan.numX,
                                                        segments, size, line);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(plan.counts, counts, sizeof plan.counts, cudaMemcpyDeviceToHost));

  int chunk = 0;
  if (plan.counts[0] > 0 && by == OnLines::hopper) {
    addOnWarpgroups(scan, plan.segments, plan.counts[0], line);
  } else if (plan.counts[0] > 0 && by == OnLines::tensor) {
    addOnTensorCores(scan, plan.segments, plan.counts[0], line);
  } else if (plan.counts[0] > 0) {
    if (scan.numK > 0) {
      prepareLineSamples<<<blocksFor(scan.numK, threads), threads>>>(line_samples, scan.samples, scan.numK,
                                                                     line);
      CUDA_CHECK_LAUNCH();
    }
    const int columns = blocksFor(plan.counts[0], threads * rows);
    const int chunks = chunksFor(scan.numK, columns, chunk);
    onLines<<<dim3(columns, chunks), threads>>>(scan.Qr, scan.Qi, scan.x, scan.y, scan.z, plan.segments,
                                                plan.counts[0], line_samples, scan.numK, chunk, line);
    CUDA_CHECK_LAUNCH();
  }
  if (plan.counts[1] > 0) {
    const int columns = blocksFor(plan.counts[1], threads * voxels);
    const int chunks = chunksFor(scan.numK, columns, chunk);
    anywhere<<<dim3(columns, chunks), threads>>>(scan.Qr, scan.Qi, scan.x, scan.y, scan.z, plan.singles,
                                                 plan.counts[1], scan.samples, scan.numK, chunk);
    CUDA_CHECK_LAUNCH();
  }
  CUDA_CHECK(cudaFree(plan.segments));
  CUDA_CHECK(cudaFree(plan.singles));
  CUDA_CHECK(cudaFree(counts));
  CUDA_CHECK(cudaFree(line_samples));
}
