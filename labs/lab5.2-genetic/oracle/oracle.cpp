/// @file
/// The oracle of lab5.2: generates obstacles, and lets sets of points evolve between them by the sequential
/// program.
///
///     oracle inputs --seed N --dir D [sets] [points] [generations] [options]     D/spheres.npy, (obstacles, 4)
///     oracle expect --dir D [sets] [points] [generations] [options]              D/result.npy
///
/// result.npy has the rows of lab::result_rows() for the phase of --after. The oracle takes the program's options.
#include <lab/arrays.hpp>
#include <lab/oracle.hpp>

#include <cmath>

#include "evolution.hpp"

namespace {

/// The value of the option `--name=VALUE`, or `preset`.
std::string text(const lab::OracleRequest& request, const std::string& name, const std::string& preset) {
  const std::string begin = "--" + name + "=";
  for (const std::string& argument : request.arguments)
    if (argument.rfind(begin, 0) == 0) return argument.substr(begin.size());
  return preset;
}

/// The argument at `index` among those that are not options.
int number(const lab::OracleRequest& request, std::size_t index, int preset, int least, int most) {
  lab::OracleRequest plain;
  for (const std::string& argument : request.arguments)
    if (argument.rfind("--", 0) != 0) plain.arguments.push_back(argument);
  return static_cast<int>(plain.integer(index, preset, least, most));
}

double real(const lab::OracleRequest& request, const std::string& name, double preset) {
  const std::string value = text(request, name, std::to_string(preset));
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || *end != '\0' || !std::isfinite(number))
    lab::usage_error("oracle: --" + name + " should be a number, but is '" + value + "'.");
  return number;
}

lab::GeneticParameters parameters_of(const lab::OracleRequest& request) {
  lab::GeneticParameters parameters;
  parameters.sets = number(request, 0, 64, 2, lab::most_sets);
  parameters.points = number(request, 1, 24, 1, lab::most_points);
  // The program has an island for each device, unless an option gives their number.
  const std::int64_t devices = request.option("devices", 1, 1, 1024);
  parameters.islands = static_cast<int>(request.option("islands", devices, 1, 1024));
  parameters.migration = static_cast<int>(request.option("migration", 0, 0, 1000000));
  parameters.radius = real(request, "radius", parameters.radius);
  parameters.step = real(request, "step", parameters.step);
  parameters.set_mutation = real(request, "set-mutation", parameters.set_mutation);
  parameters.point_mutation = real(request, "point-mutation", parameters.point_mutation);
  parameters.survival = real(request, "survival", parameters.survival);
  parameters.between_points = text(request, "collisions", "all") == "all";
  parameters.whole_path = request.option("path", 1, 0, 1) == 1;
  parameters.key = static_cast<std::uint32_t>(request.option("key", 1, 0, 4294967295));
  return parameters;
}

std::size_t obstacles_of(const lab::OracleRequest& request) {
  return static_cast<std::size_t>(request.option("obstacles", 8, 1, lab::most_spheres));
}

void draw(const lab::OracleRequest& request) {
  const std::size_t count = obstacles_of(request);
  const lab::GeneticParameters parameters = parameters_of(request);
  lab::Random random(request.seed);
  const std::vector<lab::Sphere> spheres =
      lab::draw_spheres(random, static_cast<int>(count), real(request, "red-radius", 0.25));
  if (spheres.size() < count ||
      lab::room_for(lab::world_of(parameters, static_cast<int>(count)), spheres) < 0.05)
    lab::usage_error("oracle: these sizes leave no room.");
  std::vector<float> rows;
  for (const lab::Sphere& s : spheres) rows.insert(rows.end(), {s.x, s.y, s.z, s.radius});
  lab::save(request.path("spheres.npy"), {count, 4}, rows);
}

void expect(const lab::OracleRequest& request) {
  const std::vector<float> rows =
      lab::load<float>(request.path("spheres.npy"), "spheres", {obstacles_of(request), 4});
  std::vector<lab::Sphere> spheres;
  for (std::size_t i = 0; i < rows.size(); i += 4)
    spheres.push_back({rows[i], rows[i + 1], rows[i + 2], rows[i + 3]});
  const lab::GeneticParameters parameters = parameters_of(request);
  lab::Phase after = lab::Phase::end;
  if (!lab::find_phase(text(request, "after", "end"), after))
    lab::usage_error("oracle: --after is no phase.");
  const unsigned long long goal = lab::goal_score(
      real(request, "goal", 0), static_cast<double>(spheres.front().radius), parameters.points);
  lab::SequentialEvolution evolution(parameters, spheres);
  const int generations = number(request, 2, 20, 0, 1000000);
  const std::vector<unsigned long long> history = evolution.run(generations, after, goal);
  const lab::ResultRows result = lab::result_rows(after, generations, evolution.islands(), history);
  lab::save(request.path("result.npy"), {result.rows, result.columns}, result.values);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::run_oracle(argc, argv, draw, expect);
}
