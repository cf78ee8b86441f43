// block.cu: one block for each set of points. A set's points have to move one after the other, but all threads of a
// block test together whether a point meets any other point.
//
//      thread                 0         1         2      …    127
//      its points             0, 128 …  1, 129 …  2, 130 …    127, 255 …     now[j], in shared memory
//      point k wants to go    each thread tests its own points ─────▶ __syncthreads_or: does any thread object?
//      no thread does         the thread that owns the point moves it
//
// Only the thread that owns a point ever reads or writes now[j], so one barrier for each move is enough: the barrier
// that gives all threads the answer. Threads compute the points' goals before, in parallel; these depend on P alone.
//
// Generation and reproduction work in the same way. If points don't collide with each other, they need no order at all.
//
// Run it:  grader lab5.2 --level 3
//          genetic 4096 1024 10 --version block
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <utility>

#include "genetic.h"

// Shared memory of a block: where its points are, and where they want to go.   (points) each
static std::size_t sharedBytes(const Population& population) {
  return 2 * sizeof(lab::Point) * static_cast<std::size_t>(population.world.points);
}

// Whether p is a point's place. noPlace() is not: it lies outside the world.
static __device__ bool isPlace(lab::Point p) {
  return p.x < 2;
}
static __device__ lab::Point noPlace() {
  return {2, 2, 2};
}

// Whether a point at p would meet one of this thread's points below `end`, other than `itself`.
static __device__ bool iObject(const lab::World& world, const lab::Point* now, int end, int itself,
                               lab::Point p) {
  bool meets = false;
  for (int j = threadIdx.x; j < end; j += BLOCK_SIZE)
    meets = meets || (j != itself && lab::overlap(world, now[j], p));
  return meets;
}

// Moves the points in their order, each if it meets no other point.
//   now      (points), shared memory: now[j] is read and written by the thread j % BLOCK_SIZE alone
//   wanted   (points), shared memory: where to; noPlace(): it stays
static __device__ void moveInOrder(const lab::World& world, lab::Point* now, const lab::Point* wanted) {
  __syncthreads();  // all of `wanted` is written
  // ---- part 8: moves in the order of the points ---------------------------------------------------------------------
  // For each point that wants to go somewhere: does any thread object? __syncthreads_or() is a barrier that
  // returns to all threads of the block whether any of them objects. Then the thread that owns the point
  // moves it, and no other thread ever reads it. Without collisions between points no thread votes.
  (void)world, (void)now, (void)wanted, (void)isPlace, (void)iObject;  // until they are used: no warning
  LAB_TODO(8);
  // ---- end of part 8 ------------------------------------------------------------------------------------------------
}

// ------------------------------------------------------------------------------------------------------- generate

// grid: a block for each set
__global__ void generateBlock(Population population) {
  extern __shared__ lab::Point shared[];  // (points) places, then (points) int32
  const lab::World& world = population.world;
  lab::Point* const now = shared;
  std::uint32_t* const attempts = reinterpret_cast<std::uint32_t*>(shared + world.points);
  const lab::Individual who = {population.island, 0, blockIdx.x};
  // Find the first attempt that is in no sphere, for all points in parallel.
  for (int k = threadIdx.x; k < world.points; k += BLOCK_SIZE) {
    std::uint32_t attempt = 0;
    while (attempt < lab::most_attempts &&
           !lab::is_free(world, population.spheres, lab::place_of(world, who, k, attempt)))
      ++attempt;
    attempts[k] = attempt;
  }
  __syncthreads();
  // In the points' order: if a point meets one before it, it takes the next attempt that is in no sphere.
  for (int k = 0; k < world.points; ++k) {
    // ---- part 8: a place for point k, by the whole block ------------------------------------------------------------
    // From its first attempt that is in no sphere on: does it meet a point before it? Then the next attempt that is in no sphere.
    // All threads compute the same place, and each looks at its own points.
    (void)attempts, (void)now, (void)iObject, (void)k;  // until they are used: no warning
    LAB_TODO(8);
    // ---- end of part 8 ----------------------------------------------------------------------------------------------
  }
  lab::Point* const points = population.P + static_cast<long long>(blockIdx.x) * world.points;
  for (int k = threadIdx.x; k < world.points; k += BLOCK_SIZE)
    points[k] = now[k];  // each thread stores its own points
}

void generateInBlocks(const Population& population, cudaStream_t stream) {
  generateBlock<<<population.sets, BLOCK_SIZE, sharedBytes(population), stream>>>(population);
  CUDA_CHECK_LAUNCH();
}

// --------------------------------------------------------------------------------------------------------- mutate

