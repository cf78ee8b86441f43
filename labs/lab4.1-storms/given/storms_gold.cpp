// storms_gold.cpp: the sequential program, step by step. Plain C++ for the CPU; there is nothing to do here.
//
// For each storm: every particle adds its energy to every cell within its reach; the layer relaxes; the
// greatest local maximum is found. Versions of the GPU's program that leave a step to the CPU call it here.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "storms.h"

std::size_t Problem::mostParticles() const {
  std::size_t most = 0;
  for (const std::vector<Particle>& storm : storms) most = std::max(most, storm.size());
  return most;
}

// 1. Bombard. Particle after particle, each on all cells.
void bombardOnHost(float* layer, int size, const std::vector<Particle>& storm) {
  for (const Particle& particle : storm) {
    for (int k = 0; k < size; ++k) {
      const int distance = std::abs(particle.position - k) + 1;
      if (distance <= particle.reach) layer[k] += particle.energy / std::sqrt(static_cast<float>(distance));
    }
  }
}

// 2. Relax: each cell becomes the mean of itself and its neighbours as they were; the two ends stay. Of the
//    cells already written, only the old value of the last one is still needed.
void relaxOnHost(float* layer, int size) {
  float before = layer[0];
  for (int k = 1; k < size - 1; ++k) {
    const float here = layer[k];
    layer[k] = (before + here + layer[k + 1]) / 3;
    before = here;
  }
}

// 3. The greatest local maximum; of equal ones the first. The two ends don't count.
Maximum maximumOnHost(const float* layer, int size) {
  Maximum best = {0, 0};
  for (int k = 1; k < size - 1; ++k) {
    if (layer[k] > layer[k - 1] && layer[k] > layer[k + 1] && layer[k] > best.value) best = {k, layer[k]};
  }
  return best;
}

void stormsSequential(const Problem& problem, float* layer, Maximum* maxima) {
  for (std::size_t s = 0; s < problem.storms.size(); ++s) {
    bombardOnHost(layer, problem.size, problem.storms[s]);
    relaxOnHost(layer, problem.size);
    maxima[s] = maximumOnHost(layer, problem.size);
  }
}

// The time of the sequential program. All particles and cells take the same work, so for a large problem the
// function runs a part, up to 2^20 cells and 2^25 pairs of a particle and a cell, and scales its time up.
double sequentialTime(const Problem& problem) {
  constexpr int most_cells = 1 << 20;
  constexpr std::size_t most_pairs = std::size_t{1} << 25;
  const int cells = std::min(problem.size, most_cells);
  std::vector<float> layer(static_cast<std::size_t>(cells));
  std::vector<Particle> sample;
  std::size_t particles = 0;
  for (const std::vector<Particle>& storm : problem.storms) {
    particles += storm.size();
    for (const Particle& one : storm) {
      if (sample.size() * static_cast<std::size_t>(cells) < most_pairs) sample.push_back(one);
    }
  }
  lab::Timer pairs, passes;
  pairs.start();
  bombardOnHost(layer.data(), cells, sample);
  pairs.stop();
  passes.start();
  relaxOnHost(layer.data(), cells);
  volatile float kept = maximumOnHost(layer.data(), cells).value;  // or the compiler might leave it out
  (void)kept;
  passes.stop();
  const double larger = static_cast<double>(problem.size) / cells;
  const double more =
      sample.empty() ? 0 : static_cast<double>(particles) / static_cast<double>(sample.size());
  return larger * (pairs.ms() * more + passes.ms() * static_cast<double>(problem.storms.size()));
}
