// Hypotheses on a single number that should be the sum of the only input:
// terms that are missing or counted twice.
//
// One wrong number fits many hypotheses by chance, so only few sums are tried: those of parts that a block, a
// warp or a level of a tree has.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "verify/hypotheses.hpp"

namespace grader::hypotheses {
namespace {

using Result = std::optional<Pattern>;

class SumOfInput {
 public:
  explicit SumOfInput(const Evidence& evidence) : e_(evidence), x_(*evidence.inputs[0]), got_(e_.got[0]) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      sum_ += x_[i];
      magnitude_ += std::fabs(x_[i]);
    }
  }

  /// Otherwise the number is something else of the input.
  bool is_sum() const { return e_.near(e_.expected(0, 0), sum_); }

  Result pattern() const {
    for (const auto hypothesis :
         {&SumOfInput::first_term, &SumOfInput::last_term, &SumOfInput::multiple, &SumOfInput::off_by_one,
          &SumOfInput::first_terms, &SumOfInput::last_terms, &SumOfInput::level_missing})
      if (auto found = (this->*hypothesis)()) return found;
    return std::nullopt;
  }

 private:
  bool is(double value) const { return e_.near(got_, value); }

  Result first_term() const {
    if (!is(x_[0])) return std::nullopt;
    return Pattern{
        "copied-input",
        "The result is the first number of the input: nothing was added to it, or the sum was stored "
        "elsewhere."};
  }

  Result last_term() const {
    if (!is(x_[x_.size() - 1])) return std::nullopt;
    return Pattern{"last-term-only",
                   "The result is the last number of the input. Is each number assigned instead of added?"};
  }

  Result multiple() const {
    for (const double factor : {2.0, 3.0, 4.0, 8.0, 16.0, 32.0, 0.5, -1.0}) {
      if (!is(factor * sum_)) continue;
      return Pattern{"scaled", fmt::format("The result is {:g} times the right sum. {}", factor,
                                           factor > 1 ? "Is each number added by several threads, or the sum "
                                                        "added to one that was there before?"
                                                      : "Is only a part of the numbers added?")};
    }
    return std::nullopt;
  }

  Result off_by_one() const {
    const struct {
      double term;
      const char* words;
    } ends[] = {{x_[0], "first"}, {x_[x_.size() - 1], "last"}};
    for (const auto& end : ends) {
      if (end.term == 0) continue;
      if (is(sum_ - end.term)) return off_by(end.words, "missing");
      if (is(sum_ + end.term)) return off_by(end.words, "counted twice");
    }
    return std::nullopt;
  }

  static Pattern off_by(const char* which, const char* what) {
    return {"off-by-one-term",
            fmt::format("The {} number of the input is {}: look at the begin and the end of each "
                        "range of indices.",
                        which, what)};
  }

  /// Every sum of leading terms is tried only where one is hit by chance at most once in fifty times.
  bool may_try_all() const { return 50 * static_cast<double>(x_.size()) <= magnitude_; }

  std::size_t step() const { return may_try_all() ? 1 : 32; }

  Result first_terms() const {
    double sum = 0;
    for (std::size_t k = 1; k + 1 < x_.size(); ++k) {
      sum += x_[k - 1];
      if (k < 2 || k % step() != 0 || !is(sum)) continue;
      const std::size_t rest = x_.size() - k;
      return Pattern{
          "partial-sum",
          fmt::format("The result is the sum of the first {} of the {} numbers: the last {} are missing. {}",
                      k, x_.size(), rest,
                      k > rest ? "Does the division that gives the number of blocks or of rounds drop the "
                                 "remainder?"
                               : "Are there enough threads, blocks or launches for all of them?")};
    }
    return std::nullopt;
  }

  Result last_terms() const {
    double sum = 0;
    for (std::size_t k = 1; k + 1 < x_.size(); ++k) {
      sum += x_[x_.size() - k];
      if (k < 2 || (x_.size() - k) % step() != 0 || !is(sum)) continue;
      return Pattern{
          "partial-sum",
          fmt::format("The result is the sum of the last {} of the {} numbers: the first {} are missing.", k,
                      x_.size(), x_.size() - k)};
    }
    return std::nullopt;
  }

  /// A level of a tree that was skipped leaves out every number whose index has one bit set.
  Result level_missing() const {
    for (std::size_t distance = 1; distance < x_.size() && distance <= 1024; distance *= 2) {
      double sum = 0;
      for (std::size_t i = 0; i < x_.size(); ++i) sum += (i & distance) == 0 ? x_[i] : 0;
      if (!is(sum)) continue;
      return Pattern{
          "partial-sum",
          fmt::format(
              "Missing are the numbers {0} to {1}, and {0} to {1} after every {2}: the level of the tree "
              "that "
              "adds at the distance {0} did not take place, or read before the one before had written.",
              distance, 2 * distance - 1, 2 * distance)};
    }
    return std::nullopt;
  }

  const Evidence& e_;
  const Array& x_;
  const double got_;
  double sum_ = 0, magnitude_ = 0;
};

}  // namespace

std::optional<Pattern> other_sum(const Evidence& evidence) {
  if (evidence.got.size() != 1 || evidence.inputs.size() != 1 || evidence.inputs[0]->size() < 2)
    return std::nullopt;
  const SumOfInput sum(evidence);
  return sum.is_sum() ? sum.pattern() : std::nullopt;
}

}  // namespace grader::hypotheses
