// computeQ_gold.cpp: checks the GPU's Q. Plain C++ for the CPU; there is nothing to do here.
//
// Every sample contributes to every voxel: 147,258 samples and 128³ voxels are 309 billion pairs, hours for
// a CPU. So at most 512 voxels are computed again, in double: the first, the last, the one in the middle,
// others at random.
//
// "Right" can't mean "the same bits": another order of the additions, another sine, another compiler change
// the last digits. The allowed error of a value is a fraction of the largest |Q| (mri.hpp).
#include <lab/timer.hpp>

#include "mriQ.h"

bool checkQ(const lab::Q& q, const lab::Scan& scan, int numK, const std::string& reference) {
  constexpr std::size_t most = 512;
  lab::Q right;
  if (reference.empty()) {
    lab::Timer timer;
    lab::Random random(20260101);
    const std::vector<std::size_t> voxels = lab::sample_voxels(random, scan, most);
    std::printf("Computing %zu of %zu voxels on the CPU.\n", voxels.size(), scan.voxels());
    timer.start();
    right = lab::right_q(scan, static_cast<std::size_t>(numK), voxels);
    timer.stop();
    lab::print_time("CPU Processing time", timer.ms());
  } else {
    std::printf("Comparing with %s.\n", reference.c_str());
    right = lab::read_q(reference, scan.voxels());
  }
  double worst = 0;
  const std::size_t wrong = lab::count_wrong(q, right, worst);
  std::printf("Largest error: %.1e of the largest value (allowed: %.0e)\n", worst, lab::q_tolerance);
  if (wrong > 0) std::printf("  %zu of %zu values are wrong.\n", wrong, 2 * q.r.size());
  return wrong == 0;
}
