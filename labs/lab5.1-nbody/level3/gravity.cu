// gravity.cu: another exercise. Now every ball attracts every other one, so there are N² pairs that all count, and no grid
// helps. With r = p_j - p_i, for all i:
//
//      a_i = sum over j of r / (|r|² + ε²)^(3/2)
//
// A pair takes 11 additions and multiplications and one reciprocal root. All else must disappear beside them:
//
//   tile       A block loads BLOCK_SIZE bodies j into shared memory; all its threads go through them. Of all bytes from
//              global memory only one in BLOCK_SIZE is left.
//   registers  A thread has `each` bodies i, so that one load from shared memory serves `each` pairs.
//   parts      65,536 bodies, four to a thread, are 128 blocks: too few for 132 multiprocessors. The bodies j are divided
//              into parts, one for each blockIdx.y; each part's sums are stored, and added in a fixed order by the kernel
//              that moves the bodies. So results are the same in every run.
//
//              blockIdx.y = 0                    blockIdx.y = 1
//      i  ▶    j = 0 … length - 1                length … 2 length - 1         thread t of block b has the bodies
//      partial[0][i]                             partial[1][i]                 i = (b · each + 0, 1, 2, 3) · BLOCK_SIZE + t
//
// Run it:  grader lab5.1 --level 3
//          nbody 65536 10 --version gravity
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "nbody.h"

#ifndef GRAVITY_BODIES
#define GRAVITY_BODIES 4  // bodies of a thread
#endif
static constexpr int each = GRAVITY_BODIES;
static constexpr float far_away = 1e18f;  // a body there attracts no other: its term is rounded to 0

// 1 / sqrt(x), off by two units in the last place at most. rsqrtf() takes three operations more, for numbers below 10^-38:
// ε² is far above them.
static __device__ float reciprocalRoot(float x) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}

// Adds to `sum` what the body at `other` does to the one at `mine`. 11 operations on the floating-point units, one on the
// special function units.
static __device__ void attract(float3& sum, const float4& mine, const float4& other,
                               float softening_squared) {
  // ---- part 8: one pair (six lines) --------------------------------------------------------------------------------
  // The formula at the top, with reciprocalRoot(). Where does ε² go?
  (void)reciprocalRoot, (void)sum, (void)mine, (void)other, (void)softening_squared;  // until they are used: no warning
  LAB_TODO(8);
  // ---- end of part 8 -----------------------------------------------------------------------------------------------
}

// grid: (N / (each · BLOCK_SIZE), parts), rounded up
//   partial    (parts, N), written
//   position   (N), read
//   length     bodies j of a part
__global__ void __launch_bounds__(BLOCK_SIZE)
    attractKernel(float4* partial, const float4* position, int N, int length, float softening_squared) {
  __shared__ float4 tile[BLOCK_SIZE];
  const int first = blockIdx.x * each * BLOCK_SIZE + threadIdx.x;  // my bodies: first, first + BLOCK_SIZE …
  float4 mine[each];
  float3 sum[each];
  for (int e = 0; e < each; ++e) {
    const int i = first + e * BLOCK_SIZE;
    mine[e] = i < N ? position[i] : make_float4(0, 0, 0, 0);
    sum[e] = make_float3(0, 0, 0);
  }
  const int begin = blockIdx.y * length, end = min(begin + length, N);
  for (int base = begin; base < end; base += BLOCK_SIZE) {
    // ---- part 8: a tile, and all pairs with it (nine lines) --------------------------------------------------------
    // Each thread loads one body of the tile; after `end` there is none, but a body far_away does no harm. Then all threads
    // go through the tile, each with its own bodies mine[0] … mine[each - 1]. Where must they wait for each other, twice?
    (void)attract, (void)position, (void)softening_squared, (void)mine[0], (void)sum[0], (void)tile[0], (void)far_away;  // until they are used: no warning
    LAB_TODO(8);
    // ---- end of part 8 ---------------------------------------------------------------------------------------------
  }
  for (int e = 0; e < each; ++e) {
    const int i = first + e * BLOCK_SIZE;
    if (i < N)
      partial[static_cast<std::size_t>(blockIdx.y) * N + i] = make_float4(sum[e].x, sum[e].y, sum[e].z, 0);
  }
}

// Adds up a body's parts, always in the same order, and moves it.   grid: as many threads as bodies, or a few more
//   push   G · dt / N
__global__ void moveKernel(float4* position, float4* velocity, const float4* partial, int N, int parts,
                           float push, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  float4 p = position[i], v = velocity[i];
  float3 sum = {0, 0, 0};
  // ---- part 8: the sums of all parts (six lines) -------------------------------------------------------------------
  // Part after part, in the same order in every run: partial is (parts, N).
  (void)partial, (void)parts, (void)sum;  // until they are used: no warning
  LAB_TODO(8);
  // ---- end of part 8 -----------------------------------------------------------------------------------------------
  v.x += push * sum.x;
  v.y += push * sum.y;
  v.z += push * sum.z;
  p.x += dt * v.x;
  p.y += dt * v.y;
  p.z += dt * v.z;
  position[i] = p;
  velocity[i] = v;
}

// How many parts: about 32 blocks for each multiprocessor, and at least four tiles in each part.
int gravityParts(int N, int multiprocessors) {
  const int blocks = static_cast<int>(blocksFor((N + each - 1) / each)),
            tiles = static_cast<int>(blocksFor(N));
  const int wanted = (32 * multiprocessors + blocks - 1) / blocks, most = (tiles + 3) / 4;
  return wanted < most ? wanted : most;
}

void takeGravityStep(const Attraction& bodies) {
  const int N = bodies.N, tiles = static_cast<int>(blocksFor(N));
  const int length = (tiles + bodies.parts - 1) / bodies.parts * BLOCK_SIZE;  // whole tiles
  const dim3 grid(blocksFor((N + each - 1) / each), bodies.parts);
  attractKernel<<<grid, BLOCK_SIZE>>>(bodies.partial, bodies.position, N, length, bodies.softening_squared);
  CUDA_CHECK_LAUNCH();
  moveKernel<<<blocksFor(N), BLOCK_SIZE>>>(bodies.position, bodies.velocity, bodies.partial, N, bodies.parts,
                                           bodies.push, bodies.dt);
  CUDA_CHECK_LAUNCH();
}
