/// @file
/// What is right in lab5.1: makes up balls, and simulates them.
///
///     oracle inputs --seed N --dir D [N] [iterations] [options]     D/balls.npy, (N, 6): centres and velocities
///     oracle expect --dir D [N] [iterations] [options]              D/result.npy
///
/// result.npy is (N, 6), the balls after all steps; with --conserved (2, 4), momentum and energy before and after, which
/// must be those of the input; with --pair-index (N, 4), the first and the last pair of each row of pairs; with --frames
/// (frames, 3 N / 2), every other coordinate in 16 bits.
/// Options are those of the program.
#include <lab/arrays.hpp>
#include <lab/frames.hpp>
#include <lab/oracle.hpp>

#include "attraction.hpp"
#include "balls.hpp"

namespace {

/// The value of the option `--name=VALUE`, or `preset`.
double option(const lab::OracleRequest& request, const std::string& name, double preset) {
  const std::string begin = "--" + name + "=";
  for (const std::string& argument : request.arguments) {
    if (argument.rfind(begin, 0) != 0) continue;
    char* end = nullptr;
    const double value = std::strtod(argument.c_str() + begin.size(), &end);
    if (*end != '\0' || !std::isfinite(value))
      lab::usage_error("oracle: " + argument + " should end in a number.");
    return value;
  }
  return preset;
}

bool flag(const lab::OracleRequest& request, const std::string& name) {
  return std::find(request.arguments.begin(), request.arguments.end(), "--" + name) !=
         request.arguments.end();
}

/// The argument at `index` of those that are no options.
int number(const lab::OracleRequest& request, std::size_t index, int preset, int most) {
  for (const std::string& argument : request.arguments) {
    if (argument.rfind("--", 0) == 0) continue;
    if (index-- > 0) continue;
    const long value = std::strtol(argument.c_str(), nullptr, 10);
    if (value < 0 || value > most) lab::usage_error("oracle: " + argument + " is out of range.");
    return static_cast<int>(value);
  }
  return preset;
}

int count_of(const lab::OracleRequest& request) {
  return number(request, 0, 300, lab::most_balls);
}

lab::BallParameters parameters_of(const lab::OracleRequest& request) {
  lab::BallParameters parameters;
  parameters.radius = option(request, "point-radius", parameters.radius);
  parameters.walls = option(request, "walls", 1) != 0;
  parameters.gravity = option(request, "g", parameters.gravity);
  parameters.bounce_decay = option(request, "bounce-decay", parameters.bounce_decay);
  parameters.global_decay = option(request, "global-decay", parameters.global_decay);
  parameters.time_speed = option(request, "time-speed", parameters.time_speed);
  return parameters;
}

/// Do bodies attract each other, instead of colliding?
bool attraction(const lab::OracleRequest& request) {
  return std::find(request.arguments.begin(), request.arguments.end(), "--version=gravity") !=
         request.arguments.end();
}

/// Simulates all steps. @param after called with the number of each step, from 1
/// @return collisions of the ball that had most in one step
template <typename After>
int simulate(const lab::OracleRequest& request, lab::Balls& balls, After after) {
  const lab::BallParameters parameters = parameters_of(request);
  const lab::BallStep step = lab::step_of(parameters);
  const lab::BallGrid grid = lab::grid_of(balls.count(), parameters.radius);
  lab::Balls next;
  int most = 0;
  const int steps = number(request, 1, 50, 1000000);
  for (int it = 1; it <= steps; ++it) {
    most = std::max(most, lab::sequential_grid_step(balls, next, step, grid));
    after(it);
  }
  return most;
}

void draw(const lab::OracleRequest& request) {
  const int count = count_of(request);
  const double radius = parameters_of(request).radius, speed = option(request, "speed", 0.5);
  const bool crowded = flag(request, "crowded"),
             simulated = !flag(request, "pair-index") && !attraction(request);
  if (!crowded && count > lab::room_for_balls(radius)) lab::usage_error("oracle: so many balls don't fit.");
  lab::Random random(request.seed);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const lab::Balls balls = crowded ? lab::draw_crowd(random, count, radius, speed)
                                     : lab::draw_balls(random, count, radius, speed);
    // Where no two balls meet, a program without pairs would be right. And energy is kept only while no ball has two
    // collisions in a step.
    lab::Balls moved = balls;
    const int most = count > 1 && simulated ? simulate(request, moved, [](int) {}) : 1;
    if (most < (crowded && simulated ? 2 : 1) || (flag(request, "conserved") && most > 1)) continue;
    return lab::save(request.path("balls.npy"), {balls.count(), 6}, lab::rows_of(balls));
  }
  lab::usage_error("oracle inputs: a thousand attempts gave no collision; use larger balls or more steps.");
}

void expect(const lab::OracleRequest& request) {
  const auto count = static_cast<std::size_t>(count_of(request));
  if (flag(request, "pair-index")) {
    std::vector<float> rows(4 * count);
    for (std::size_t j = 1; j < count; ++j) {
      rows[4 * j + 1] = rows[4 * j + 3] = static_cast<float>(j);
      rows[4 * j + 2] = static_cast<float>(j - 1);
    }
    return lab::save(request.path("result.npy"), {count, 4}, rows);
  }
  const std::vector<float> begin = lab::load<float>(request.path("balls.npy"), "balls", {count, 6});
  const lab::BallParameters parameters = parameters_of(request);
  if (attraction(request)) {
    std::vector<double> rows(begin.begin(), begin.end());
    lab::attract(rows, number(request, 1, 50, 1000000), parameters.gravity, parameters.time_speed,
                 lab::threads_for_bodies(count));
    return lab::save(request.path("result.npy"), {count, 6}, std::vector<float>(rows.begin(), rows.end()));
  }
  lab::Balls balls = lab::balls_of(begin);
  if (flag(request, "conserved")) {  // what the input has: no simulation is needed to know it
    const lab::Conserved conserved = lab::conserved_of(balls);
    std::vector<float> rows;
    for (int moment = 0; moment < 2; ++moment) {
      for (const double part : conserved.momentum) rows.push_back(static_cast<float>(part));
      rows.push_back(static_cast<float>(conserved.energy));
    }
    return lab::save(request.path("result.npy"), {2, 4}, rows);
  }
  std::vector<float> frames;
  const std::size_t columns = (3 * count + 1) / 2;
  const int ratio = static_cast<int>(option(request, "dump-ratio", 1));
  const float low = parameters.walls ? 0 : -1, side = parameters.walls ? 1 : 3;
  simulate(request, balls, [&](int it) {
    if (!flag(request, "frames") || it % ratio != 0) return;
    for (std::size_t k = 0; k < 3 * count; k += 2) {
      const lab::Position& p = balls.position[k / 3];
      frames.push_back(lab::quantised(k % 3 == 0 ? p.x : k % 3 == 1 ? p.y : p.z, low, 65535 / side));
    }
  });
  if (flag(request, "frames"))
    return lab::save(request.path("result.npy"), {frames.size() / columns, columns}, frames);
  lab::save(request.path("result.npy"), {count, 6}, lab::rows_of(balls));
}

}  // namespace

int main(int argc, char** argv) {
  return lab::run_oracle(argc, argv, draw, expect);
}
