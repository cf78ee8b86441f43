/// @file
/// Compares an array with the expected one, and prints the first wrong elements with their coordinates.
///
/// Host code only.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace lab {

/// The allowed error of an element: |got - expected| <= abs + rel * |expected|. If both are zero, the elements must be
/// equal.
struct Closeness {
  double abs = 0;
  double rel = 0;
};

/// Returns whether `got` is near enough to `expected`. NaN is not near any number, and not even near NaN. Infinity is
/// near only to itself.
inline bool close(double got, double expected, Closeness closeness = {}) {
  if (got == expected) return true;
  const double difference = std::fabs(got - expected);
  return std::isfinite(difference) && difference <= closeness.abs + closeness.rel * std::fabs(expected);
}

/// Returns the coordinates of element `offset` of a row-major array: "[2][5]".
inline std::string coordinates(std::size_t offset, const std::vector<std::size_t>& shape) {
  std::string text;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    text.insert(0, std::string("[").append(std::to_string(offset % shape[axis])).append("]"));
    offset /= shape[axis];
  }
  return text;
}

/// Compares whole arrays and prints the first wrong elements on standard output.
/// @param name    name of the array, for the messages
/// @param shape   shape of both arrays, row-major
/// @param show    maximum number of wrong elements to print
/// @return number of wrong elements
template <typename T>
std::size_t compare(const std::string& name, const T* got, const T* expected,
                    const std::vector<std::size_t>& shape, Closeness closeness = {}, std::size_t show = 8) {
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (close(static_cast<double>(got[i]), static_cast<double>(expected[i]), closeness)) continue;
    if (wrong++ < show) {
      std::printf("  %s%s is %.9g, but should be %.9g\n", name.c_str(), coordinates(i, shape).c_str(),
                  static_cast<double>(got[i]), static_cast<double>(expected[i]));
    }
  }
  if (wrong > 0) std::printf("  %zu of %zu elements of %s are wrong.\n", wrong, count, name.c_str());
  return wrong;
}

}  // namespace lab