// grid: a block for each set
__global__ void mutateBlock(Population population, int generation) {
  extern __shared__ lab::Point shared[];
  const lab::World& world = population.world;
  lab::Point *const now = shared, *const wanted = shared + world.points;
  const lab::Individual who = {population.island, static_cast<std::uint32_t>(generation), blockIdx.x};
  const lab::Mutation mutation = lab::decision_of(world, who);
  const long long first = static_cast<long long>(blockIdx.x) * world.points;
  const lab::Point* const before = population.P + first;
  for (int k = threadIdx.x; k < world.points; k += BLOCK_SIZE) {
    // ---- part 8: where point k wants to go --------------------------------------------------------------------------
    // now[k] and wanted[k], in shared memory. If a point may not go there, it stays.
    (void)before, (void)mutation, (void)k, (void)now, (void)wanted, (void)noPlace;  // until they are used: no warning
    LAB_TODO(8);
    // ---- end of part 8 ----------------------------------------------------------------------------------------------
  }
  // ---- part 8: the moves --------------------------------------------------------------------------------------------
  // Only a set that mutates has moves.
  (void)moveInOrder;  // until they are used: no warning
  LAB_TODO(8);
  // ---- end of part 8 ------------------------------------------------------------------------------------------------
  for (int k = threadIdx.x; k < world.points; k += BLOCK_SIZE) population.Q[first + k] = now[k];
}

void mutateInBlocks(Population& population, int generation, cudaStream_t stream) {
  mutateBlock<<<population.sets, BLOCK_SIZE, sharedBytes(population), stream>>>(population, generation);
  CUDA_CHECK_LAUNCH();
  std::swap(population.P, population.Q);
}

// ------------------------------------------------------------------------------------------------------- evaluate

// grid: a block for each set
__global__ void evaluateBlock(Population population) {
  __shared__ unsigned long long sum;
  const lab::Point* const points =
      population.P + static_cast<long long>(blockIdx.x) * population.world.points;
  if (threadIdx.x == 0) sum = 0;
  unsigned long long mine = 0;
  for (int k = threadIdx.x; k < population.world.points; k += BLOCK_SIZE) mine += lab::score_of(points[k]);
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(0xffffffff, mine, distance);
  __syncthreads();  // sum is zero
  if (threadIdx.x % 32 == 0) atomicAdd(&sum, mine);
  __syncthreads();
  if (threadIdx.x == 0) population.keys[blockIdx.x] = lab::key_of(sum, static_cast<int>(blockIdx.x));
}

void evaluateInBlocks(Population& population, cudaStream_t stream) {
  evaluateBlock<<<population.sets, BLOCK_SIZE, 0, stream>>>(population);
  CUDA_CHECK_LAUNCH();
}

// ------------------------------------------------------------------------------------------------------ reproduce

// grid: a block for each set that has not survived
__global__ void reproduceBlock(Population population, int generation) {
  extern __shared__ lab::Point shared[];
  const lab::World& world = population.world;
  lab::Point *const now = shared, *const wanted = shared + world.points;
  const int set = lab::set_of(population.keys[population.survivors + static_cast<int>(blockIdx.x)]);
  const lab::Individual who = {population.island, static_cast<std::uint32_t>(generation),
                               static_cast<std::uint32_t>(set)};
  const lab::Parents parents = lab::parents_of(world, who, population.survivors);
  const auto pointsOf = [&](int of) { return population.P + static_cast<long long>(of) * world.points; };
  const lab::Point* const first = pointsOf(lab::set_of(population.keys[parents.first]));
  const lab::Point* const second = pointsOf(lab::set_of(population.keys[parents.second]));
  for (int k = threadIdx.x; k < world.points; k += BLOCK_SIZE) {
    // ---- part 8: where point k of the child begins, and where it wants to go ----------------------------------------
    // It begins where the first parent has it.
    (void)first, (void)second, (void)k, (void)now, (void)wanted;  // until they are used: no warning
    LAB_TODO(8);
    // ---- end of part 8 ----------------------------------------------------------------------------------------------
  }
  moveInOrder(world, now, wanted);
  for (int k = threadIdx.x; k < world.points; k += BLOCK_SIZE) pointsOf(set)[k] = now[k];
}

void reproduceInBlocks(const Population& population, int generation, cudaStream_t stream) {
  const int dead = population.sets - population.survivors;
  if (dead == 0) return;  // a grid of no blocks is an error
  reproduceBlock<<<dead, BLOCK_SIZE, sharedBytes(population), stream>>>(population, generation);
  CUDA_CHECK_LAUNCH();
}
