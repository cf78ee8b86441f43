/// @file
/// Winnowing: S. Schleimer, D. S. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document Fingerprinting",
/// SIGMOD 2003, https://doi.org/10.1145/872757.872770. Of all runs of `gram` tokens it keeps a few, chosen by their hashes
/// alone, so that texts which share a passage keep the same ones wherever it stands.
#pragma once
#include "similarity/tokens.hpp"

namespace grader {

/// What is guaranteed: a passage of at least shortest_found() tokens that two texts share is found, and a passage shorter than
/// `gram` never is.
struct Winnowing {
  unsigned gram = 10;   ///< tokens in a run that is hashed: about one statement
  unsigned window = 7;  ///< of so many runs in a row one is kept

  unsigned shortest_found() const { return gram + window - 1; }
};

struct Fingerprint {
  std::uint64_t hash = 0;
  std::size_t at = 0;  ///< its first token

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// The hash of each run of `length` tokens, by its first one; empty when there are fewer.
std::vector<std::uint64_t> grams(const std::vector<Token>& tokens, unsigned length);

/// The smallest hash of each window, the rightmost of equals; a text of fewer runs than a window has one.
std::vector<Fingerprint> winnow(const std::vector<std::uint64_t>& grams, unsigned window);

}  // namespace grader
