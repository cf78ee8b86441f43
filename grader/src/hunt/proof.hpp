/// @file
/// The proof of hunts: each mistake has one cause that shows, its answers agree in two ways, and its repair is right.
#pragma once
#include "hunt/answer.hpp"

namespace grader {

struct HuntProof {
  Planted planted;
  std::vector<std::string> problems;  ///< sentences; empty: proved
  Clue::About clue = Clue::About::nothing;
  bool found = false;  ///< by the checker; else by the result
};

/// The repair, which is the right program of the same sizes: its result is right, and the checker finds nothing.
/// @return sentences; none: proved
std::vector<std::string> prove_repair(const HuntBench& bench, const Planted& planted, const fs::path& folder);
HuntProof prove_hunt(const HuntBench& bench, Planted planted, const fs::path& folder);

}  // namespace grader
