// storms_check.cpp: tests whether a result has the maxima. Plain C++ for the CPU; there is nothing to do
// here.
//
// Two cells may have nearly the same energy, and the last digit of a float may decide which of them is
// greater; this digit depends on the order of additions and on the implementation of the square root. So a
// position is right if its cell is a local maximum, in double and apart from rounding, whose energy is
// within a ten-thousandth of the greatest maximum.
#include "storm_peaks.hpp"
#include "storms.h"

std::vector<float> energiesAt(int size, const std::vector<lab::Storm>& storms, lab::Rules rules,
                              const Maximum* maxima) {
  std::vector<float> energies;
  lab::right_layers(size, storms, rules, [&](std::size_t s, const std::vector<double>& layer) {
    energies.push_back(static_cast<float>(lab::peak_at(layer, maxima[s].position)));
  });
  return energies;
}

bool checkMaxima(int size, const std::vector<lab::Storm>& storms, lab::Rules rules, const Maximum* maxima) {
  bool passed = true;
  lab::right_layers(size, storms, rules, [&](std::size_t s, const std::vector<double>& layer) {
    const std::vector<lab::Peak> peaks = lab::right_peaks(layer);
    for (const lab::Peak& peak : peaks) {
      const double error = std::fabs(maxima[s].value - peak.value);
      if (maxima[s].position == peak.position && error <= lab::storm_tolerance * peak.value) return;
    }
    std::printf("Storm %zu: expected %d %f, found %d %f\n", s + 1, peaks[0].position, peaks[0].value,
                maxima[s].position, maxima[s].value);
    passed = false;
  });
  return passed;
}
