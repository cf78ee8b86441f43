/// @file
/// The oracle of lab1.3: draws matrices, writes their text file, and computes their minimum.
///
///     oracle inputs --seed N --dir D [--matrices=M] [--size=N] [--style=S] [others]     D/matrices.txt, text
///     oracle expect --dir D [--matrices=M] [--size=N] [others]                          D/minimum.npy, int32 (n, n)
#include <lab/npy.hpp>
#include <lab/oracle.hpp>

#include "matrices.hpp"

namespace {

int size_of(const lab::OracleRequest& request) {
  return static_cast<int>(request.option("size", 3, 1, 1024));
}

lab::TextStyle style_of(const lab::OracleRequest& request) {
  const std::string option = "--style=";
  lab::TextStyle style = lab::TextStyle::plain;
  for (const std::string& argument : request.arguments) {
    if (argument.rfind(option, 0) == 0 && !lab::parse_style(argument.substr(option.size()), style))
      lab::usage_error("oracle: there is no style '" + argument.substr(option.size()) + "'.");
  }
  return style;
}

void draw(const lab::OracleRequest& request) {
  const int n = size_of(request);
  const auto m = static_cast<int>(request.option("matrices", 1000, 1, 100000000));
  lab::Random random(request.seed);
  lab::write_matrices(request.path("matrices.txt"), m, n, lab::draw_matrices(random, m, n).data(),
                      style_of(request));
}

void expect(const lab::OracleRequest& request) {
  const auto n = static_cast<std::size_t>(size_of(request));
  const std::vector<int> values = lab::read_matrices(request.path("matrices.txt"), static_cast<int>(n));
  lab::write_npy(request.path("minimum.npy"), {n, n}, lab::minimum_of(values, static_cast<int>(n)));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return lab::run_oracle(argc, argv, draw, expect);
  } catch (const lab::NpyError& error) {
    lab::usage_error(error.what());
  }
}
