// genetic_gold.cpp: the sequential program's times, and the test of a result. The program itself is in evolution.hpp.
#include "genetic.h"

#include <lab/timer.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

// The largest cost of a comparison with the sequential program, in pairs of points.
constexpr double most_pairs = 2e9;

template <typename Step>
double timeOf(Step step) {
  lab::Timer timer;
  timer.start();
  step();
  timer.stop();
  return timer.ms();
}

// Whether every point of a set is in the world and in no sphere, and no point overlaps another.
bool isPossible(const lab::World& world, const std::vector<lab::Sphere>& spheres, const lab::Point* points) {
  for (int k = 0; k < world.points; ++k) {
    if (!lab::is_free(world, spheres.data(), points[k])) return false;
    for (int j = 0; j < k && world.between_points; ++j)
      if (lab::overlap(world, points[j], points[k])) return false;
  }
  return true;
}

bool samePoints(const std::vector<lab::Point>& a, const std::vector<lab::Point>& b, std::size_t first,
                std::size_t count) {
  return std::memcmp(&a[first], &b[first], count * sizeof(lab::Point)) == 0;
}

// Compares with the sequential program, bit for bit.
bool checkAgainstSequential(const lab::GeneticParameters& parameters, const std::vector<lab::Sphere>& spheres,
                            int generations, const Result& got) {
  lab::SequentialEvolution right(parameters, spheres);
  const std::vector<unsigned long long> history = right.run(generations, lab::Phase::end);
  const auto points = static_cast<std::size_t>(parameters.points);
  std::size_t wrong = 0, all = 0;
  for (std::size_t island = 0; island < got.islands.size(); ++island) {
    const lab::HostPopulation& expected = right.islands()[island];
    for (std::size_t first = 0; first < expected.P.size(); first += points, ++all)
      wrong += !samePoints(got.islands[island].P, expected.P, first, points);
  }
  if (wrong == 0)
    std::printf("Sets: all %zu are, bit for bit, those of the sequential program\n", all);
  else
    std::printf("Sets: %zu of %zu differ from those of the sequential program\n", wrong, all);
  const bool ranks = got.history == history;
  if (!ranks) std::printf("Ranks: in some generation another set is the best one\n");
  return wrong == 0 && ranks;
}

}  // namespace

PhaseTimes sequentialTimes(const lab::GeneticParameters& parameters,
                           const std::vector<lab::Sphere>& spheres) {
  lab::GeneticParameters part = parameters;
  const double pairs = static_cast<double>(parameters.points) * parameters.points;
  part.islands = 1;
  part.sets = static_cast<int>(std::min<double>(parameters.sets, std::max(4.0, 3e7 / pairs)));
  lab::SequentialEvolution evolution(part, spheres);
  lab::HostPopulation& population = evolution.island(0);
  const double scale = static_cast<double>(parameters.sets) / part.sets;
  PhaseTimes times;
  times.generation = scale * timeOf([&] { evolution.generate(population); });
  times.mutation = scale * timeOf([&] { evolution.mutate(population, 1); });
  times.evaluation = scale * timeOf([&] { evolution.evaluate(population); });
  // All keys are sorted: a part of them would take less than its share.
  lab::HostPopulation keys;
  for (int set = 0; set < parameters.sets; ++set) {
    const auto number = static_cast<std::uint32_t>(set);
    keys.keys.push_back(lab::key_of(lab::philox({{number, 0, 0, 0}}, {{0, 0}})[0], set));
  }
  times.selection = timeOf([&] { lab::SequentialEvolution::select(keys); });
  lab::SequentialEvolution::select(population);
  const double dead = part.sets - part.survivors(), all_dead = parameters.sets - parameters.survivors();
  const double reproduction = timeOf([&] { evolution.reproduce(population, 1); });
  times.reproduction = dead > 0 ? reproduction * all_dead / dead : 0;
  return times;
}

bool checkEvolution(const lab::GeneticParameters& parameters, const std::vector<lab::Sphere>& spheres,
                    int generations, const Result& got) {
  const double pairs = static_cast<double>(parameters.points) * parameters.points * parameters.sets *
                       parameters.islands * (generations + 1);
  if (pairs <= most_pairs) return checkAgainstSequential(parameters, spheres, generations, got);
  const lab::World world = lab::world_of(parameters, static_cast<int>(spheres.size()));
  std::size_t looked_at = 0, impossible = 0;
  for (const lab::HostPopulation& island : got.islands) {
    for (int set = 0; set < parameters.sets; set += std::max(1, parameters.sets / 64), ++looked_at) {
      const std::size_t first = static_cast<std::size_t>(set) * static_cast<std::size_t>(parameters.points);
      impossible += !isPossible(world, spheres, &island.P[first]);
    }
  }
  std::printf("Sets: %zu of %zu that were looked at have a point where none may be\n", impossible, looked_at);
  std::printf("Sequential program: not compared; it would take too long\n");
  return impossible == 0;
}
