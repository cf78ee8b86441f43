/// @file
/// The reference for the storms of storm_rules.hpp, in double: the layer after each storm, and every position of its
/// maximum that a program may report because of rounding. Host code only.
#pragma once
#include <thread>

#include "storm_rules.hpp"

namespace lab {

/// Cell and energy of a maximum; {0, 0} if there is none.
struct Peak {
  int position;
  double value;
};

namespace detail {

/// 1 / sqrt(d) for d = 1 …, from a table if a table pays.
class InverseRoots {
 public:
  InverseRoots(std::size_t particles, int size) {
    if (particles < 64) return;
    table_.resize(static_cast<std::size_t>(size) + 1);
    for (std::size_t d = 1; d < table_.size(); ++d) table_[d] = 1 / std::sqrt(static_cast<double>(d));
  }
  bool has(std::int64_t d) const { return d < static_cast<std::int64_t>(table_.size()); }
  const double* table() const { return table_.data(); }
  double of(std::int64_t d) const {
    return has(d) ? table_[static_cast<std::size_t>(d)] : 1 / std::sqrt(static_cast<double>(d));
  }

 private:
  std::vector<double> table_;
};

/// Adds a storm to the cells [first, end).
inline void bombard_cells(double* layer, std::int64_t first, std::int64_t end, std::int64_t size,
                          const Storm& storm, Rules rules, const InverseRoots& roots) {
  for (const Impact& one : storm) {
    const double energy =
        rules == Rules::classroom ? one.value / 1000.0 : one.value * 1000.0 / static_cast<double>(size);
    const std::int64_t p = one.position, reach = reach_of(one.value, rules);
    const std::int64_t left = std::max(first, p - reach + 1), right = std::min(end - 1, p + reach - 1);
    const std::int64_t middle = std::clamp(p, left, right + 1);  // cells before it lie left of the particle
    if (left > right) continue;
    if (roots.has(std::max(p - left, right - p) + 1)) {
      const double* const table = roots.table();
      for (std::int64_t k = left; k < middle; ++k) layer[k] += energy * table[p - k + 1];
      for (std::int64_t k = middle; k <= right; ++k) layer[k] += energy * table[k - p + 1];
    } else {
      for (std::int64_t k = left; k <= right; ++k) layer[k] += energy * roots.of(std::abs(p - k) + 1);
    }
  }
}

/// Replaces each cell except the two ends by the mean of the old values of itself and its neighbours.
inline void relax_cells(std::vector<double>& layer) {
  double before = layer[0];
  for (std::size_t k = 1; k + 1 < layer.size(); ++k) {
    const double here = layer[k];
    layer[k] = (before + here + layer[k + 1]) / 3;
    before = here;
  }
}

}  // namespace detail

/// Computes the layer in double after each storm, on all cores, and passes it to `look(storm's number, layer)`. For
/// each particle, each cell within its reach takes a core about 1 ns.
template <typename Look>
void right_layers(int size, const std::vector<Storm>& storms, Rules rules, Look look) {
  std::size_t particles = 0;
  for (const Storm& storm : storms) particles += storm.size();
  const detail::InverseRoots roots(particles, size);
  std::vector<double> layer = host_array<double>(static_cast<std::size_t>(size), "the layer");
  const std::int64_t cells = size;
  const std::int64_t most_workers = std::max<std::int64_t>(1, std::min<std::int64_t>(64, cells / 4096));
  const std::int64_t workers = std::clamp<std::int64_t>(std::thread::hardware_concurrency(), 1, most_workers);
  for (std::size_t s = 0; s < storms.size(); ++s) {
    std::vector<std::thread> threads;
    const auto part = [&](std::int64_t w) {
      detail::bombard_cells(layer.data(), cells * w / workers, cells * (w + 1) / workers, cells, storms[s],
                            rules, roots);
    };
    for (std::int64_t w = 1; w < workers; ++w) threads.emplace_back(part, w);
    part(0);
    for (std::thread& thread : threads) thread.join();
    detail::relax_cells(layer);
    look(s, layer);
  }
}

/// The allowed relative error of a value. Sums of thousands of floats in different orders differ by less than 1e-5 of
/// the value.
constexpr double storm_tolerance = 1e-4;

/// All maxima of a layer that a program may report because of rounding: every cell that is a local maximum to within
/// rounding, and whose value equals the largest to within rounding. Includes {0, 0} if there may be no maximum. The
/// best answer comes first.
inline std::vector<Peak> right_peaks(const std::vector<double>& layer) {
  double largest = 0;
  for (const double value : layer) largest = std::max(largest, std::fabs(value));
  const double rounding = 2e-6 * largest;  // the error of a difference of two neighbours in float
  const auto rises = [&](std::size_t k) { return layer[k] - std::max(layer[k - 1], layer[k + 1]); };
  double best = 0;  // the largest value of the cells that are certainly maxima
  for (std::size_t k = 1; k + 1 < layer.size(); ++k) {
    if (layer[k] > best && rises(k) > rounding) best = layer[k];
  }
  std::vector<Peak> peaks;
  for (std::size_t k = 1; k + 1 < layer.size(); ++k) {
    if (layer[k] > 0 && layer[k] >= best * (1 - storm_tolerance) && rises(k) >= -rounding)
      peaks.push_back({static_cast<int>(k), layer[k]});
  }
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const Peak& a, const Peak& b) { return a.value > b.value; });
  if (best == 0) peaks.insert(peaks.begin(), Peak{0, 0});
  return peaks;
}

/// The energy of the cell that a program reports as the maximum; -1 for a cell that is no maximum although its energy
/// is as good as the best, and for a cell that does not exist. So the result equals the best cell's energy, to within
/// storm_tolerance, exactly if the cell is one of right_peaks().
inline double peak_at(const std::vector<double>& layer, int position) {
  const std::vector<Peak> peaks = right_peaks(layer);
  for (const Peak& peak : peaks) {
    if (peak.position == position) return peak.value;
  }
  if (position < 0 || static_cast<std::size_t>(position) >= layer.size()) return -1;
  const double energy = layer[static_cast<std::size_t>(position)];
  return std::fabs(energy - peaks[0].value) > 2 * storm_tolerance * std::fabs(peaks[0].value) ? energy : -1;
}

}  // namespace lab
