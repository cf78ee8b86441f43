// storms.cu: the command line, the storms' files, timers, and the output.
//
//   storms <layer_size> <storm file>…      storms in this order, on one layer; a file may be named twice
//   storms 35 --storms test_01             generated storms
//
// Run it:  grader lab4.1                   builds it, grades it, explains what is wrong
#include <lab/lab.hpp>

#include <algorithm>
#include <cmath>

#include "storm_rules.hpp"
#include "storms.h"

// The test of a result on the CPU, and the energies, in double, of the cells that are said to be maxima
// (storms_check.cpp).
std::vector<float> energiesAt(int size, const std::vector<lab::Storm>& storms, lab::Rules rules,
                              const Maximum* maxima);
bool checkMaxima(int size, const std::vector<lab::Storm>& storms, lab::Rules rules, const Maximum* maxima);

namespace {

#ifdef __CUEMU__  // a CPU takes a second for a GPU's tenth of a millisecond
constexpr const char* DEFAULT_SIZE = "2000";
#else
constexpr const char* DEFAULT_SIZE = "1000000";
#endif

struct NamedVersion {
  const char* name;
  Version run;
  bool keeps_layer;  // is the layer on the host at the end?
};

constexpr NamedVersion versions[] = {
    {"sequential", stormsSequential, true},
    {"v1", stormsV1, true},
    {"v2", stormsV2, true},
    {"v3", stormsV3, true},
    {"v4", stormsV4, false},
    {"expert", stormsExpert, false},
};

const NamedVersion& findVersion(const lab::Args& args) {
  const std::string wanted = args.has("version") ? args.text("version") : handedIn();
  std::string all;
  for (const NamedVersion& version : versions) {
    if (wanted == version.name) return version;
    all += std::string(all.empty() ? "" : ", ") + version.name;
  }
  args.fail("--version must be one of " + all + ", but is '" + wanted + "'");
}

// The storms of --input, of the files, or generated ones.
std::vector<lab::Storm> findStorms(const lab::Args& args, int size) {
  if (!args.inputs().empty()) return lab::read_storms(args.inputs()[0]);
  if (!args.words().empty()) {
    std::vector<lab::Storm> storms;
    for (const std::string& file : args.words()) {
      for (lab::Storm& storm : lab::read_storms(file)) storms.push_back(std::move(storm));
    }
    return storms;
  }
  lab::StormShape shape;
  if (!lab::parse_storms(args.text("storms"), shape))
    args.fail("--storms must be " + lab::storm_shapes() + ", but is '" + args.text("storms") + "'");
  lab::Random random(args.seed());
  return lab::draw_storms(random, shape, size);
}

// The rules as numbers for the kernels, computed in float and in the order of public programs.
Problem problemOf(int size, const std::vector<lab::Storm>& storms, lab::Rules rules) {
  Problem problem;
  problem.size = size;
  for (const lab::Storm& storm : storms) {
    std::vector<Particle> particles;
    for (const lab::Impact& one : storm) {
      const auto value = static_cast<float>(one.value);
      const float energy =
          rules == lab::Rules::classroom ? value / 1000 : value * 1000 / static_cast<float>(size);
      particles.push_back({one.position, energy, lab::reach_of(one.value, rules)});
    }
    problem.storms.push_back(std::move(particles));
  }
  return problem;
}

// Loads every kernel of a version before anything is timed: three cells, two storms.
void warmUp(Version run) {
  const Particle particle = {1, 1, 10};
  const Problem tiny = {3, {{particle}, {particle}}};
  float layer[3] = {};
  Maximum maxima[2];
  run(tiny, layer, maxima);
  CUDA_CHECK(cudaDeviceSynchronize());
  allocating.reset();
}

// Time of a version, with its allocations and copies.
double timeOf(const NamedVersion& version, const Problem& problem, std::vector<float>& layer,
              Maximum* maxima) {
  std::fill(layer.begin(), layer.end(), 0.0f);
  warmUp(version.run);
  lab::Timer timer;
  timer.start();
  version.run(problem, layer.data(), maxima);
  CUDA_CHECK(cudaDeviceSynchronize());
  timer.stop();
  return timer.ms();
}

// Ref1: at most 1.5 times the time of v4, in the same run, one after the other. Each time is the shortest of
// three, since other work of the machine only adds to a time. Ends the program where a version takes longer.
void requireRef1(const Problem& problem, const NamedVersion& version) {
  constexpr double allowed = 1.5;
  std::vector<float> layer(static_cast<std::size_t>(problem.size));
  std::vector<Maximum> ignored(problem.storms.size());
  double ms = INFINITY, v4_ms = INFINITY;
  for (int i = 0; i < 3; ++i) {
    ms = std::min(ms, timeOf(version, problem, layer, ignored.data()));
    v4_ms = std::min(v4_ms, timeOf(versions[4], problem, layer, ignored.data()));
  }
  std::printf("Ref1: %s takes %.2f times as long as v4 (allowed: %.2f).\n", version.name, ms / v4_ms,
              allowed);
  if (ms <= allowed * v4_ms) return;
  char sentence[128];
  std::snprintf(sentence, sizeof sentence,
                "Ref1 is missed: %s takes %.2f times as long as v4, and at most %.2f are allowed",
                version.name, ms / v4_ms, allowed);
  lab::missed(sentence);
}

// One line for each cell: its energy, a bar as long as the energy is, x for a local maximum, and M0, M1 …
// where a storm had its maximum.
void plot(const std::vector<float>& layer, const std::vector<Maximum>& maxima) {
  constexpr int longest = 60;
  float largest = 0;
  for (const float energy : layer) largest = std::max(largest, std::fabs(energy));
  const int size = static_cast<int>(layer.size());
  for (int k = 0; k < size; ++k) {
    const float energy = layer[k];
    const int length = largest > 0 && energy > 0 ? static_cast<int>(longest * energy / largest) : 0;
    const bool peak = k > 0 && k < size - 1 && energy > layer[k - 1] && energy > layer[k + 1];
    std::printf("%10.4f |%s%s", energy, std::string(length, 'o').c_str(), peak ? "x" : "");
    for (std::size_t s = 0; s < maxima.size(); ++s) {
      if (maxima[s].position == k && maxima[s].value > 0) std::printf(" M%zu", s);
    }
    std::printf("\n");
  }
}

// The result as the grader compares it: for each storm the energy that was found, and that of the cell where
// it was found. So any cell is right whose energy is that of the greatest maximum, apart from rounding. Or
// it is the last layer.
void save(const lab::Args& args, const std::vector<float>& layer, const std::vector<Maximum>& maxima,
          const std::vector<float>& energies) {
  if (args.has("layer")) return lab::save(args.output(), {layer.size()}, layer);
  std::vector<float> rows;
  for (std::size_t s = 0; s < maxima.size(); ++s) {
    rows.push_back(maxima[s].value);
    rows.push_back(energies[s]);
  }
  lab::save(args.output(), {maxima.size(), 2}, rows);
}

}  // namespace

