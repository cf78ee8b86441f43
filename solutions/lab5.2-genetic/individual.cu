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
    std::uint32_t attempt = 0;
    for (; attempt < lab::most_attempts; ++attempt) {
      points[k] = lab::place_of(world, who, k, attempt);
      if (lab::is_free(world, population.spheres, points[k]) && !meets(world, points, 0, k, k, points[k]))
        break;
    }
    if (attempt == lab::most_attempts) *population.stuck = 1;  // all threads that come here store the same
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
  for (int k = 0; k < world.points; ++k) points[k] = before[k];
  const lab::Mutation mutation = lab::decision_of(world, who);
  for (int k = 0; k < world.points; ++k) {
    lab::Point to;
    if (!lab::moves(world, who, mutation, before, k, to)) continue;
    if (!lab::may_move(world, population.spheres, before[k], to)) continue;
    if (!meets(world, points, 0, world.points, k, to)) points[k] = to;
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
  for (int k = 0; k < population.world.points; ++k) score += lab::score_of(points[k]);
  population.keys[set] = lab::key_of(score, set);
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
  for (int k = 0; k < world.points; ++k) child[k] = first[k];
  for (int k = 0; k < world.points; ++k)
    if (lab::from_second(world, who, k) && !meets(world, child, 0, world.points, k, second[k]))
      child[k] = second[k];
}

void reproduceSets(const Population& population, int generation, cudaStream_t stream) {
  const int dead = population.sets - population.survivors;
  if (dead == 0) return;  // a grid of no blocks is an error
  reproduceKernel<<<blocksFor(dead), BLOCK_SIZE, 0, stream>>>(population, generation);
  CUDA_CHECK_LAUNCH();
}
