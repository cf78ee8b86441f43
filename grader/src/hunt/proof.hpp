/// @file
/// Proves hunts: each mistake has one visible cause, two ways of finding the answers agree, and the repair is
/// right.
#pragma once
#include "hunt/answer.hpp"

namespace grader {

struct HuntProof {
  Planted planted;
  std::vector<std::string> problems;  ///< a sentence for each problem; empty: proved
  Clue::About clue = Clue::About::nothing;
  bool found = false;  ///< whether the checker found the mistake; else the result showed it
};

/// Proves the repair, which is the right program with the same sizes: its result is right, and the checker
/// has no findings.
/// @return the problems as sentences; empty when everything is proved
std::vector<std::string> prove_repair(const HuntBench& bench, const Planted& planted, const fs::path& folder);
HuntProof prove_hunt(const HuntBench& bench, Planted planted, const fs::path& folder);

}  // namespace grader
