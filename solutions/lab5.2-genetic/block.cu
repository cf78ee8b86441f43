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
  for (int k = 0; k < world.points; ++k) {
    const lab::Point to = wanted[k];
    if (!isPlace(to)) continue;  // uniform: the same for all threads
    if (world.between_points && __syncthreads_or(iObject(world, now, world.points, k, to))) continue;
    if (threadIdx.x == k % BLOCK_SIZE) now[k] = to;
  }
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
    const std::uint32_t first = attempts[k];
    std::uint32_t attempt = first;
    lab::Point place = lab::place_of(world, who, k, attempt);
    for (; attempt < lab::most_attempts; place = lab::place_of(world, who, k, ++attempt)) {
      if (attempt > first && !lab::is_free(world, population.spheres, place)) continue;
      if (!world.between_points || !__syncthreads_or(iObject(world, now, k, k, place))) break;
    }
    if (threadIdx.x != k % BLOCK_SIZE) continue;
    if (attempt == lab::most_attempts) *population.stuck = 1;
    now[k] = place;
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
    now[k] = before[k];
    lab::Point to;
    const bool goes = lab::moves(world, who, mutation, before, k, to) &&
                      lab::may_move(world, population.spheres, before[k], to);
    wanted[k] = goes ? to : noPlace();
  }
  if (mutation != lab::Mutation::none) moveInOrder(world, now, wanted);
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
    now[k] = first[k];
    wanted[k] = lab::from_second(world, who, k) ? second[k] : noPlace();
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
