/// @file
/// A hunt in progress: what was drawn, what the student has answered, and the file that keeps it between commands.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "hunt/answer.hpp"

namespace grader {

struct HuntState {
  std::string student, program, mistake;
  std::uint64_t seed = 0;           ///< of plant()
  fs::path folder;                  ///< of the student's file
  bool line = false, clue = false;  ///< answered
  int wrong_answers = 0, hints = 0;
};

/// Right for spacing: all questions answered without a wrong answer, with one hint at most.
bool is_right(const HuntState& state, const Clue& clue);

nlohmann::json to_json(const HuntState& state);
/// @return none without the file, or where it or its hunt is of another kit
std::optional<HuntState> read_state(const fs::path& file, const Hunts& hunts);

/// "4-reverse": a new folder below `parent` with the program and hunt.cuh. @throws Error (environment)
fs::path lay_out_hunt(const fs::path& parent, const Hunts& hunts, const Planted& planted);

}  // namespace grader
