// archipelago.h: all islands, with their memory, streams and events, and the host's queries.
#ifndef ARCHIPELAGO_H
#define ARCHIPELAGO_H

#include <lab/check.hpp>

#include <algorithm>
#include <utility>

#include "genetic.h"

// Keeps a generation's best set: its key, and its points for the dump.   grid: as many threads as points, or a few more
static __global__ void bestKernel(Population population, unsigned long long* history, int generation,
                                  lab::Point* best) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k == 0) history[generation - 1] = population.keys[0];
  if (k >= population.world.points) return;
  const long long first = static_cast<long long>(lab::set_of(population.keys[0])) * population.world.points;
  best[k] = population.P[first + k];
}

// All islands: allocates their memory, and frees it at the end.
class Archipelago {
 public:
  Archipelago(const lab::GeneticParameters& parameters, const std::vector<lab::Sphere>& spheres, int devices,
              int generations, std::size_t radix_bytes)
      : parameters_(parameters) {
    const auto sets = static_cast<std::size_t>(parameters.sets),
               points = static_cast<std::size_t>(parameters.points);
    for (int number = 0; number < parameters.islands; ++number) {
      Island island = {};
      island.device = number % devices;
      CUDA_CHECK(cudaSetDevice(island.device));
      CUDA_CHECK(cudaStreamCreateWithFlags(&island.stream, cudaStreamNonBlocking));
      CUDA_CHECK(cudaEventCreateWithFlags(&island.packed, cudaEventDisableTiming));
      CUDA_CHECK(cudaEventCreateWithFlags(&island.arrived, cudaEventDisableTiming));
      // Messages and findings name the arrays by these variables.
      lab::Point *points_1 = nullptr, *points_2 = nullptr, *best = nullptr;
      lab::Sphere* obstacles = nullptr;
      unsigned long long *keys = nullptr, *spare_keys = nullptr, *history = nullptr;
      int* stuck = nullptr;
      void* radix_room = nullptr;
      const std::size_t key_bytes = sizeof(*keys) * static_cast<std::size_t>(roomForKeys(parameters.sets));
      CUDA_CHECK(cudaMalloc(&points_1, sizeof(lab::Point) * sets * points));
      CUDA_CHECK(cudaMalloc(&points_2, sizeof(lab::Point) * sets * points));
      CUDA_CHECK(cudaMalloc(&obstacles, sizeof(lab::Sphere) * spheres.size()));
      CUDA_CHECK(cudaMalloc(&keys, key_bytes));
      CUDA_CHECK(cudaMalloc(&spare_keys, key_bytes));
      CUDA_CHECK(cudaMalloc(&radix_room, radix_bytes + 1));
      CUDA_CHECK(cudaMalloc(&stuck, sizeof(int)));
      CUDA_CHECK(cudaMalloc(&history,
                            sizeof(*history) * static_cast<std::size_t>(generations > 0 ? generations : 1)));
      CUDA_CHECK(cudaMalloc(&best, sizeof(lab::Point) * points));
      CUDA_CHECK(cudaMalloc(&island.leaving, sizeof(lab::Point) * points));
      CUDA_CHECK(cudaMalloc(&island.arriving, sizeof(lab::Point) * points));
      CUDA_CHECK(cudaMemcpy(obstacles, spheres.data(), sizeof(lab::Sphere) * spheres.size(),
                            cudaMemcpyHostToDevice));
      CUDA_CHECK(cudaMemset(keys, 0xff, key_bytes));  // after the last set: greater than every key
      CUDA_CHECK(cudaMemset(stuck, 0, sizeof(int)));
      CUDA_CHECK(cudaDeviceSynchronize());  // the islands' streams don't wait for the work above
      island.population = {static_cast<std::uint32_t>(number),
                           parameters.sets,
                           parameters.survivors(),
                           lab::world_of(parameters, static_cast<int>(spheres.size())),
                           obstacles,
                           points_1,
                           points_2,
                           keys,
                           spare_keys,
                           radix_room,
                           stuck};
      islands_.push_back(island);
      histories_.push_back(history);
      best_.push_back(best);
    }
  }
  ~Archipelago() {
    for (std::size_t i = 0; i < islands_.size(); ++i) {  // a failure here could only repeat an earlier error
      const Island& island = islands_[i];
      const Population& p = island.population;
      cudaSetDevice(island.device);
      void* const arrays[] = {p.P,
                              p.Q,
                              const_cast<lab::Sphere*>(p.spheres),
                              p.keys,
                              p.spare,
                              p.radix_room,
                              p.stuck,
                              histories_[i],
                              best_[i],
                              island.leaving,
                              island.arriving};
      for (void* const array : arrays) cudaFree(array);
      cudaEventDestroy(island.packed);
      cudaEventDestroy(island.arrived);
      cudaStreamDestroy(island.stream);
    }
    cudaSetDevice(0);
  }
  Archipelago(const Archipelago&) = delete;
  Archipelago& operator=(const Archipelago&) = delete;

