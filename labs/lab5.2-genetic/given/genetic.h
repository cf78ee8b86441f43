// genetic.h: declarations for the sources of this lab.
//
//   genetic.cu        main: the command line, parameters, times, the output
//   individual.cu     one thread for each set of points (parts 1 to 3)
//   flat.cu           one thread for each point (part 4)
//   bitonic.cu        selection: a bitonic sort (part 5)
//   islands.cu        the best sets go from island to island (part 6)
//   quick.cu          selection: a quicksort whose kernels launch kernels (part 7)
//   block.cu          one block for each set (level 3: part 8)
//   radix.cu          selection: CUB's radix sort (level 3: part 9)
//   genetic_gold.cpp  the sequential program's times, and the test of a result
//
// The rules of the evolution are in evolution.hpp: the same lines for the sequential program and for all kernels.
#ifndef GENETIC_H
#define GENETIC_H

#include <cstddef>
#include <vector>

#include "evolution.hpp"

#ifndef BLOCK_SIZE
#define BLOCK_SIZE 128  // threads of a block
#endif
static_assert(BLOCK_SIZE >= 32 && BLOCK_SIZE <= 1024 && (BLOCK_SIZE & (BLOCK_SIZE - 1)) == 0,
              "BLOCK_SIZE must be a power of two from 32 to 1024");

// Blocks for `count` threads, rounded up.
LAB_ON_BOTH constexpr unsigned blocksFor(long long count) {
  return static_cast<unsigned>((count + BLOCK_SIZE - 1) / BLOCK_SIZE);
}

// Keys that a block of bitonic.cu sorts in shared memory: two for each thread.
constexpr int TILE = 2 * BLOCK_SIZE;

// Room for keys: a power of two, and a tile at least. Words after the last set's key are greater than every key.
constexpr int roomForKeys(int sets) {
  int room = TILE;
  while (room < sets) room *= 2;
  return room;
}

#ifdef __CUDACC__
#include <lab/check.hpp>

// An island's population, in the memory of its device.
struct Population {
  std::uint32_t island;
  int sets, survivors;
  lab::World world;            // its number of points, and all other rules
  const lab::Sphere* spheres;  // (world.spheres)
  lab::Point *P, *Q;           // (sets, world.points): the state, and room for the next one
  unsigned long long* keys;    // (roomForKeys(sets)): lab::key_of each set; sorted they are the ranks
  unsigned long long* spare;   // (roomForKeys(sets)): for a sort that needs it
  void* radix_room;            // (radixBytes(sets)), for radix.cu
  int* stuck;                  // 1: a point found no place in lab::most_attempts
};

// The phases of a generation are launches into a stream: the host does not wait for them.
//   generate     P becomes the first state
//   mutate       P → Q, and Q is the new P
//   evaluate     P → keys, in the order of the sets
//   sort         keys in ascending order: the order of ranks
//   reproduce    sets of P whose rank is `survivors` or more are replaced
// One thread for each set (individual.cu).
void generateSets(const Population& population, cudaStream_t stream);
void mutateSets(Population& population, int generation, cudaStream_t stream);
void evaluateSets(Population& population, cudaStream_t stream);
void reproduceSets(const Population& population, int generation, cudaStream_t stream);
// One thread for each point (flat.cu).
void generatePoints(const Population& population, cudaStream_t stream);
void mutatePoints(Population& population, int generation, cudaStream_t stream);
void evaluatePoints(Population& population, cudaStream_t stream);
void reproducePoints(const Population& population, int generation, cudaStream_t stream);
// One block for each set (block.cu).
void generateInBlocks(const Population& population, cudaStream_t stream);
void mutateInBlocks(Population& population, int generation, cudaStream_t stream);
void evaluateInBlocks(Population& population, cudaStream_t stream);
void reproduceInBlocks(const Population& population, int generation, cudaStream_t stream);

void sortBitonic(Population& population, cudaStream_t stream);  // bitonic.cu
void sortQuick(Population& population, cudaStream_t stream);    // quick.cu
void setLaunches(int launches);  // how many launches from kernels may wait, on the current device
int dynamicError();  // cudaError_t of the current device's first launch from a kernel that failed; 0: none did
void sortRadix(Population& population, cudaStream_t stream);  // radix.cu
std::size_t radixBytes(int sets);

// An island, its device, and the buffers and events for sending its best set to the next island (islands.cu).
struct Island {
  int device;
  cudaStream_t stream;  // all its work
  Population population;
  lab::Point *leaving, *arriving;  // (points), on its device
  cudaEvent_t packed;              // the set is complete in `leaving`
  cudaEvent_t arrived;             // the set of the island before is complete in `arriving`
};
void migrate(const std::vector<Island>& islands);
#endif

// Largest number of points of a set in block.cu: a block's shared memory of 48 KiB holds these points twice.
constexpr int most_points_in_block = 2000;

// On the CPU (genetic_gold.cpp).
struct PhaseTimes {
  double generation = 0, mutation = 0, evaluation = 0, selection = 0, reproduction = 0;  // ms

  double of_a_generation() const { return mutation + evaluation + selection + reproduction; }
};
// The times of one island. With many sets only a part of them runs, and the times are scaled up.
PhaseTimes sequentialTimes(const lab::GeneticParameters& parameters, const std::vector<lab::Sphere>& spheres);

// The state of all islands after a run.
struct Result {
  std::vector<lab::HostPopulation> islands;
  std::vector<unsigned long long> history;  // (generations, islands): the key of the best set
};
// Whether the sequential program gives the same result. For large populations it only tests whether the sets
// are possible.
bool checkEvolution(const lab::GeneticParameters& parameters, const std::vector<lab::Sphere>& spheres,
                    int generations, const Result& got);

#endif
