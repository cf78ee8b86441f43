// computeQ.cu: Q of each voxel, with five optimisations that computeQ.h turns on and off.
//
//   Q(x) = sum over k of phiMag[k] * e^(2πi (kx[k] x + ky[k] y + kz[k] z))
//   Qr   = sum of phiMag[k] * cos(2π …),   Qi = sum of phiMag[k] * sin(2π …)
//
// One thread for each voxel goes through all samples. They come in tiles of K_TILE, with one launch for each
// tile, since constant memory has no room for more:
//
//      samples   ├── tile 0 ──┼── tile 1 ──┼─ 2 ─┤          numK = 2.4 tiles
//      launch          0            1         2             each adds its tile's part to Q
//
// Steps, with the part that changes each:
//   1. Which voxel is mine, how many samples has the tile?   part 3 CONDITIONALS
//   2. Where are its place and its sums?                     part 1 REGISTERS
//   3. For each sample of the tile:                          part 4 UNROLL
//        fetch it,                                           part 2 CONSTANT
//        phase, cos and sin, add to the sums.                part 5 TRIG
//
// Run it:  grader lab3.2
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "computeQ.h"
#include "mriQ.h"

namespace {

constexpr int phi_block = 512;  // threads of a block of ComputePhiMag_GPU
#if CONSTANT
// TODO part 2a (CONSTANT; one line): an array of K_TILE samples in constant memory, at this level of the file.
#endif

int blocksFor(int n, int block) {
  return n / block + (n % block != 0);
}

}  // namespace

// Packs the samples, each with its phiMag.   grid: as many threads as there are samples, or a few more
//   samples        (numK), written
//   kx … phiI      (numK), read
static __global__ void ComputePhiMag_GPU(KSample* samples, const float* kx, const float* ky, const float* kz,
                                         const float* phiR, const float* phiI, int numK) {
  const int k = blockIdx.x * phi_block + threadIdx.x;
  if (k < numK) samples[k] = {kx[k], ky[k], kz[k], phiR[k] * phiR[k] + phiI[k] * phiI[k]};
}

// cos and sin of 2π * cycles.
static __device__ void cosAndSin(float cycles, float& cosine, float& sine) {
  constexpr float two_pi = 6.2831853071795864769252867665590058f;
#if TRIG == 0
  cosine = cosf(two_pi * cycles);
  sine = sinf(two_pi * cycles);
#elif TRIG == 1
  // TODO part 5a (TRIG 1; one line): both with one call, sincosf(angle, &sine, &cosine).
  LAB_TODO(5);
  cosine = sine = cycles * two_pi;
#else
  // TODO part 5b (TRIG 2; three or four lines): with the hardware's own functions, __cosf and __sinf. Their error grows
  // with the angle: bring it into [-π, π] first. What is the nearest whole number of cycles (rintf), and what does
  // taking it away change? (Then: on which units does rintf run? The handout knows another way.)
  LAB_TODO(5);
  cosine = sine = cycles * two_pi;
#endif
}

// Adds the part of one tile to Q.   grid: as many threads as there are voxels, or a few more
//   Qr, Qi    (numX), read and written; the first tile starts from 0
//   x, y, z   (numX), read
//   samples   (numK), global memory, read
//   first     of the tile's samples: a multiple of K_TILE
static __global__ void __launch_bounds__(BLOCK_SIZE)
    ComputeQ_GPU(float* Qr, float* Qi, const float* x, const float* y, const float* z, int numX,
                 const KSample* samples, int first, int numK) {
  // 1. My voxel, and the tile's samples. The last tile may be shorter, and the last block may have threads
  // without a voxel.
  const int voxel = blockIdx.x * BLOCK_SIZE + threadIdx.x;
#if CONDITIONALS
  // TODO part 3 (CONDITIONALS; two lines, in place of the next): a thread without a voxel has nothing to do here; and
  // `count` becomes the number of the tile's samples.
  const int count = 0;
  LAB_TODO(3);
#endif

  // 2. The voxel's place and sums; the first tile starts from 0. A reference is no copy: each use of it reads
  // or writes global memory.
  if (first == 0 && voxel < numX) Qr[voxel] = Qi[voxel] = 0;
#if REGISTERS
  // TODO part 1a (REGISTERS; about three lines, in place of the next four): copies of the five values instead of
  // references. Mind the threads without a voxel.
  LAB_TODO(1);
  const float &my_x = x[voxel], &my_y = y[voxel], &my_z = z[voxel];
  float &sum_r = Qr[voxel], &sum_i = Qi[voxel];
#else
  const float &my_x = x[voxel], &my_y = y[voxel], &my_z = z[voxel];
  float &sum_r = Qr[voxel], &sum_i = Qi[voxel];
#endif

  // 3. All samples of the tile.
#if CONSTANT
  // TODO part 2b (one line, in place of the next two): the tile is the array in constant memory.
  LAB_TODO(2);
  const KSample* const tile = samples + first;
#else
  const KSample* const tile = samples + first;
#endif
  // TODO part 4 (UNROLL; one or two lines): UNROLL samples in each round of this loop, by the compiler (#pragma unroll N
  // before the loop, N a constant) or by hand; with UNROLL 0 it stays as it is. By hand: what if the number of
  // samples is no multiple of UNROLL? There is such a tile, and it is the last one only.
  if (UNROLL > 0) LAB_TODO(4);
  #pragma unroll 1
#if CONDITIONALS
  for (int k = 0; k < count; ++k) {
#else
  for (int k = 0; k < K_TILE && first + k < numK && voxel < numX; ++k) {
#endif
    const KSample sample = tile[k];
    const float cycles = sample.kx * my_x + sample.ky * my_y + sample.kz * my_z;
    float cosine, sine;
    cosAndSin(cycles, cosine, sine);
    sum_r += sample.phiMag * cosine;
    sum_i += sample.phiMag * sine;
  }

#if REGISTERS
  // TODO part 1b (about four lines): copies must be stored.
  LAB_TODO(1);
#endif
}

void computePhiMag(const DeviceScan& scan) {
  if (scan.numK == 0) return;  // a grid of no blocks can't be launched
  ComputePhiMag_GPU<<<blocksFor(scan.numK, phi_block), phi_block>>>(scan.samples, scan.kx, scan.ky, scan.kz,
                                                                    scan.phiR, scan.phiI, scan.numK);
  CUDA_CHECK_LAUNCH();
}

void computeQ(const DeviceScan& scan) {
  if (scan.numX == 0) return;
  // One launch for each tile. Without any sample there is still the first: it stores the zeros.
  for (int first = 0; first == 0 || first < scan.numK; first += K_TILE) {
#if CONSTANT
    // TODO part 2c (about three lines): the samples of this tile, scan.samples + first …, into constant memory:
    // cudaMemcpyToSymbol(symbol, from, bytes, 0, cudaMemcpyDeviceToDevice). The last tile may be shorter.
    LAB_TODO(2);
#endif
    ComputeQ_GPU<<<blocksFor(scan.numX, BLOCK_SIZE), BLOCK_SIZE>>>(scan.Qr, scan.Qi, scan.x, scan.y, scan.z,
                                                                   scan.numX, scan.samples, first, scan.numK);
    CUDA_CHECK_LAUNCH();
  }
}
