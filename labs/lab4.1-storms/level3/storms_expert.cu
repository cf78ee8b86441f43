// storms_expert.cu: the same storms, with hardly any memory traffic and hardly any pairs. Level 3.
//
// Where does v4's time go? Every cell meets every particle, with a square root and a division; and every
// step reads and writes the whole layer. Four ideas remove these costs:
//
//   1. Several cells for each thread. Particles come through shared memory, tile by tile, and one load
//      serves all cells of a thread; 1/sqrt is one instruction. (part 7)
//   2. Bombard, relax and find the maximum in one kernel. A block needs cells of its neighbours for that;
//      instead of waiting for these cells it computes them too, as a halo. The maximum of a storm is one
//      64-bit number, energy and position together, so a single atomic operation updates it. (part 8)
//   3. The halo grows by a cell on each side with each storm. So one launch can do many storms, with the
//      layer in registers throughout: no cell goes through memory in between.
//   4. Far from a particle its energy is a smooth curve. A block of cells is a short piece of it, which a
//      polynomial follows to within 1e-6. So far particles are added up at 8 nodes instead of 2048 cells,
//      and the sum is interpolated once. Only near ones are added cell by cell. The polynomial is computed at
//      three points of a thread, and a parabola gives its cells their values. (part 9)
//
//         size - 1
//   layer  |----------|----------|----------|----------|--    blocks own `owned` cells each
//             halo [··|··········|··] halo                    block 1 computes these: `cells` of them
//
// Run it:  grader lab4.1 --level 3
//          storms 1000000 --storms 4x5000 --version expert
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <algorithm>
#include <cmath>

#include "storms.h"

#ifndef EXPERT_CELLS
#define EXPERT_CELLS 8  // cells of a thread, one after the other
#endif
#ifndef EXPERT_NODES
#define EXPERT_NODES 8  // nodes of the polynomial; 0: idea 4 is off, all particles count as near
#endif
#ifndef EXPERT_BLOCKS
#define EXPERT_BLOCKS \
  6  // blocks that a multiprocessor is to hold: a thread has few enough registers for that
#endif
#ifndef EXPERT_STORMS
#define EXPERT_STORMS 16  // storms of a launch at most; 1: idea 3 is off
#endif

namespace {

constexpr int threads = 256;  // of a block
constexpr int warps = threads / 32;
constexpr int per_thread = EXPERT_CELLS;
constexpr int cells = threads * per_thread;                // that a block computes, halo and all
constexpr float half = 0.5f * (cells - 1), middle = half;  // of the block's cells
constexpr int nodes = EXPERT_NODES, most_nodes = nodes > 0 ? nodes : 1;  // an array has at least one element
constexpr int most_storms = EXPERT_STORMS;
constexpr unsigned all_lanes = 0xffffffffu;
static_assert(per_thread >= 1 && most_storms >= 1 && cells > 4 * (most_storms + 1) &&
                  nodes * nodes <= threads,
              "see the macros above");

// A particle as the threads of one block see it: cells are counted from the block's first one.
struct alignas(16) NearParticle {
  float position;
  float energy;
  float first, last;  // cells of the block within its reach
};

// Storms of one launch. The particles of all storms lie one after the other; storm s begins at
// begin[s], and ends where the next one begins.
struct Storms {
  const Particle* particles;
  const int* begin;
  int first, count;  // the storms of this launch
};

// Energy and position as one number: greater energy first, then the smaller position. Energies are above 0,
// and the bits of such floats have the order of their values. 0 stands for "no maximum".
__host__ __device__ unsigned long long keyOf(unsigned energy_bits, int position) {
  return static_cast<unsigned long long>(energy_bits) << 32 | (0xffffffffu - static_cast<unsigned>(position));
}

}  // namespace

// ----------------------------------------------------------------------------------------- 4. far particles

// What the interpolation of a block needs, in shared memory.
struct Interpolation {
  float node[most_nodes];                // where the nodes lie, from the middle of the block
  float weight[most_nodes][most_nodes];  // of the sum at node j in coefficient m, at [j][m]
  float of_warps[warps][most_nodes];
  float coefficient[most_nodes];
};

// Writes the nodes and the weights. All threads call it, and meet at a barrier before they use them.
static __device__ void prepare(Interpolation& to) {
  const int t = threadIdx.x;
  // The zeros of the Chebyshev polynomial T_nodes, where interpolation is at its best.
  if (t < nodes) to.node[t] = half * cospif((t + 0.5f) / nodes);
  if (t < nodes * nodes) {
    const int j = t / most_nodes, m = t % most_nodes;
    to.weight[j][m] = (m == 0 ? 1.0f : 2.0f) / most_nodes * cospif(m * (j + 0.5f) / most_nodes);
  }
}

