/// @file
/// The proof of hunts: each mistake has one visible cause, its answers found in two ways agree, and its repair is
/// right.
#pragma once
#include "hunt/answer.hpp"

namespace grader {

struct HuntProof {
  Planted planted;
  std::vector<std::string> problems;  ///< sentences; empty: proved
  Clue::About clue = Clue::About::nothing;
  bool found = false;  ///< whether the checker found it; else the result showed it
};

/// Proves the repair, which is the right program of the same sizes: its result is right, and the checker finds
/// nothing.
/// @return the problems as sentences; empty when everything is proved
std::vector<std::string> prove_repair(const HuntBench& bench, const Planted& planted, const fs::path& folder);
HuntProof prove_hunt(const HuntBench& bench, Planted planted, const fs::path& folder);

}  // namespace grader
