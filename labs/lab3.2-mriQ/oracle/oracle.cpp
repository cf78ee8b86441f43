/// @file
/// The oracle of lab3.2: generates a scan, and computes Q in double.
///
///     oracle inputs --seed N --dir D [samples] [--scan=SHAPE] [others]     D/scan.bin, D/sample.bin
///     oracle expect --dir D [samples] [--scan=SHAPE] [others]              D/Q.bin
///     oracle judge --facts FILE                                            judge.hpp
///
/// Up to 2^25 pairs of voxel and sample: all voxels are computed. More pairs: the seed chooses up to 512 voxels,
/// whose numbers sample.bin keeps for `expect` (uint64 each); the others are NaN. The program never sees that
/// file.
#include <lab/oracle.hpp>

#include "judge.hpp"
#include "mri.hpp"

namespace {

constexpr const char* default_scan = "16^3x1000";
constexpr std::size_t most_pairs = std::size_t{1} << 25;
constexpr std::size_t most_voxels = 512;

/// The scan's shape by the option --scan.
lab::ScanShape shape_of(const lab::OracleRequest& request) {
  const std::string option = "--scan=";
  std::string text = default_scan;
  for (const std::string& argument : request.arguments) {
    if (argument.rfind(option, 0) == 0) text = argument.substr(option.size());
  }
  lab::ScanShape shape;
  if (!lab::parse_shape(text, shape)) lab::usage_error("oracle: '" + text + "' is no shape of a scan.");
  return shape;
}

/// The number of samples that the program is to use: the argument that is not an option.
std::size_t samples_of(const lab::OracleRequest& request, const lab::Scan& scan) {
  for (std::size_t i = 0; i < request.arguments.size(); ++i) {
    if (request.arguments[i][0] != '-')
      return static_cast<std::size_t>(request.integer(i, 0, 0, static_cast<std::int64_t>(scan.samples())));
  }
  return scan.samples();
}

/// Whether some wrong program would give the right Q of this scan.
bool trivial(const lab::Scan& scan) {
  if (scan.samples() == 0 || scan.voxels() == 1) return false;
  const auto constant = [](const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(), [&](float v) { return v == values.front(); });
  };
  if (scan.samples() > 1 && (scan.phiR == scan.phiI || constant(scan.phiR) || constant(scan.kx))) return true;
  return scan.x == scan.y || scan.y == scan.z || scan.kx == scan.ky || scan.ky == scan.kz;
}

void draw(const lab::OracleRequest& request) {
  lab::Random random(request.seed);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const lab::Scan scan = lab::draw_scan(random, shape_of(request));
    if (trivial(scan)) continue;
    lab::write_scan(request.path("scan.bin"), scan);
    const bool all = scan.samples() * scan.voxels() <= most_pairs;
    const std::vector<std::size_t> chosen =
        lab::sample_voxels(random, scan, all ? scan.voxels() : most_voxels);
    lab::detail::write_blocks(request.path("sample.bin"), {lab::detail::block(chosen)});
    return;
  }
  lab::usage_error("oracle inputs: a hundred attempts gave only trivial scans; use another seed.");
}

void expect(const lab::OracleRequest& request) {
  const lab::Scan scan = lab::read_scan(request.path("scan.bin"));
  lab::detail::InputFile file(request.path("sample.bin"));
  std::vector<std::size_t> chosen(file.size() / sizeof(std::size_t));
  file.read(chosen.data(), file.size());
  lab::write_q(request.path("Q.bin"), lab::right_q(scan, samples_of(request, scan), chosen));
}

}  // namespace

int main(int argc, char** argv) {
  return lab::run_oracle(argc, argv, draw, expect, judge);
}