// Coefficients of the polynomial through the block's sums at the nodes. All threads call it.
//   sum    (nodes), registers: this thread's part of the sums
//   part   whether the thread has added anything to its sums: a warp of zeros need not add them up
static __device__ void interpolate(float (&sum)[most_nodes], bool part, Interpolation& by) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool adds = __any_sync(all_lanes, part);
#pragma unroll
  for (int j = 0; j < nodes; ++j) {
    for (int distance = 16; adds && distance > 0; distance /= 2)
      sum[j] += __shfl_down_sync(all_lanes, sum[j], distance);
    if (lane == 0) by.of_warps[warp][j] = sum[j];
  }
  __syncthreads();  // the sums of all warps are there
  if (threadIdx.x < nodes) {
    const int m = threadIdx.x;
    float c = 0;
#pragma unroll
    for (int j = 0; j < nodes; ++j) {
      float at_node = 0;
#pragma unroll
      for (int w = 0; w < warps; ++w) at_node += by.of_warps[w][j];
      c += at_node * by.weight[j][m];
    }
    by.coefficient[m] = c;
  }
  __syncthreads();  // the coefficients are there
}

// The polynomial at x in [-1, 1], by Clenshaw's recurrence: two operations for each coefficient.
static __device__ float polynomial(const float* coefficient, float x) {
  float b1 = 0, b2 = 0;
#pragma unroll
  for (int m = nodes - 1; m > 0; --m) {
    const float b = coefficient[m] + 2 * x * b1 - b2;
    b2 = b1;
    b1 = b;
  }
  return coefficient[0] + x * b1 - b2;
}

// Adds the polynomial to a thread's cells. They are so near each other that a parabola through three points follows
// it: at the middle of the cells, and `reach` cells to each side.
//   energy   (per_thread), registers; mine: the first cell's number in the block
static __device__ void addFar(float (&energy)[per_thread], float mine, const float* coefficient) {
  // ---- part 9: the polynomial at the thread's cells (about ten lines) ---------------------------------------------
  // polynomial(coefficient, x) is its value at x: -1 at one end of the block, 1 at the other. Begin with its value for
  // each cell; that is right. Then compute it at three points alone: at the middle of the thread's cells, and half their
  // number to each side. The parabola a + b t + c t² through them, with t = -1, 0, 1 there, gives each cell its value.
  (void)&energy, (void)mine, (void)coefficient, (void)polynomial;  // until they are used: no warning
  LAB_TODO(9);
  // ---- end of part 9 ----------------------------------------------------------------------------------------------
}

// -------------------------------------------------------------------------------------------------- a storm

// The first and the last cell of each thread.
struct Ends {
  float first[threads], last[threads];
};

// What the threads of a block share.
struct Shared {
  NearParticle near[threads];  // of the tile of particles that is being added
  int near_count;
  Interpolation far;
  Ends of_storm, of_relaxed;
  unsigned long long best_of[warps];
};

// Adds one particle to this thread's cells: the inner loop that remains of v4.
//   energy   (per_thread), registers; mine: the first cell's number in the block
static __device__ void addNear(float (&energy)[per_thread], const NearParticle& particle, float mine) {
  // ---- part 7: one particle, all cells of a thread (five lines) ---------------------------------------------------
  // Cell c of the thread is cell mine + c of the block. Its distance to the particle counts from 1, as
  // always; rsqrtf(d) is 1/sqrt(d) in one instruction. Only the cells from particle.first to particle.last
  // are within reach. Unroll the loop, so that the array energy stays in registers.
  (void)energy, (void)particle, (void)mine;  // until they are used: no warning
  LAB_TODO(7);
  // ---- end of part 7 ----------------------------------------------------------------------------------------------
}

