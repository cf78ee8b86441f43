/// @file
/// One run of one program for a table: its inputs, its verification, and the values of its columns.
#pragma once
#include "base/scratch.hpp"
#include "judge/judge.hpp"
#include "measure/measure.hpp"
#include "run/counting.hpp"

namespace grader {

/// The result of a run: its profile and output, or a sentence that says why they are missing.
struct Sample {
  std::string problem;  ///< empty: the output was right
  RunResult run;
};

class Sampler {
 public:
  /// @param setup, oracle those of the lab whose table is measured
  Sampler(const MeasureSetup& setup, fs::path oracle);

  /// Runs a program as the case declares, and verifies its output. An interrupted run has neither a profile nor a
  /// verdict.
  /// @param row the row's own case; a peer gets its inputs too. Cases with equal arguments have the same inputs in
  ///         one Sampler
  Sample verified(const fs::path& program, const Case& c, const Case& row);

  /// Runs a program with performance counters; its output was verified in another run.
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
  std::optional<std::vector<std::string>> data_args_;  ///< of data_
};

/// A column's value from a run. No value for work that the run did not do, nor for measures from elsewhere: ratios
/// come from other rows, counters and peers from separate runs.
std::optional<double> value_of(const Column& column, const RunResult& run);

/// The samples of a timer in a run's profile, in seconds.
std::vector<double> timer_samples(const RunResult& run, const std::string& name);

}  // namespace grader