int main(int argc, char** argv) {
  lab::Args args("storms", "energy of a layer under storms of particles, and its maximum after each storm");
  args.argument("layer_size", "cells of the layer", DEFAULT_SIZE);
  args.rest("storm file", "one storm each, or several, one after the other");
  args.option("storms", "SHAPE", "without files: storms like 4x5000, or a set such as test_01", "3x50");
  args.option("rules", "RULES", "classroom or eduhpc: what a value means, how far it reaches", "classroom");
  args.option("version", "V", "sequential, v1, v2, v3, v4 or expert; else the one that is handed in", "");
  args.flag("layer", "write the last layer with --output, not the maxima");
  args.flag("plot", "draw the last layer");
  args.flag("ref1", "refuse a version that takes more than 1.5 times as long as v4");
  args.reads({"storms.txt"}).writes("maxima").parse(argc, argv);
  const int size = static_cast<int>(args.integer("layer_size", 1, lab::most_cells, "4 GiB"));
  lab::Rules rules;
  if (!lab::parse_rules(args.text("rules"), rules))
    args.fail("--rules must be classroom or eduhpc, but is '" + args.text("rules") + "'");
  const NamedVersion& version = findVersion(args);
  if (args.has("layer") && !version.keeps_layer)
    args.fail(std::string("--layer needs a version that has the layer on the host, which ") + version.name +
              " has not");
  lab::require_host_memory(3.0 * size * sizeof(float), "layer_size = " + std::to_string(size));
  const std::vector<lab::Storm> storms = findStorms(args, size);
  const Problem problem = problemOf(size, storms, rules);

  std::vector<float> layer(static_cast<std::size_t>(size));
  std::vector<Maximum> maxima(storms.size(),
                              {-1, std::nanf("")});  // an unwritten element can't pass for a result
  const double ms = timeOf(version, problem, layer, maxima.data());
  const double without_ms = ms - allocating.ms();

  std::printf("\nTime: %f\nResult:", ms * 1e-3);
  for (const Maximum& maximum : maxima) std::printf(" %d %f", maximum.position, maximum.value);
  std::printf("\n");
  const double sequential_ms = sequentialTime(problem);
  lab::print_time("Without cudaMalloc", without_ms);
  lab::print_time("Sequential program", sequential_ms);
  std::printf("Speed-up: %f\n", sequential_ms / ms);
  if (args.has("plot")) {
    std::vector<float> drawn(layer.size());
    std::vector<Maximum> ignored(storms.size());
    stormsSequential(problem, drawn.data(), ignored.data());
    plot(drawn, maxima);
  }
  bool passed = true;
  if (!args.output().empty()) {  // the grader compares, with its own inputs and results
    save(args, layer, maxima,
         args.has("layer") ? std::vector<float>() : energiesAt(size, storms, rules, maxima.data()));
  } else {
    passed = checkMaxima(size, storms, rules, maxima.data());
    std::printf("Check ok? %s\n", passed ? "Passed." : "Failed.");
  }
  if (passed && args.has("ref1")) requireRef1(problem, version);
  return lab::finish(passed);
}
