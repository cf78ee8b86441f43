/// @file
/// One run of one program for a table: its inputs, its verification, and the values of its columns.
#pragma once
#include "base/scratch.hpp"
#include "grade/judge.hpp"
#include "measure/measure.hpp"
#include "run/counting.hpp"

namespace grader {

/// What came of a run: values in a profile and in what was printed,
/// or a sentence that says why there are none.
struct Sample {
  std::string problem;  ///< empty: the output was right
  RunResult run;
};

class Sampler {
 public:
  /// @param setup, oracle of the lab whose table is measured
  Sampler(const MeasureSetup& setup, fs::path oracle);

  /// Runs a program as the case says and verifies what it wrote.
  /// Of a run that was interrupted neither is known.
  /// @param row the row's own case, whose inputs a peer gets too; cases with its arguments had the same
  ///        inputs before in this object
  Sample verified(const fs::path& program, const Case& c, const Case& row);

  /// Runs a program with performance counters; what it writes was verified in another run.
  /// @throws Error (environment) where a GPU's counters can't be had
  std::vector<LaunchCounts> counted(const fs::path& program, const Case& c);

  /// Runs a peer that verifies and times both sides itself (Peer::with), without a profiler in its way.
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

/// What a column has of a run; none for what the run did not do, and for measures that come from elsewhere: ratios
/// from other rows, counters and peers from runs of their own.
std::optional<double> value_of(const Column& column, const RunResult& run);

/// The samples of a timer in a run's profile, in seconds.
std::vector<double> timer_samples(const RunResult& run, const std::string& name);

}  // namespace grader
