/// @file
/// Runs one program once for a table: its inputs, its verification, and the values of its columns.
#pragma once
#include "base/scratch.hpp"
#include "judge/judge.hpp"
#include "measure/measure.hpp"
#include "run/counting.hpp"

namespace grader {

/// The profile and output of a run, or a sentence that says why they are missing.
struct Sample {
  std::string problem;  ///< empty: the output was right
  RunResult run;
};

class Sampler {
 public:
  /// @param setup, oracle  those of the lab whose table is measured
  Sampler(const MeasureSetup& setup, fs::path oracle);

  /// Runs a program as the case declares, and verifies its output. If the run is interrupted, the result has
  /// neither a profile nor a verdict.
  /// @param row the row's own case, whose inputs a peer gets, too. In one Sampler, cases with equal arguments
  ///   have the same inputs
  Sample verified(const fs::path& program, const Case& c, const Case& row);

  /// Runs a program with performance counters. Its output was verified in another run.
  /// @throws Error (environment) when a GPU's counters are unavailable
  std::vector<LaunchCounts> counted(const fs::path& program, const Case& c);

  /// Runs a peer that verifies and times both sides itself (Peer::with), without a profiler.
  Sample in_turn(const fs::path& program, const Case& c);

 private:
  const CaseData& data_of(const Case& c);

  const MeasureSetup& setup_;
  const Lab& lab_;
  const fs::path oracle_;
  const ScratchFolder scratch_;
  CaseData data_;
  std::optional<std::vector<std::string>> data_args_;  ///< arguments for which data_ was made
};

/// A column's value from a run. No value if the run did no such work, or the value comes from elsewhere:
/// ratios from other rows, and counters and peers from separate runs.
std::optional<double> value_of(const Column& column, const RunResult& run);

/// The samples of a timer in a run's profile, in seconds.
std::vector<double> timer_samples(const RunResult& run, const std::string& name);

}  // namespace grader
