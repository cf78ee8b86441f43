/// @file
/// For the labs on reductions: terms whose sums are exact, the reference sum, and the allowed error of a sum in float.
///
/// A float has 24 bits: it can represent every whole number up to 2^24 = 16,777,216, and above that only every second,
/// then every fourth … So a sum of whole numbers is exact in float, in any order, as long as the magnitudes add up to
/// at most 2^24. Host code only.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "memory.hpp"
#include "random.hpp"

namespace lab {

/// Up to this magnitude, every whole number can be represented as a float.
constexpr double largest_exact_float = 16777216;  // 2^24

/// Draws `count` random whole numbers from 0 to 999. If their sum could exceed 2^24, the upper limit is 2^24 / count
/// instead, or 2 for more than 2^23 numbers.
template <typename T>
std::vector<T> draw_terms(Random& random, std::size_t count) {
  const auto fitting = static_cast<std::int64_t>(largest_exact_float / static_cast<double>(count));
  const std::int64_t largest = std::clamp<std::int64_t>(fitting, 2, 999);
  std::vector<T> terms = host_array<T>(count, "the input");
  for (T& term : terms) term = static_cast<T>(random.integer(0, largest));
  return terms;
}

/// A sum of many terms, as a reference.
struct Sum {
  double value = 0;      ///< the sum itself
  double magnitude = 0;  ///< sum of |term|, to which rounding errors are relative
  bool whole = true;     ///< every term is a whole number

  /// Returns whether sums in float are exact in any order. Then every sum of some of the terms is a whole number of at
  /// most
  /// 2^24.
  bool exact_in_float() const { return whole && magnitude <= largest_exact_float; }

  /// Returns the allowed error of a sum in float if no term takes part in more than `depth` additions, each of which
  /// has a relative rounding error of at most 2^-24. N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd
  /// ed. (2002), §4.2.
  double allowed(double depth) const {
    return exact_in_float() ? 0 : (depth + 1) * magnitude / largest_exact_float;
  }
};

/// Adds up the terms in double, one after another. Double rounds 2^29 times finer than float.
template <typename T>
Sum sum_of(const T* terms, std::size_t count) {
  Sum sum;
  for (std::size_t i = 0; i < count; ++i) {
    const auto term = static_cast<double>(terms[i]);
    sum.value += term;
    sum.magnitude += std::fabs(term);
    sum.whole = sum.whole && term == std::nearbyint(term);
  }
  return sum;
}

}  // namespace lab
