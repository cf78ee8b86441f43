// individual.cu: one thread for each set of points. Its thread does all work on a set, point after point.
//
//      block                0                     1             …
//      thread               0     1     2     3     0     1
//      set                  0     1     2     3     4     5            P[set · points], its first point
//
// If points of a set collide with each other, whether a point may move depends on the places of the points
// before it. So the thread moves the points of a set in their order. A point may move if it meets no other
// point of the set, neither a point that has moved already nor a point that has not moved yet. Then the set
// is free of collisions after every single move, and a point that may not move can stay where it is.
//
//   1. generate    trial and error, in the order of the points
//   2. mutate      P → Q. P decides which points want to move and where; Q, first a copy of P, decides whether they may
//   3. evaluate    whole numbers, added up
//   4. reproduce   a child begins as a copy of its first parent, and takes points of the second that meet no others
//
// Run it:  grader lab5.2
//          genetic 256 64 20 --version individual
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <utility>

#include "genetic.h"

// The set of this thread, and its first point in P and Q.
static __device__ int setOfThread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
static __device__ long long firstOf(int set, const lab::World& world) {
  return static_cast<long long>(set) * world.points;
}

// Whether a point at p meets one of points[begin …] to points[end - 1], except number `itself`.
static __device__ bool meets(const lab::World& world, const lab::Point* points, int begin, int end,
                             int itself, lab::Point p) {
  if (!world.between_points) return false;
  for (int j = begin; j < end; ++j)
    if (j != itself && lab::overlap(world, points[j], p)) return true;
  return false;
}

// ---------------------------------------------------------------------------------------------------- 1. generate

// grid: as many threads as sets, or a few more
__global__ void generateKernel(Population population) {
  const int set = setOfThread();
  if (set >= population.sets) return;  // the last block has threads without a set
  const lab::World& world = population.world;
  const lab::Individual who = {population.island, 0, static_cast<std::uint32_t>(set)};
  lab::Point* const points = population.P + firstOf(set, world);
  for (int k = 0; k < world.points; ++k) {
    // ---- part 1: a place for point k (six lines) --------------------------------------------------------------------
    // lab::place_of() has a place for each attempt, 0, 1, 2 … It is good if lab::is_free() says so and the
    // point meets no point before it: meets() with the numbers 0 to k. Put the point there, in points[k];
    // after lab::most_attempts attempts set *population.stuck to 1.
    (void)who, (void)points, (void)k, (void)meets;  // until they are used: no warning
    LAB_TODO(1);
    // ---- end of part 1 ----------------------------------------------------------------------------------------------
  }
}

void generateSets(const Population& population, cudaStream_t stream) {
  generateKernel<<<blocksFor(population.sets), BLOCK_SIZE, 0, stream>>>(population);
  CUDA_CHECK_LAUNCH();
}

// ------------------------------------------------------------------------------------------------------ 2. mutate

// grid: the same
__global__ void mutateKernel(Population population, int generation) {
  const int set = setOfThread();
  if (set >= population.sets) return;
  const lab::World& world = population.world;
  const lab::Individual who = {population.island, static_cast<std::uint32_t>(generation),
                               static_cast<std::uint32_t>(set)};
  const lab::Point* const before = population.P + firstOf(set, world);
  lab::Point* const points = population.Q + firstOf(set, world);
  // ---- part 2: Q begins as a copy of P (one line) -------------------------------------------------------------------
  // All points of the set: those that do not move must be in Q as well.
  (void)before, (void)points;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 ------------------------------------------------------------------------------------------------
  const lab::Mutation mutation = lab::decision_of(world, who);
  for (int k = 0; k < world.points; ++k) {
    // ---- part 2: the move of point k (four lines) -------------------------------------------------------------------
    // a. lab::moves() says whether the mutation moves the point, and where to. It looks at the state before.
    // b. lab::may_move() says whether obstacles and the end of the world allow that.
    // c. Which of the two states has the points that have moved already, and those that still have to? The point may meet none
    //    of them: meets() with the numbers 0 to world.points, and with the point itself left out.
    (void)before, (void)points, (void)mutation, (void)meets, (void)k;  // until they are used: no warning
    LAB_TODO(2);
    // ---- end of part 2 ----------------------------------------------------------------------------------------------
  }
}

void mutateSets(Population& population, int generation, cudaStream_t stream) {
  mutateKernel<<<blocksFor(population.sets), BLOCK_SIZE, 0, stream>>>(population, generation);
  CUDA_CHECK_LAUNCH();
  std::swap(population.P, population.Q);  // pointers: no point is copied
}

// ---------------------------------------------------------------------------------------------------- 3. evaluate

// grid: the same
__global__ void evaluateKernel(Population population) {
  const int set = setOfThread();
  if (set >= population.sets) return;
  const lab::Point* const points = population.P + firstOf(set, population.world);
  unsigned long long score = 0;
  // ---- part 1: the set's key (two lines) ----------------------------------------------------------------------------
  // The score is the sum of lab::score_of() over all points; lab::key_of() makes one word of score and number.
  (void)points, (void)score;  // until they are used: no warning
  LAB_TODO(1);
  // ---- end of part 1 ------------------------------------------------------------------------------------------------
}

void evaluateSets(Population& population, cudaStream_t stream) {
  evaluateKernel<<<blocksFor(population.sets), BLOCK_SIZE, 0, stream>>>(population);
  CUDA_CHECK_LAUNCH();
}

// --------------------------------------------------------------------------------------------------- 4. reproduce

// One thread for each set that has not survived.   grid: as many threads as such sets, or a few more
//   population.keys   sorted
__global__ void reproduceKernel(Population population, int generation) {
  const int rank = population.survivors + setOfThread();
  if (rank >= population.sets) return;
  const lab::World& world = population.world;
  const int set = lab::set_of(population.keys[rank]);
  const lab::Individual who = {population.island, static_cast<std::uint32_t>(generation),
                               static_cast<std::uint32_t>(set)};
  const lab::Parents parents = lab::parents_of(world, who, population.survivors);
  // Threads read survivors and write other sets: no thread waits for another.
  const lab::Point* const first = population.P + firstOf(lab::set_of(population.keys[parents.first]), world);
  const lab::Point* const second =
      population.P + firstOf(lab::set_of(population.keys[parents.second]), world);
  lab::Point* const child = population.P + firstOf(set, world);
  // ---- part 3: the child (four lines) -------------------------------------------------------------------------------
  // a. It begins as a copy of its first parent, whose points don't meet each other.
  // b. Then, in their order: if lab::from_second() says so, point k goes where the second parent has it, unless it would meet
  //    another point of the child there.
  (void)first, (void)second, (void)child, (void)meets;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 ------------------------------------------------------------------------------------------------
}

void reproduceSets(const Population& population, int generation, cudaStream_t stream) {
  const int dead = population.sets - population.survivors;
  if (dead == 0) return;  // a grid of no blocks is an error
  reproduceKernel<<<blocksFor(dead), BLOCK_SIZE, 0, stream>>>(population, generation);
  CUDA_CHECK_LAUNCH();
}
