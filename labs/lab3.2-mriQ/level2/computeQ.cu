// computeQ.cu: Q of each voxel, with five optimisations that parameters.h turns on and off.
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
#include "parameters.h"

// Read by the host's side (mriQ.cu), which does not include parameters.h.
const bool is_trial = TRIAL;

namespace {

constexpr int phi_block = 512;                  // threads of a block of ComputePhiMag_GPU
__constant__ KSample tile_in_constant[K_TILE];  // with CONSTANT: the samples of this launch's tile

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
  if constexpr (trig == 0) {
    cosine = cosf(two_pi * cycles);
    sine = sinf(two_pi * cycles);
  } else if constexpr (trig == 1) {
    // ---- part 5: TRIG 1, both with one call (one line, in place of these) ---------------------------------
    // sincosf(angle, &s, &c) computes the sine s and the cosine c of an angle.
    cosine = sine = cycles * two_pi;
    LAB_TODO(5);
    // ---- end of part 5 ------------------------------------------------------------------------------------
  } else {
    // ---- part 5: TRIG 2, with the hardware's own functions (three or four lines, in place of these) -------
    // The error of __cosf and __sinf grows with the angle: bring it into [-π, π] first. What is the nearest
    // whole number of cycles (rintf), and what does subtracting it change? (Then: on which units does rintf
    // run? The handout knows another way.)
    cosine = sine = cycles * two_pi;
    LAB_TODO(5);
    // ---- end of part 5 ------------------------------------------------------------------------------------
  }
}

// Adds the part of one tile to Q.   grid: as many threads as there are voxels, or a few more
//   Qr, Qi    (numX), read and written; the first tile starts from 0
//   x, y, z   (numX), read
//   samples   (numK), global memory, read
//   first     of the tile's samples: a multiple of K_TILE
static __global__ void __launch_bounds__(block_size)
    ComputeQ_GPU(float* Qr, float* Qi, const float* x, const float* y, const float* z, int numX,
                 const KSample* samples, int first, int numK) {
  // 1. This thread's voxel, and the tile's samples. The last tile may be shorter, and the last block may have
  // threads without a voxel.
  const int voxel = blockIdx.x * block_size + threadIdx.x;
  int count = conditionals ? 0 : K_TILE;  // samples of the tile; without CONDITIONALS an upper limit
  if constexpr (conditionals) {
    // ---- part 3: the conditions of the loop, evaluated once (two lines) -----------------------------------
    // A thread without a voxel has nothing to do here; and `count` becomes the number of the tile's samples.
    LAB_TODO(3);
    // ---- end of part 3 ------------------------------------------------------------------------------------
  }

  // 2. The voxel's place and sums; the first tile starts from 0. A reference to an element of an array is not
  //    a copy: each use of the reference reads or writes global memory. With REGISTERS the references are to
  //    copies.
  if (first == 0 && voxel < numX) Qr[voxel] = Qi[voxel] = 0;
  float copy_x = 0, copy_y = 0, copy_z = 0, copy_r = 0, copy_i = 0;
  if constexpr (registers) {
    // ---- part 1: copy the place and the sums (about four lines) -------------------------------------------
    // The five copies get the values of this voxel. Mind the threads without a voxel.
    LAB_TODO(1);
    // ---- end of part 1 ------------------------------------------------------------------------------------
  }
  const float& my_x = registers ? copy_x : x[voxel];
  const float& my_y = registers ? copy_y : y[voxel];
  const float& my_z = registers ? copy_z : z[voxel];
  float& sum_r = registers ? copy_r : Qr[voxel];
  float& sum_i = registers ? copy_i : Qi[voxel];

  // 3. All samples of the tile.
  const KSample* tile = samples + first;
  if constexpr (constant) {
    // ---- part 2: read the tile from constant memory (one line) --------------------------------------------
    // Where are the tile's samples then?
    LAB_TODO(2);
    // ---- end of part 2 ------------------------------------------------------------------------------------
  }
  // ---- part 4: unroll the loop over the samples (one or two lines, in place of these) ---------------------
  // With UNROLL, the loop below takes that many samples in each round: by the compiler (#pragma unroll N
  // before the loop, N a constant) or by hand. With UNROLL 0 it stays as it is. By hand: what if the number
  // of samples is not a multiple of UNROLL? Only the last tile can have such a number.
  if (unroll > 0) LAB_TODO(4);
#pragma unroll 1
  // ---- end of part 4 --------------------------------------------------------------------------------------
  for (int k = 0; k < count; ++k) {
    if (!conditionals && (first + k >= numK || voxel >= numX)) break;
    const KSample sample = tile[k];
    const float cycles = sample.kx * my_x + sample.ky * my_y + sample.kz * my_z;
    float cosine, sine;
    cosAndSin(cycles, cosine, sine);
    sum_r += sample.phiMag * cosine;
    sum_i += sample.phiMag * sine;
  }

  if constexpr (registers) {
    // ---- part 1: store the sums (about four lines) --------------------------------------------------------
    // So far they are in registers only.
    LAB_TODO(1);
    // ---- end of part 1 ------------------------------------------------------------------------------------
  }
}

void computePhiMag(const DeviceScan& scan) {
  if (scan.numK == 0) return;  // a grid of no blocks can't be launched
  ComputePhiMag_GPU<<<blocksFor(scan.numK, phi_block), phi_block>>>(scan.samples, scan.kx, scan.ky, scan.kz,
                                                                    scan.phiR, scan.phiI, scan.numK);
  CUDA_CHECK_LAUNCH();
}

void computeQ(const DeviceScan& scan) {
  if (scan.numX == 0) return;
  // One launch for each tile. Without any sample the first launch still stores the zeros.
  for (int first = 0; first == 0 || first < scan.numK; first += K_TILE) {
    if constexpr (constant) {
      // ---- part 2: copy the tile into constant memory (about three lines) ---------------------------------
      // The samples of this tile, scan.samples + first …, go to tile_in_constant, by
      // cudaMemcpyToSymbol(symbol, from, bytes, 0, cudaMemcpyDeviceToDevice). The last tile may be shorter.
      LAB_TODO(2);
      // ---- end of part 2 ----------------------------------------------------------------------------------
    }
    ComputeQ_GPU<<<blocksFor(scan.numX, block_size), block_size>>>(scan.Qr, scan.Qi, scan.x, scan.y, scan.z,
                                                                   scan.numX, scan.samples, first, scan.numK);
    CUDA_CHECK_LAUNCH();
  }
}