  const std::vector<Island>& islands() const { return islands_; }

  // A phase on all islands, at the same time as far as their devices can.
  template <typename Work>
  void onEach(Work work) {
    for (std::size_t i = 0; i < islands_.size(); ++i) {
      CUDA_CHECK(cudaSetDevice(islands_[i].device));
      work(islands_[i], i);
    }
  }
  void wait() {
    onEach([](Island& island, std::size_t) { CUDA_CHECK(cudaStreamSynchronize(island.stream)); });
  }
  void noteBest(int generation) {
    onEach([&](Island& island, std::size_t i) {
      bestKernel<<<blocksFor(parameters_.points), BLOCK_SIZE, 0, island.stream>>>(
          island.population, histories_[i], generation, best_[i]);
      CUDA_CHECK_LAUNCH();
    });
  }
  // Whether all points found a place.
  bool generated() {
    bool all = true;
    onEach([&](Island& island, std::size_t) {
      int stuck = 0;
      CUDA_CHECK(cudaMemcpyAsync(&stuck, island.population.stuck, sizeof stuck, cudaMemcpyDeviceToHost,
                                 island.stream));
      CUDA_CHECK(cudaStreamSynchronize(island.stream));
      all = all && stuck == 0;
    });
    return all;
  }
  // The least of the islands' best scores.
  unsigned long long bestScore(int generation) {
    unsigned long long least = ~0ULL;
    onEach([&](Island& island, std::size_t i) {
      unsigned long long key = 0;
      CUDA_CHECK(cudaMemcpyAsync(&key, histories_[i] + (generation - 1), sizeof key, cudaMemcpyDeviceToHost,
                                 island.stream));
      CUDA_CHECK(cudaStreamSynchronize(island.stream));
      least = std::min(least, lab::score_in(key));
    });
    return least;
  }
  // The best sets of all islands, one after the other.
  std::vector<lab::Point> bestSets() {
    const auto points = static_cast<std::size_t>(parameters_.points);
    std::vector<lab::Point> all(points * islands_.size());
    onEach([&](Island& island, std::size_t i) {
      CUDA_CHECK(cudaMemcpyAsync(&all[i * points], best_[i], sizeof(lab::Point) * points,
                                 cudaMemcpyDeviceToHost, island.stream));
      CUDA_CHECK(cudaStreamSynchronize(island.stream));
    });
    return all;
  }
  Result result(int generations) {
    Result result;
    result.history.resize(static_cast<std::size_t>(generations) * islands_.size());
    onEach([&](Island& island, std::size_t i) {
      const Population& population = island.population;
      lab::HostPopulation host;
      host.P.resize(static_cast<std::size_t>(population.sets) * static_cast<std::size_t>(parameters_.points));
      host.keys.resize(static_cast<std::size_t>(population.sets));
      CUDA_CHECK(cudaMemcpy(host.P.data(), population.P, sizeof(lab::Point) * host.P.size(),
                            cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaMemcpy(host.keys.data(), population.keys, sizeof(host.keys[0]) * host.keys.size(),
                            cudaMemcpyDeviceToHost));
      std::vector<unsigned long long> history(static_cast<std::size_t>(generations));
      if (generations > 0)
        CUDA_CHECK(cudaMemcpy(history.data(), histories_[i], sizeof(history[0]) * history.size(),
                              cudaMemcpyDeviceToHost));
      for (std::size_t g = 0; g < history.size(); ++g) result.history[g * islands_.size() + i] = history[g];
      result.islands.push_back(std::move(host));
    });
    return result;
  }

 private:
  lab::GeneticParameters parameters_;
  std::vector<Island> islands_;
  std::vector<unsigned long long*> histories_;  // (generations) each, on the island's device
  std::vector<lab::Point*> best_;               // (points) each
};

#endif
