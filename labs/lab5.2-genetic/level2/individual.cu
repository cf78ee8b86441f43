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
  // ---- part 1: the first state of a set -----------------------------------------------------------------------------
  // In the order of its points: attempts from lab::place_of(), 0, 1, 2 …, until lab::is_free() and meets()
  // accept one. The first state is generation 0. *population.stuck says that a point found no place in
  // lab::most_attempts.
  (void)population, (void)setOfThread, (void)firstOf, (void)meets;  // until they are used: no warning
  LAB_TODO(1);
  // ---- end of part 1 ------------------------------------------------------------------------------------------------
}

void generateSets(const Population& population, cudaStream_t stream) {
  generateKernel<<<blocksFor(population.sets), BLOCK_SIZE, 0, stream>>>(population);
  CUDA_CHECK_LAUNCH();
}

// ------------------------------------------------------------------------------------------------------ 2. mutate

// grid: the same
__global__ void mutateKernel(Population population, int generation) {
  // ---- part 2: mutation, from P to Q --------------------------------------------------------------------------------
  // The state before decides which points move, and where to. The points that have moved, and those that
  // still have to, decide whether a point may move. A set that does not mutate must be in Q, too.
  (void)population, (void)generation, (void)setOfThread, (void)firstOf, (void)meets;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 ------------------------------------------------------------------------------------------------
}

void mutateSets(Population& population, int generation, cudaStream_t stream) {
  // ---- part 2: the launch -------------------------------------------------------------------------------------------
  // Which of the two states do all later phases expect in population.P?
  (void)mutateKernel, (void)population, (void)generation, (void)stream;  // until they are used: no warning
  LAB_TODO(2);
  // ---- end of part 2 ------------------------------------------------------------------------------------------------
}

// ---------------------------------------------------------------------------------------------------- 3. evaluate

// grid: the same
__global__ void evaluateKernel(Population population) {
  // ---- part 1: the set's key ----------------------------------------------------------------------------------------
  // Sum of lab::score_of() over its points, and its number.
  (void)population, (void)setOfThread, (void)firstOf;  // until they are used: no warning
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
  // ---- part 3: a child for each set that has not survived -----------------------------------------------------------
  // The thread has a rank; the key of that rank says which set is replaced. lab::parents_of() gives ranks of two parents. A child
  // begins as a copy of the first one; it gets a point of the second one if lab::from_second() says so, and if the point meets
  // no other point of the child, whichever parent that point is from.
  (void)population, (void)generation, (void)setOfThread, (void)firstOf, (void)meets;  // until they are used: no warning
  LAB_TODO(3);
  // ---- end of part 3 ------------------------------------------------------------------------------------------------
}

void reproduceSets(const Population& population, int generation, cudaStream_t stream) {
  const int dead = population.sets - population.survivors;
  if (dead == 0) return;  // a grid of no blocks is an error
  reproduceKernel<<<blocksFor(dead), BLOCK_SIZE, 0, stream>>>(population, generation);
  CUDA_CHECK_LAUNCH();
}
