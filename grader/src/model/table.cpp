// The two statistics of a measurement.
#include "model/table.hpp"

#include <algorithm>
#include <limits>

namespace grader {

double Measurement::median() const {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double Measurement::spread() const {
  if (samples.size() < 2) return 0;
  const auto [least, greatest] = std::minmax_element(samples.begin(), samples.end());
  if (*least == *greatest) return 0;  // also when all are 0: a run without copies
  return (*greatest - *least) / median();
}

}  // namespace grader
