/// @file
/// Ranks pairs of answers by the fraction of text that they share, for a person who wants to read the most
/// similar ones, even if they are short. It does not estimate how much of this is chance, as similarity.hpp
/// does.
#pragma once
#include "similarity/similarity.hpp"

namespace grader {

/// The two most similar answers of two owners.
struct NearPair {
  std::size_t a = 0, b = 0;  ///< index in the answers
  double shared = 0;  ///< the fraction of their runs of `near_gram` tokens that both have (Sørensen–Dice)
};

constexpr unsigned near_gram = 4;

struct Nearest {
  std::vector<NearPair> pairs;  ///< the most similar pair first
  double median = 0;            ///< median of `shared` over all pairs of owners
};

/// Finds the most similar pairs. Runs of tokens in the skeleton don't count, and an answer that has no other
/// runs is left out. The time grows with the square of the number of owners.
Nearest nearest_pairs(const std::vector<Answer>& answers, const KnownTexts& known, std::size_t most);

}  // namespace grader
