// flat.cu: one thread for each point. If points of a set don't collide with each other, a point depends on no other
// thread, and the two levels, sets and points, become one grid of two dimensions.
//
//      x   the point: neighbouring threads have neighbouring points of one set       threadIdx.x  0 … 31
//      y   the set                                                                   threadIdx.y  0 … ROWS - 1
//
//                     points 0 … 31    32 … 63     64 … (the last block's last threads have none)
//      set 0         ┌─────────────┐┌───────────┐┌──────────
//      set 1         │ block (0,0) ││   (1,0)   ││   (2,0)
//      …             └─────────────┘└───────────┘└──────────
//
// All points of a set follow one decision, which a set's first thread in each block draws and leaves in shared memory.
// Every block draws the same decision, since it depends on generation and set alone. (In the report, 2.2.3, only blocks
// with point 0 drew a decision, and all others read uninitialised memory.)
//
// Run it:  grader lab5.2
//          genetic 256 64 20 --version flat --collisions obstacles
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <utility>

#include "genetic.h"

constexpr int COLUMNS = 32;                 // points of a block's set
constexpr int ROWS = BLOCK_SIZE / COLUMNS;  // sets of a block

// A grid with a thread for each point of `sets` sets.
static dim3 gridFor(const Population& population, int sets) {
  return dim3((population.world.points + COLUMNS - 1) / COLUMNS, (sets + ROWS - 1) / ROWS);
}

// The point and the row of this thread.
static __device__ int pointOfThread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
static __device__ int rowOfThread() {
  return blockIdx.y * blockDim.y + threadIdx.y;
}
static __device__ long long placeIn(const lab::World& world, int set, int k) {
  return static_cast<long long>(set) * world.points + k;
}
static __device__ lab::Individual individual(const Population& population, int generation, int set) {
  return {population.island, static_cast<std::uint32_t>(generation), static_cast<std::uint32_t>(set)};
}

// ------------------------------------------------------------------------------------------------------- generate

__global__ void generateFlat(Population population) {
  const int k = pointOfThread(), set = rowOfThread();
  const lab::World& world = population.world;
  if (k >= world.points || set >= population.sets) return;
  const lab::Individual who = individual(population, 0, set);
  lab::Point place;
  std::uint32_t attempt = 0;
  for (; attempt < lab::most_attempts; ++attempt) {
    place = lab::place_of(world, who, k, attempt);
    if (lab::is_free(world, population.spheres, place)) break;
  }
  if (attempt == lab::most_attempts) *population.stuck = 1;
  population.P[placeIn(world, set, k)] = place;
}

void generatePoints(const Population& population, cudaStream_t stream) {
  generateFlat<<<gridFor(population, population.sets), dim3(COLUMNS, ROWS), 0, stream>>>(population);
  CUDA_CHECK_LAUNCH();
}

// --------------------------------------------------------------------------------------------------------- mutate

__global__ void mutateFlat(Population population, int generation) {
  __shared__ lab::Mutation decisions[ROWS];  // one for each set of the block
  const int k = pointOfThread(), set = rowOfThread();
  const lab::World& world = population.world;
  const lab::Individual who = individual(population, generation, set);
  // ---- part 4: the decision of each set of the block (two lines) ----------------------------------------------------
  // One thread for each set of the block draws it, with lab::decision_of(), and leaves it in shared memory for all others. Which
  // thread does every block have, and what must the others wait for?
  (void)decisions, (void)who;  // until they are used: no warning
  LAB_TODO(4);
  // ---- end of part 4 ------------------------------------------------------------------------------------------------
  if (k >= world.points || set >= population.sets) return;
  const lab::Point* const before = population.P + placeIn(world, set, 0);
  // ---- part 4: the move of point k (five lines) ---------------------------------------------------------------------
  // The point stays in its place, before[k], unless lab::moves() with its set's decision moves it and lab::may_move() allows
  // that. Store it in Q: placeIn() says where.
  (void)before, (void)k, (void)decisions, (void)generation;  // until they are used: no warning
  LAB_TODO(4);
  // ---- end of part 4 ------------------------------------------------------------------------------------------------
}

void mutatePoints(Population& population, int generation, cudaStream_t stream) {
  mutateFlat<<<gridFor(population, population.sets), dim3(COLUMNS, ROWS), 0, stream>>>(population,
                                                                                       generation);
  CUDA_CHECK_LAUNCH();
  std::swap(population.P, population.Q);
}

// ------------------------------------------------------------------------------------------------------- evaluate

// A key begins with its set's number alone.   grid: as many threads as sets, or a few more
__global__ void numberKernel(unsigned long long* keys, int sets) {
  const int set = blockIdx.x * blockDim.x + threadIdx.x;
  if (set < sets) keys[set] = lab::key_of(0, set);
}

// All points of a set add to its key. The sum of whole numbers does not depend on the order of the threads.
__global__ void evaluateFlat(Population population) {
  const int k = pointOfThread(), set = rowOfThread();
  if (k >= population.world.points || set >= population.sets) return;
  const lab::Point place = population.P[placeIn(population.world, set, k)];
  // ---- part 4: the point adds to its set's key (one line) -----------------------------------------------------------
  // numberKernel has left a key with the score 0. All points of the set add to it at the same time: lab::key_of() of
  // lab::score_of() the point, and of the number 0, which leaves the set's number unchanged.
  (void)place;  // until they are used: no warning
  LAB_TODO(4);
  // ---- end of part 4 ------------------------------------------------------------------------------------------------
}

void evaluatePoints(Population& population, cudaStream_t stream) {
  numberKernel<<<blocksFor(population.sets), BLOCK_SIZE, 0, stream>>>(population.keys, population.sets);
  CUDA_CHECK_LAUNCH();
  evaluateFlat<<<gridFor(population, population.sets), dim3(COLUMNS, ROWS), 0, stream>>>(population);
  CUDA_CHECK_LAUNCH();
}

// ------------------------------------------------------------------------------------------------------ reproduce

// Rows are the ranks of the sets that have not survived.
__global__ void reproduceFlat(Population population, int generation) {
  const int k = pointOfThread(), rank = population.survivors + rowOfThread();
  const lab::World& world = population.world;
  if (k >= world.points || rank >= population.sets) return;
  const int set = lab::set_of(population.keys[rank]);
  const lab::Individual who = individual(population, generation, set);
  const lab::Parents parents = lab::parents_of(world, who, population.survivors);
  // ---- part 4: point k of the child (three lines) -------------------------------------------------------------------
  // From which parent is it? A parent is a rank; the key of that rank holds the number of its set.
  (void)parents, (void)who, (void)k, (void)set;  // until they are used: no warning
  LAB_TODO(4);
  // ---- end of part 4 ------------------------------------------------------------------------------------------------
}

void reproducePoints(const Population& population, int generation, cudaStream_t stream) {
  const int dead = population.sets - population.survivors;
  if (dead == 0) return;  // a grid of no blocks is an error
  reproduceFlat<<<gridFor(population, dead), dim3(COLUMNS, ROWS), 0, stream>>>(population, generation);
  CUDA_CHECK_LAUNCH();
}
