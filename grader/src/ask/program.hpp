/// @file
/// A student's right program as questions see it: one recorded run, its counters, the history of an element, and runs
/// of changed copies. Each run happens when it is first needed, and is kept.
#pragma once
#include <map>
#include <optional>

#include "check/checking.hpp"
#include "model/comparison.hpp"
#include "model/recording.hpp"

namespace grader {

/// An element of a global array that exactly one access of the recorded run writes.
struct ElementWrite {
  std::uint32_t array = 0;
  std::size_t element = 0;  ///< its position
  const TracedLaunch* launch = nullptr;
  const TracedBlock* block = nullptr;
  std::uint32_t thread = 0;  ///< linear, in its block
};

/// One thread's access in a step.
struct LaneAccess {
  std::uint32_t thread = 0;
  std::size_t element = 0;  ///< position of its first element
};
std::vector<LaneAccess> accesses_of(const TracedStep& step, const TracedArray& array);

/// The end of a changed program's run.
struct ChangedRun {
  bool compiles = false;
  bool ends = false;
  std::optional<bool> right;
  std::optional<std::size_t> first_wrong;  ///< position in the result
  std::vector<Finding> findings;           ///< under the checker
};

class AskedProgram {
 public:
  /// Runs the program under the tracer. The visible case with the largest arguments whose blocks are all recorded is
  /// taken, unless `case_id` names one.
  /// @throws Error (usage) for a program that is not right, or has no kernel
  AskedProgram(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
               const std::string& case_id, fs::path folder);

  const Submission& submission() const { return submission_; }
  const Case& its_case() const { return case_; }
  const Trace& trace() const { return trace_; }
  const std::vector<ElementWrite>& writes();
  /// Kernels and lines as the counters see them.
  const ComparedSide& counts();
  /// The thread writes of an element, as the recorder sees them; none where it does not know the array.
  const Recording* recorded(const TracedArray& array, std::size_t element);
  /// The run of a copy without these lines. @param instrument check, or none
  const ChangedRun& run_without(const TracedPlace& line, Instrument instrument);
  /// The text of a line of its files without comment and blanks at its ends; empty: unknown.
  std::string line_text(const std::string& file, unsigned line) const;
  /// Whether a line is one statement that can be left out: no declaration, and no branch's only statement.
  bool can_go(const TracedPlace& place) const;

  std::string element_text(const TracedArray& array, std::size_t element) const;
  /// "line 67", with its file where several files are in the trace.
  std::string place_text(const TracedPlace& place) const;

 private:
  BuildResult build_of(const Submission& submission, Instrument instrument) const;
  void trace_of(const Case& c);

  const Kit& kit_;
  const Toolchain& toolchain_;
  const Submission& submission_;
  fs::path folder_, oracle_;
  Case case_;
  CaseData data_;
  fs::path checked_;  ///< the program, built for the checker
  Trace trace_;
  std::optional<std::vector<ElementWrite>> writes_;
  std::optional<ComparedSide> counts_;
  std::map<std::string, std::optional<Recording>> recorded_;
  std::map<std::pair<TracedPlace, Instrument>, ChangedRun> changed_;
};

/// "(3,2,0)"
std::string thread_text(const TracedLaunch& launch, std::uint32_t thread);
std::string extents_text(const std::vector<unsigned>& extents);

}  // namespace grader
