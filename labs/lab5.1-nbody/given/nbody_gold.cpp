// nbody_gold.cpp: the sequential programs, their times, and the test of a result. Their steps are in balls.hpp.
#include "attraction.hpp"
#include "nbody.h"

#include <lab/timer.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

constexpr double long_enough_ms = 20;  // what is measured takes at least so long

// Calls step() until that has taken long enough; ms of one call.
template <typename Step>
double timeOf(Step step) {
  lab::Timer timer;
  int steps = 0;
  while (timer.ms() < long_enough_ms && steps < 1000) {
    timer.start();
    step();
    timer.stop();
    ++steps;
  }
  return timer.ms() / steps;
}

bool same(const lab::Balls& a, const lab::Balls& b, std::size_t i) {
  return std::memcmp(&a.position[i], &b.position[i], 3 * sizeof(float)) == 0 &&
         a.velocity[i].x == b.velocity[i].x && a.velocity[i].y == b.velocity[i].y &&
         a.velocity[i].z == b.velocity[i].z;
}

}  // namespace

// All pairs of a few thousand balls take milliseconds, those of 65,536 balls seconds: of many balls a part of them is
// simulated, and the time is scaled up by the pairs.
double sequentialTime(const lab::Balls& balls, const lab::BallStep& step) {
  const double count = static_cast<double>(balls.count());
  lab::Balls part = balls;
  const std::size_t kept = balls.count() < 16384 ? balls.count() : 16384;
  part.position.resize(kept);
  part.velocity.resize(kept);
  lab::Balls next = part;
  const double ms = timeOf([&] { lab::sequential_step(part, next, step); });
  const double of_kept = static_cast<double>(kept) * static_cast<double>(kept - 1);
  return kept == balls.count() ? ms : ms * (count * (count - 1)) / of_kept;
}

double sequentialGridTime(const lab::Balls& balls, const lab::BallStep& step, const lab::BallGrid& grid) {
  lab::Balls now = balls, next = balls;
  return timeOf([&] { lab::sequential_grid_step(now, next, step, grid); });
}

// The sequential grid gives what all pairs give, bit for bit, and sooner.
bool checkBalls(const lab::Balls& begin, const lab::Balls& got, int iterations,
                const lab::BallParameters& parameters) {
  const lab::BallStep step = lab::step_of(parameters);
  const lab::BallGrid grid = lab::grid_of(begin.count(), parameters.radius);
  lab::Balls right = begin, next = begin;
  int most_collisions = 0;
  for (int it = 0; it < iterations; ++it) {
    const int collisions = lab::sequential_grid_step(right, next, step, grid);
    most_collisions = collisions > most_collisions ? collisions : most_collisions;
  }
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = right.count(); i-- > 0;) {
    if (same(got, right, i)) continue;
    ++wrong;
    first = i;
  }
  bool passed = wrong == 0;
  if (passed)
    std::printf("Balls: all %zu are, bit for bit, where the sequential program has them\n", right.count());
  else
    std::printf("Balls: %zu of %zu are elsewhere than in the sequential program; the first is number %zu\n",
                wrong, right.count(), first);

  // Momentum and energy need no sequential program.
  if (parameters.gravity != 0 || parameters.walls || parameters.global_decay != 1) {
    std::printf("Momentum: not compared; only --g 0 --walls 0 --global-decay 1 keep it\n");
    return passed;
  }
  const lab::Conserved before = lab::conserved_of(begin), after = lab::conserved_of(got);
  const bool momentum = std::memcmp(before.momentum, after.momentum, sizeof before.momentum) == 0;
  std::printf("Momentum: %s\n",
              momentum ? "kept, exactly" : "NOT kept: some ball gained what no other one lost");
  passed = passed && momentum;
  if (most_collisions > 1) {
    std::printf("Energy: not compared; a ball had %d collisions in one step, and only single ones keep it\n",
                most_collisions);
    return passed;
  }
  const bool energy = std::fabs(after.energy - before.energy) <= 1e-6 * before.energy;
  std::printf("Energy: %s\n", energy ? "kept" : "NOT kept");
  return passed && energy;
}

double sequentialGravityTime(const std::vector<float>& rows) {
  constexpr std::size_t kept = 4096;
  std::vector<float> part(rows.begin(),
                          rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), 6 * kept)));
  const double ms = timeOf([&] { lab::attract(part, 1, 1.0f, 1e-6f); });
  const double scale = static_cast<double>(rows.size()) / static_cast<double>(part.size());
  return ms * scale * scale;
}

// In double. All pairs of many bodies and steps would take minutes: then only momentum is looked at, which attraction keeps
// except for rounding.
bool checkGravity(const std::vector<float>& begin, const std::vector<float>& got, int iterations,
                  const lab::BallParameters& parameters) {
  const std::size_t count = begin.size() / 6;
  double before[3] = {}, after[3] = {}, size = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      before[axis] += begin[6 * i + 3 + axis];
      after[axis] += got[6 * i + 3 + axis];
      size += std::fabs(got[6 * i + 3 + axis]);
    }
  }
  bool passed = true;
  for (int axis = 0; axis < 3; ++axis)
    passed = passed && std::fabs(after[axis] - before[axis]) <= 1e-5 * size;
  std::printf("Momentum: %s\n", passed ? "kept, but for rounding" : "NOT kept");
  if (static_cast<double>(count) * static_cast<double>(count) * iterations > 1e9) return passed;

  std::vector<double> right(begin.begin(), begin.end());
  lab::attract(right, iterations, parameters.gravity, parameters.time_speed, lab::threads_for_bodies(count));
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    largest = std::max(largest, std::fabs(right[i]));
    worst = std::isfinite(got[i]) ? std::max(worst, std::fabs(got[i] - right[i])) : INFINITY;
  }
  std::printf("Bodies: %.2g of the largest coordinate or velocity off at most\n", worst / largest);
  return passed && worst <= 1e-4 * largest;
}
