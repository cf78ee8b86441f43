/// @file
/// The tests behind the patterns; internal to the patterns*.cpp files.
#pragma once
#include <algorithm>
#include <cmath>

#include "verify/patterns.hpp"

namespace grader::hypotheses {

/// The index in memory of an element in the 2-D view.
inline std::size_t flat(const Evidence& evidence, Position p) {
  return p.row * evidence.columns + p.column;
}

/// One hypothesis about one element.
enum class Fit { yes, no, unknown };

/// The amount of the evidence for which a hypothesis must account.
struct Demand {
  double of_wrong = 0.97;  ///< share of the wrong elements with a known prediction that agree with it
  double of_right =
      0.9;             ///< share of the right elements that agree, since a hypothesis covers the whole array
  double known = 0.6;  ///< share of the wrong elements that have a prediction
  std::size_t least = 4;  ///< least number of agreeing wrong elements: fewer may agree by chance
  bool varied = true;     ///< these must hold at least two different values
};

/// Whether `fit` holds for (nearly) all of the array. Returns early, so that the test of a very wrong hypothesis is
/// cheap.
template <class F>
bool holds(const Evidence& evidence, const F& fit, const Demand& demand = {}) {
  std::size_t known = 0, agree = 0;
  bool varied = false;
  double first = 0;
  for (const Position p : evidence.wrong) {
    const Fit one = fit(p);
    if (one == Fit::unknown) continue;
    ++known;
    if (one == Fit::yes) {
      if (agree++ == 0) first = evidence.got_at(p);
      varied |= evidence.got_at(p) != first;
    }
    if (known == 64 && agree < 32) return false;
  }
  const auto share = [](std::size_t part, std::size_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
  };
  if (agree < demand.least || (demand.varied && !varied)) return false;
  // For a product only a few rows besides the sampled rows are known, which limits hypotheses on neighbours.
  const double known_wanted = evidence.everything_known() ? demand.known : std::min(demand.known, 0.05);
  if (share(known, evidence.wrong.size()) < known_wanted || share(agree, known) < demand.of_wrong)
    return false;
  known = agree = 0;
  for (const Position p : evidence.right) {
    const Fit one = fit(p);
    known += one != Fit::unknown;
    agree += one == Fit::yes;
  }
  return known == 0 || share(agree, known) >= demand.of_right;
}

/// Does the same for a hypothesis that predicts a value; NaN means unknown.
template <class F>
bool predicts(const Evidence& evidence, const F& prediction, const Demand& demand = {}) {
  return holds(
      evidence,
      [&](Position p) {
        const double value = prediction(p);
        return std::isnan(value)                          ? Fit::unknown
               : evidence.near(evidence.got_at(p), value) ? Fit::yes
                                                          : Fit::no;
      },
      demand);
}

/// "1st", "2nd", "16th"
std::string ordinal(std::size_t n);

/// The content of the wrong elements as a sentence for the end of a message: " They are zero." Empty if they have no
/// common content.
std::string content_words(const Evidence& evidence);

/// Hypothesis: the array contains no result but unwritten memory, NaN, zeros or one constant, either everywhere or
/// only in the wrong elements.
std::optional<Pattern> content_everywhere(const Evidence& evidence);
std::optional<Pattern> content_scattered(const Evidence& evidence);

/// Hypothesis: the whole array is another result, which can be computed from the expected array or from the inputs as
/// matrices.
std::optional<Pattern> other_result(const Evidence& evidence);
std::optional<Pattern> other_product(const Evidence& evidence);

/// Hypothesis: one number that should be the sum of the only input is a sum of other terms.
std::optional<Pattern> other_sum(const Evidence& evidence);

/// Hypothesis: the array contains real data with small errors.
std::optional<Pattern> nearly_right(const Evidence& evidence);

/// Whether the wrong elements contain fresh memory or zeros, and so no value that a thread computed.
bool left_blank(const Evidence& evidence);

/// Hypothesis: a thread read shared memory that no thread had filled. The mark in a single element proves it.
std::optional<Pattern> unfilled_shared(const Evidence& evidence);

/// Hypotheses on the region of the wrong elements.
std::optional<Pattern> region(const Evidence& evidence);

}  // namespace grader::hypotheses
