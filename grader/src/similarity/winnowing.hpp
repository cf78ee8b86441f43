/// @file
/// Winnowing: S. Schleimer, D. S. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document
/// Fingerprinting", SIGMOD 2003, https://doi.org/10.1145/872757.872770. It keeps a few of all runs of `gram`
/// tokens, and chooses them only by their hashes. So two texts with a common passage keep the same runs of
/// this passage.
#pragma once
#include "similarity/tokens.hpp"

namespace grader {

/// The parameters of winnowing. A common passage of at least shortest_found() tokens is always found; a passage
/// shorter than `gram` is never found.
struct Winnowing {
  unsigned gram = 10;   ///< tokens in a run that is hashed: about one statement
  unsigned window = 7;  ///< one of this many consecutive runs is kept

  unsigned shortest_found() const { return gram + window - 1; }
};

struct Fingerprint {
  std::uint64_t hash = 0;
  std::size_t at = 0;  ///< index of its first token

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// The hash of each run of `length` tokens, by its first token; empty if there are fewer tokens.
std::vector<std::uint64_t> grams(const std::vector<Token>& tokens, unsigned length);

/// The smallest hash of each window; of equal hashes, the rightmost. A text with fewer runs than a window has one
/// fingerprint.
std::vector<Fingerprint> winnow(const std::vector<std::uint64_t>& grams, unsigned window);

}  // namespace grader
