/// @file
/// Compares two programs on the same inputs, in emulation. Each program runs once under the counters, which see every
/// block, and once under the checker's tracer, which knows the arrays.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "model/comparison.hpp"
#include "run/run.hpp"

namespace grader {

struct RunToCompare {
  std::string name;  ///< "the solution"
  const Submission& submission;
  const Case& c;     ///< the case at its checking size
  fs::path oracle;   ///< the oracle of its lab
  fs::path counted;  ///< the program, built with Instrument::counters
  fs::path checked;  ///< the program, built with Instrument::check
};

/// Runs both programs on a's inputs.
/// @throws Error (usage) when b's case has other inputs, or nothing can be counted
RunsBeside compare_runs(const Kit& kit, const Toolchain& toolchain, const RunToCompare& a,
                        const RunToCompare& b, const fs::path& folder,
                        const Machine& machine = this_machine());

/// Reads the kernels and lines of the counters' report, which the student's process wrote. @return false when the
/// report is invalid
bool read_counters(ComparedSide& side, const std::string& report, const Submission& submission);

nlohmann::json to_json(const RunsBeside& comparison);

}  // namespace grader
