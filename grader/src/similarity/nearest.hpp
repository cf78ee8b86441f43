/// @file
/// The nearest pairs of answers, by the share of their text that both have: for a person who wants to look, also where
/// answers are short. It does not tell what chance explains: similarity.hpp does.
#pragma once
#include "similarity/similarity.hpp"

namespace grader {

/// Two answers of different owners: of two owners, their nearest ones.
struct NearPair {
  std::size_t a = 0, b = 0;  ///< index in the answers
  double shared = 0;  ///< 0 to 1: the share of the runs of `near_gram` tokens that both have (Sørensen–Dice)
};

constexpr unsigned near_gram = 4;

struct Nearest {
  std::vector<NearPair> pairs;  ///< the nearest first
  double median = 0;            ///< of `shared`, over all pairs of owners
};

/// The skeleton's own runs don't count; an answer without others is left out. Time grows with the square of the
/// owners.
Nearest nearest_pairs(const std::vector<Answer>& answers, const KnownTexts& known, std::size_t most);

}  // namespace grader
