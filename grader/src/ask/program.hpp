/// @file
/// A student's right program, as questions see it: one recorded run, its counters, the history of an element,
/// and runs of changed copies. Each run happens when it is first needed, and its result is kept.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "check/checking.hpp"
#include "model/comparison.hpp"
#include "model/recording.hpp"

namespace grader {

/// A thread's write of an element of a global array.
struct ElementWrite {
  std::uint32_t array = 0;
  std::size_t element = 0;  ///< position in the array
  const TracedLaunch* launch = nullptr;
  const TracedBlock* block = nullptr;
  std::uint32_t thread = 0;  ///< linear index in its block
};

/// All writes of one element by threads of the run.
struct WrittenElement {
  std::size_t times = 0;
  bool one_thread = false;  ///< whether one thread of one block makes all writes
  bool in_parts = false;    ///< whether members are written separately
  ElementWrite last;
};

/// One thread's access in a step.
struct LaneAccess {
  std::uint32_t thread = 0;
  std::size_t element = 0;  ///< position of the first element that it accesses
};
std::vector<LaneAccess> accesses_of(const TracedStep& step, const TracedArray& array);

/// How the run of a changed program ended.
struct ChangedRun {
  bool compiles = false;
  bool ends = false;
  std::optional<bool> right;
  std::optional<std::size_t> first_wrong;  ///< position in the result; no value if none is wrong
  std::vector<Finding> findings;           ///< findings of a run under the checker
};

class AskedProgram {
 public:
  /// Runs the program under the tracer, on the case `case_id`. If this is empty, the case is the largest
  /// whose blocks are all recorded: first of those that the lab's view shows, then of all visible ones at the
  /// level.
  /// @throws Error (usage) for a program that is not right, or that has no kernel
  AskedProgram(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
               const std::string& case_id, fs::path folder);

  const Submission& submission() const { return submission_; }
  const Case& its_case() const { return case_; }
  const Trace& trace() const { return trace_; }
  /// The writes of elements that only one thread of a launch writes, in launches that are recorded
  /// completely.
  const std::vector<ElementWrite>& writes();
  /// The elements that are written more than once. Empty if the run is not recorded completely.
  const std::vector<WrittenElement>& rewritten();
  /// The positions of the elements of an array that a thread of a block writes.
  const std::set<std::size_t>& written_by(const TracedBlock& block, std::uint32_t thread,
                                          std::uint32_t array);
  /// The kernels and lines with their counts, according to the counters.
  const ComparedSide& counts();
  /// Whether the counters include a launch: they leave out the first launches of a program that warms up.
  bool is_counted(const TracedLaunch& launch);
  /// The recorder's view of an element. Null if the recorder does not know the array.
  const Recording* recorded(const TracedArray& array, std::size_t element);
  /// The run of a copy without this line. @param instrument Instrument::check or none
  const ChangedRun& run_without(const TracedPlace& line, Instrument instrument);
  /// The text of a line of the program, without its comment and surrounding blanks. Empty if unknown.
  std::string line_text(const std::string& file, unsigned line) const;
  /// Whether a line names an array at most once, so that the order of its reads is clear.
  bool reads_once(const TracedPlace& place, const TracedArray& array) const;
  /// Whether a line is one statement that can be left out: it is neither a declaration nor the only statement
  /// of a branch.
  bool can_go(const TracedPlace& place) const;

  std::string element_text(const TracedArray& array, std::size_t element) const;
  /// The position of an element that the recorder names by its indices.
  static std::size_t position_of(const TracedArray& array, const ElementName& element);
  /// "line 67". If the trace has several files, also the file.
  std::string place_text(const TracedPlace& place) const;
  /// " in launch 3 (sum)". Empty if the run has only one launch.
  std::string launch_text(const TracedLaunch& launch) const;
  /// ", with the arguments 37 29". Empty if there are none.
  std::string arguments_text() const;

 private:
  void find_writes();
  BuildResult build_of(const Submission& submission, Instrument instrument) const;
  void trace_of(const Case& c);
  /// Whether the elements of an array are declared as numbers, or the array is the result.
  bool is_scalar(const TracedArray& array) const;

  const Kit& kit_;
  const Toolchain& toolchain_;
  const Submission& submission_;
  fs::path folder_, oracle_;
  Case case_;
  CaseData data_;
  fs::path checked_;  ///< the program, built for the checker
  Trace trace_;
  std::optional<std::vector<ElementWrite>> writes_;
  std::vector<WrittenElement> rewritten_;
  std::map<std::tuple<const TracedBlock*, std::uint32_t, std::uint32_t>, std::set<std::size_t>> written_by_;
  std::optional<ComparedSide> counts_;
  std::map<std::string, std::optional<Recording>> recorded_;
  std::map<std::pair<TracedPlace, Instrument>, ChangedRun> changed_;
};

/// The threadIdx of a thread: "(3,2,0)".
std::string thread_text(const TracedLaunch& launch, std::uint32_t thread);
std::string extents_text(const std::vector<unsigned>& extents);

}  // namespace grader
