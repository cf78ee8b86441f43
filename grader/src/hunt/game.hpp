/// @file
/// A hunt in progress: the drawn mistake, the student's answers, and the file that keeps both between commands.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "hunt/answer.hpp"

namespace grader {

struct HuntState {
  std::string student, program, mistake;
  std::uint64_t seed = 0;           ///< the seed for plant()
  fs::path folder;                  ///< the folder of the student's file
  bool line = false, clue = false;  ///< whether these questions are answered
  int wrong_answers = 0, hints = 0;
};

/// Whether the hunt counts as right when the next kind is chosen: the student answered all questions without
/// a wrong answer and with at most one hint.
bool is_right(const HuntState& state, const Clue& clue);

nlohmann::json to_json(const HuntState& state);
/// @return no value if the file is missing, or if it or its hunt belongs to another kit
std::optional<HuntState> read_state(const fs::path& file, const Hunts& hunts);

/// Writes the program and hunt.cuh to a new folder below `parent`, such as "4-reverse". @throws Error
/// (environment)
fs::path lay_out_hunt(const fs::path& parent, const Hunts& hunts, const Planted& planted);

}  // namespace grader