// Adds a storm to the cells of a block. All threads call it.
//   energy   (per_thread), registers: this thread's cells
//   begin    the block's first cell, from 0 - halo
static __device__ void bombardBlock(float (&energy)[per_thread], int begin, int size,
                                    const Particle* particles, int count, Shared& shared) {
  const float mine = static_cast<float>(threadIdx.x * per_thread);
  float sum[most_nodes] = {};
  bool part = false;
  for (int tile = 0; tile < count; tile += threads) {
    // Each thread looks at one particle: does it reach the block, and is it near or far?
    if (threadIdx.x == 0) shared.near_count = 0;
    __syncthreads();  // the count is 0, and the tile before has been added
    if (tile + threadIdx.x < count) {
      const Particle particle = particles[tile + threadIdx.x];
      // In 64 bits: reach and position may be as large as an int.
      const long long position = static_cast<long long>(particle.position) - begin;
      const long long first = position - particle.reach + 1, last = position + particle.reach - 1;
      const bool reaches = particle.reach > 0 && first < cells && last >= 0;
      const float x = static_cast<float>(position) - middle;  // from the block's middle
      const bool far = nodes > 0 && first <= 0 && last >= cells - 1 && fabsf(x) >= 3 * half;
      part = part || (reaches && far);
      if (reaches && far) {
        // ---- part 9: a far particle at the nodes (two lines) ------------------------------------------------------
        // Add what the particle gives at each node of the block to this thread's sums. The particle lies at x, node j at
        // shared.far.node[j], both from the middle of the block.
        (void)x;  // until it is used: no warning
        LAB_TODO(9);
        // ---- end of part 9 ----------------------------------------------------------------------------------------
      } else if (reaches) {
        // ---- part 7: a near particle into the list (three lines) --------------------------------------------------
        // Take the next free element of shared.near, even while other threads take one, and fill it: the position, the
        // energy, and the first and the last cell of the block that are within reach.
        (void)particle;  // until it is used: no warning
        LAB_TODO(7);
        // ---- end of part 7 ----------------------------------------------------------------------------------------
      }
    }
    __syncthreads();  // the list of near ones is whole
    for (int i = 0; i < shared.near_count; ++i) addNear(energy, shared.near[i], mine);
    __syncthreads();  // all have read the list and its length
  }
  if constexpr (nodes > 0) {
    interpolate(sum, part, shared.far);
    addFar(energy, mine, shared.far.coefficient);
  }
}

// The cells before and after this thread's, from its neighbours. All threads call it. At the ends of the block a
// thread gets a cell of its own: the value is wrong there, and no owned cell depends on it (see the halo).
//   ends   shared memory, written; between two calls with the same `ends` there must be another barrier
static __device__ void askNeighbours(const float (&energy)[per_thread], Ends& ends, float& before,
                                     float& after) {
  ends.first[threadIdx.x] = energy[0];
  ends.last[threadIdx.x] = energy[per_thread - 1];
  __syncthreads();  // all cells are there
  before = ends.last[threadIdx.x > 0 ? threadIdx.x - 1 : 0];
  after = ends.first[threadIdx.x < threads - 1 ? threadIdx.x + 1 : threads - 1];
}

// x / 3, as rounded as a division, by three instructions: a quotient, what it leaves, and a better one.
static __device__ float thirdOf(float x) {
  constexpr float third = 1.0f / 3;
  const float quotient = x * third;
  return fmaf(fmaf(-3, quotient, x), third, quotient);
}

// Relaxes the cells of a block; the two ends of the layer stay. All threads call it.
//   k   the layer's number of this thread's first cell
static __device__ void relaxBlock(float (&energy)[per_thread], int k, int size, Shared& shared) {
  float before, after;
  askNeighbours(energy, shared.of_storm, before, after);
  // ---- part 8: the mean of three (five lines) ---------------------------------------------------------------------
  // From left to right over the cells of the thread. `before` is the cell before the first one; which value must it
  // have in the next iteration? After the last cell comes `after`. The two ends of the layer stay as they are.
  // thirdOf(x) is x / 3.
  (void)k, (void)size, (void)thirdOf;  // until they are used: no warning
  LAB_TODO(8);
  // ---- end of part 8 ----------------------------------------------------------------------------------------------
}

// Keeps the block's greatest local maximum in *best, if it is greater. All threads call it.
//   first, last   cells of the layer that the block owns: [first, last)
static __device__ void keepMaximum(const float (&energy)[per_thread], int k, int size, int first, int last,
                                   unsigned long long* best, Shared& shared) {
  float before, after;
  askNeighbours(energy, shared.of_relaxed, before, after);
  // ---- part 8: the best of the thread, of its warp, of the block (about 20 lines) ---------------------------------
  //   a. The greatest key of the local maxima among the cells of this thread that the block owns, without the ends of the
  //      layer. keyOf(__float_as_uint(energy[c]), k + c) is the key of a cell; 0 stands for none.
  //   b. The greatest of the warp, by shuffles; lane 0 stores it in shared.best_of.
  //   c. A barrier; then thread 0 takes the greatest of the warps, and atomicMax keeps it in *best.
  (void)k, (void)size, (void)first, (void)last, (void)best, (void)keyOf;  // until they are used: no warning
  LAB_TODO(8);
  // ---- end of part 8 ----------------------------------------------------------------------------------------------
}

