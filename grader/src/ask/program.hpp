/// @file
/// A student's right program as questions see it: one recorded run, its counters, the history of an element, and runs
/// of changed copies. Each run happens when it is first needed, and is kept.
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
  std::size_t element = 0;  ///< its position
  const TracedLaunch* launch = nullptr;
  const TracedBlock* block = nullptr;
  std::uint32_t thread = 0;  ///< linear, in its block
};

/// All writes of an element by threads of the run.
struct WrittenElement {
  std::size_t times = 0;
  bool one_thread = false;  ///< of one block
  bool in_parts = false;    ///< member by member
  ElementWrite last;
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
  /// Runs the program under the tracer. Of the cases of the lab's view, or of all visible ones of its level, the largest
  /// whose blocks are all recorded is taken, unless `case_id` names one.
  /// @throws Error (usage) for a program that is not right, or has no kernel
  AskedProgram(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
               const std::string& case_id, fs::path folder);

  const Submission& submission() const { return submission_; }
  const Case& its_case() const { return case_; }
  const Trace& trace() const { return trace_; }
  /// Those of elements that one thread of a launch writes, in launches that are recorded as a whole.
  const std::vector<ElementWrite>& writes();
  /// Elements that are written more than once; none in a run that is not recorded as a whole.
  const std::vector<WrittenElement>& rewritten();
  /// Elements of an array that a thread of a block writes, by their positions.
  const std::set<std::size_t>& written_by(const TracedBlock& block, std::uint32_t thread,
                                          std::uint32_t array);
  /// Kernels and lines as the counters see them.
  const ComparedSide& counts();
  /// Whether the counters have a launch: they leave out the first ones of a program that warms up.
  bool is_counted(const TracedLaunch& launch);
  /// The thread writes of an element, as the recorder sees them; none where it does not know the array.
  const Recording* recorded(const TracedArray& array, std::size_t element);
  /// The run of a copy without these lines. @param instrument check, or none
  const ChangedRun& run_without(const TracedPlace& line, Instrument instrument);
  /// The text of a line of its files without comment and blanks at its ends; empty: unknown.
  std::string line_text(const std::string& file, unsigned line) const;
  /// Whether a line names an array at most once, so that the order of its reads there is clear.
  bool reads_once(const TracedPlace& place, const TracedArray& array) const;
  /// Whether a line is one statement that can be left out: no declaration, and no branch's only statement.
  bool can_go(const TracedPlace& place) const;

  std::string element_text(const TracedArray& array, std::size_t element) const;
  /// The position of an element as the recorder names it.
  static std::size_t position_of(const TracedArray& array, const ElementName& element);
  /// "line 67", with its file where several files are in the trace.
  std::string place_text(const TracedPlace& place) const;
  /// " in launch 3 (sum)"; empty where the run has one launch.
  std::string launch_text(const TracedLaunch& launch) const;
  /// ", with the arguments 37 29"; empty without arguments
  std::string arguments_text() const;

 private:
  void find_writes();
  BuildResult build_of(const Submission& submission, Instrument instrument) const;
  void trace_of(const Case& c);
  /// Whether an array is declared with numbers as elements, or is the result.
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

/// "(3,2,0)"
std::string thread_text(const TracedLaunch& launch, std::uint32_t thread);
std::string extents_text(const std::vector<unsigned>& extents);

}  // namespace grader
