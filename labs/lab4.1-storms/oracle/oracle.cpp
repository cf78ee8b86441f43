/// @file
/// The oracle of lab4.1: generates storms, and computes the layers in double.
///
///     oracle inputs --seed N --dir D [size] [--storms=SHAPE] [others]            D/storms.txt, D/storm_1.txt …
///     oracle expect --dir D [size] [--layer] [--rules=RULES] [others]     D/maxima.npy
///
/// storms.txt is text, one storm after the other. maxima.npy is (storms, 2): for each storm the energy
/// of its maximum, twice, since the program gives the energy that it found and that of the cell where it
/// found it. With --layer it is the last layer, (size).
#include <lab/arrays.hpp>
#include <lab/oracle.hpp>

#include "storm_peaks.hpp"

namespace {

constexpr const char* default_storms = "3x50";
constexpr std::size_t most_peaks = 64;  // that are as good as the best

/// The value of the option `--name=VALUE`, or `preset`.
std::string option(const lab::OracleRequest& request, const std::string& name, const std::string& preset) {
  const std::string begin = "--" + name + "=";
  for (const std::string& argument : request.arguments) {
    if (argument.rfind(begin, 0) == 0) return argument.substr(begin.size());
  }
  return preset;
}

bool flag(const lab::OracleRequest& request, const std::string& name) {
  return std::find(request.arguments.begin(), request.arguments.end(), "--" + name) !=
         request.arguments.end();
}

/// The argument that is not an option.
int size_of(const lab::OracleRequest& request) {
  for (std::size_t i = 0; i < request.arguments.size(); ++i) {
    if (request.arguments[i].rfind("--", 0) != 0)
      return static_cast<int>(request.integer(i, 1, 1, lab::most_cells));
  }
  return 2000;
}

lab::Rules rules_of(const lab::OracleRequest& request) {
  lab::Rules rules;
  const std::string text = option(request, "rules", "classroom");
  if (!lab::parse_rules(text, rules)) lab::usage_error("oracle: '" + text + "' are no rules.");
  return rules;
}

/// Whether some wrong program would find the right maxima. If the greatest energy of a layer is that of the
/// maximum, a program that accepts the ends as maxima is right by luck, so two storms must not have their
/// maximum at the same cell either.
bool trivial(int size, const std::vector<lab::Storm>& storms, lab::Rules rules) {
  std::vector<int> positions;
  bool flat = false;
  lab::right_layers(size, storms, rules, [&](std::size_t, const std::vector<double>& layer) {
    const std::vector<lab::Peak> peaks = lab::right_peaks(layer);
    flat = flat || peaks[0].value == 0 || peaks.size() > most_peaks;
    positions.push_back(peaks[0].position);
  });
  const bool still = positions.size() > 1 && std::all_of(positions.begin(), positions.end(),
                                                         [&](int p) { return p == positions.front(); });
  return flat || still;
}

void draw(const lab::OracleRequest& request) {
  const std::string text = option(request, "storms", default_storms);
  lab::StormShape shape;
  if (!lab::parse_storms(text, shape)) lab::usage_error("oracle: '" + text + "' is no shape of storms.");
  const int size = size_of(request);
  lab::Random random(request.seed);
  // Large storms are drawn only once: computing their layers takes a while, and they are never trivial.
  const bool looked_at = shape.name.empty() && shape.particles > 0 && size >= 50 && size <= 200000;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::vector<lab::Storm> storms = lab::draw_storms(random, shape, size);
    if (looked_at && trivial(size, storms, rules_of(request))) continue;
    lab::write_storms(request.path("storms.txt"), storms);
    for (std::size_t s = 0; s < storms.size(); ++s)
      lab::write_storms(request.path("storm_" + std::to_string(s + 1) + ".txt"), {storms[s]});
    return;
  }
  lab::usage_error("oracle inputs: a hundred attempts gave only trivial storms; use another seed.");
}

void expect(const lab::OracleRequest& request) {
  const std::vector<lab::Storm> storms = lab::read_storms(request.path("storms.txt"));
  std::vector<float> rows, last;
  const bool wants_layer = flag(request, "layer");
  lab::right_layers(size_of(request), storms, rules_of(request),
                    [&](std::size_t s, const std::vector<double>& layer) {
                      if (wants_layer && s + 1 == storms.size()) last.assign(layer.begin(), layer.end());
                      if (!wants_layer)
                        rows.insert(rows.end(), 2, static_cast<float>(lab::right_peaks(layer)[0].value));
                    });
  if (wants_layer) return lab::save(request.path("maxima.npy"), {last.size()}, last);
  lab::save(request.path("maxima.npy"), {storms.size(), 2}, rows);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::run_oracle(argc, argv, draw, expect);
}