// Some storms on the layer.   grid: the layer's cells / owned, rounded up
//   to      (size), written: the layer after the last storm of the launch; null: it is not needed
//   from    (size), read: the layer before the first one; null: all 0
//   best    (storms), a key for each storm, 0 at first
//   owned   cells of the layer for each block; the halo beside them has storms.count + 1 cells on each side
static __global__ void __launch_bounds__(threads, EXPERT_BLOCKS)
    someStorms(float* to, const float* from, unsigned long long* best, int size, int owned, Storms storms) {
  __shared__ Shared shared;
  const int first = blockIdx.x * owned, last = size - first < owned ? size : first + owned;
  const int begin = first - (storms.count + 1);    // the block's first cell; before the layer in block 0
  const int k = begin + threadIdx.x * per_thread;  // my first cell
  prepare(shared.far);                             // the first barrier of bombardBlock() precedes their use
  float energy[per_thread];
#pragma unroll
  for (int c = 0; c < per_thread; ++c) {
    energy[c] = from != nullptr && k + c >= 0 && k + c < size ? from[k + c] : 0;
  }
  for (int s = storms.first; s < storms.first + storms.count; ++s) {
    bombardBlock(energy, begin, size, storms.particles + storms.begin[s],
                 storms.begin[s + 1] - storms.begin[s], shared);
    relaxBlock(energy, k, size, shared);
    keepMaximum(energy, k, size, first, last, &best[s], shared);
  }
  if (to == nullptr) return;
#pragma unroll
  for (int c = 0; c < per_thread; ++c) {
    if (k + c >= first && k + c < last) to[k + c] = energy[c];
  }
}

void stormsExpert(const Problem& problem, float* /*layer*/, Maximum* maxima) {
  const int size = problem.size, count = static_cast<int>(problem.storms.size());
  if (count == 0) return;
  // All storms in one array, which goes to the device in one copy.
  std::vector<Particle> particles;
  std::vector<int> begin = {0};
  for (const std::vector<Particle>& storm : problem.storms) {
    particles.insert(particles.end(), storm.begin(), storm.end());
    begin.push_back(static_cast<int>(particles.size()));
  }
  const bool one_launch = count <= most_storms;
  DeviceArray<Particle> d_particles(particles.size());
  DeviceArray<int> d_begin(begin.size());
  DeviceArray<unsigned long long> d_best(count);
  DeviceArray<float> d_layer(one_launch ? 0 : size), d_other(one_launch ? 0 : size);
  if (!particles.empty())
    CUDA_CHECK(cudaMemcpy(d_particles, particles.data(), sizeof(Particle) * particles.size(),
                          cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_begin, begin.data(), sizeof(int) * begin.size(), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_best, 0, sizeof(unsigned long long) * count));

  float *from = nullptr, *to = d_layer;
  for (int first = 0; first < count; first += most_storms) {
    const int some = std::min(most_storms, count - first);
    const int owned = cells - 2 * (some + 1);
    const bool last = first + some == count;
    const Storms storms = {d_particles, d_begin, first, some};
    someStorms<<<size / owned + (size % owned != 0), threads>>>(last ? nullptr : to, from, d_best, size,
                                                                owned, storms);
    CUDA_CHECK_LAUNCH();
    from =
        to;  // the next launch reads this one's layer and writes the other: a block may still read its halo
    to = to == d_layer ? d_other : d_layer;
  }
  std::vector<unsigned long long> best(count);
  CUDA_CHECK(cudaMemcpy(best.data(), d_best, sizeof(unsigned long long) * count, cudaMemcpyDeviceToHost));
  for (int s = 0; s < count; ++s) {
    maxima[s] = {0, 0};
    if (best[s] == 0) continue;
    const auto bits = static_cast<unsigned>(best[s] >> 32);
    maxima[s].position = static_cast<int>(0xffffffffu - static_cast<unsigned>(best[s]));
    std::memcpy(&maxima[s].value, &bits, sizeof bits);
  }
}
