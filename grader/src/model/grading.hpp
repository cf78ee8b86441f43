/// @file
/// The result of a grading as plain data: the submission, its parts and its cases.
///
/// These types own no resources, so that they can be copied between threads, stored in tests, and written as JSON
/// (json.hpp).
#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/filesystem.hpp"
#include "model/finding.hpp"
#include "model/lab.hpp"

namespace grader {

/// The result of a case or of a whole submission. A submission has the most informative verdict of its cases;
/// score.hpp defines the order.
enum class Verdict {
  passed,
  wrong_answer,        ///< ran, and the output is not the expected one
  finding,             ///< the checker found a mistake, whether or not the output is right
  requirement_failed,  ///< right output, but a Requirement does not hold
  todo,                ///< a part is still blank
  no_output,           ///< ran to its end without a (readable) output
  compile_error,
  crash,  ///< died of a signal, or reported a CUDA error
  time_out,
  memory_limit,
  output_limit,  ///< wrote too much output or filled the disk
  process_limit,
  unsupported,   ///< this backend or device can't run the case
  grader_fault,  ///< the kit is broken, so no conclusion is possible; never costs the student points
};
const char* to_string(Verdict verdict);  ///< "wrong_answer": the JSON form
const char* words(Verdict verdict);      ///< "wrong answer": for people

/// The first words of the note on a grading with an unchecked part, which a person has to read.
inline constexpr const char* not_checked = "Not checked";

/// An unfilled blank in a source: a LAB_TODO(n) call.
struct Todo {
  int part = 0;
  fs::path file;  ///< relative to the submission
  unsigned line = 0;
};

/// One element that differs.
struct WrongElement {
  std::vector<std::size_t> index;  ///< coordinates in the output array, [row, column, …]
  std::string expected;
  std::string got;
};

/// How an output differs from the expected output.
struct Mismatch {
  std::size_t wrong = 0;  ///< number of wrong elements (rows, for a Freivalds check)
  std::size_t total = 0;
  std::vector<WrongElement> first;  ///< at most 8
  /// Machine name of the pattern: "transposed", "zeros", "unwritten", "nan", "rows-from", "columns-from",
  /// "scaled", "shifted", "swapped-inputs", … Empty if no pattern fits.
  std::string pattern;
  std::string explanation;  ///< the pattern in a sentence, with its likely cause
  std::string extent =
      {};  ///< a sentence of the lab's judge on `wrong` and `total`; empty: they count elements
};

/// Facts about a run that ended early. The message is made from them (judge/end_words.hpp).
struct RunEnd {
  std::string how;  ///< "exited", "signalled", "time_out" …: ProcessResult::End
  int code = 0;     ///< exit status, or signal number
  double limit_s = 0;
  std::uint64_t printed = 0;                          ///< bytes
  std::uint64_t peak_memory = 0;                      ///< bytes
  std::string first_line = {};                        ///< first line of its output
  std::string not_started = {};                       ///< why it could not be started
  std::string stop = {}, cuda_error = {}, todo = {};  ///< records of common/wire; empty: not sent
};

/// A line of a submission's source.
struct LineOfSource {
  std::string file;  ///< relative to the submission; empty: unknown
  unsigned line = 0;
};

/// The emulation's counts over all kernels of a case's run.
struct KernelCounts {
  std::int64_t sectors = 0;    ///< sectors of global memory, 32 bytes each, that were loaded or stored
  std::int64_t conflicts = 0;  ///< bank conflicts in shared memory
  std::int64_t barriers = 0;   ///< barriers that blocks completed
  auto operator<=>(const KernelCounts&) const = default;
};

/// The result of one case.
struct CaseResult {
  std::string id;
  Visibility visibility = Visibility::visible;
  Verdict verdict = Verdict::grader_fault;
  double points = 0;  ///< the weight that it earned
  double max_points = 0;
  std::string message;    ///< one sentence for people
  std::string next_step;  ///< advice; may be empty
  LineOfSource place;     ///< the access or call that ended the program
  std::optional<Mismatch> mismatch;
  double wall_s = 0;  ///< wall clock of the program's run
  std::map<Measure, double>
      times;                      ///< for a passed, visible case: h2d, kernel and d2h, seconds on the device
  std::string output_excerpt;     ///< the end of its output, if that helps
  std::vector<Finding> findings;  ///< the checker's findings, the most important first
  bool checker_silent =
      false;  ///< whether the checker found no cause for a wrong case, or does not check this case
  std::string element =
      {};  ///< "P[2][3]": a wrong element that the checker's recorder can explain; empty: none
  std::optional<RunEnd> ended = {};       ///< no value: the run reached its end
  std::optional<std::size_t> cause = {};  ///< index of the finding that explains a wrong result or a crash
  bool right_in_step = false;             ///< the result is right when the lanes of each warp run in lockstep
  std::optional<KernelCounts> counts = {};  ///< set if Case::counts needs a run with the counters
  bool right_before_check = false;          ///< the output is right, but the run under the checker failed
};

/// The result of one part: its points, in proportion to the weight of the passed cases that prove it.
struct PartResult {
  int id = 0;
  std::string title;
  double points = 0;
  double max_points = 0;
  bool todo = false;
};

/// The origin of the graded sources.
enum class Origin { student, solution, folder };
const char* to_string(Origin origin);

/// One whole grading, which `record` stores and `report` prints.
struct Grading {
  bool check = false;  ///< whether `grader check` made it: it has findings, and no points
  std::string lab;
  int level = 1;
  Origin origin = Origin::student;
  std::string submission;      ///< the folder that was graded
  std::string sources_sha256;  ///< hash of the files' names and contents
  Backend backend = Backend::emu;
  std::string device;
  std::string started_at;  ///< UTC, ISO 8601
  Verdict verdict = Verdict::grader_fault;
  double points = 0;
  double max_points = 0;
  std::vector<Todo> todo;
  std::vector<PartResult> parts;
  std::vector<CaseResult> cases;
  std::string diagnostics;         ///< compiler's output if it did not compile, or its warnings
  std::vector<std::string> notes;  ///< remarks for the reader: an unprotected run, the chosen backend
  std::string time_source;         ///< Profile::source of the cases' times; empty: there are none
  std::string kit_version;         ///< version of the grader
  std::string sandbox;  ///< how the submission's programs were confined: "whole", "partly" or "none"
  double build_s = 0;
  double run_s = 0;
  double total_s = 0;  ///< wall clock of the whole grading; total - build - run is the grader's own time
};

/// Whether a grading may count: false if the kit was at fault in any case. Then the grading has no points, is
/// never the best, and is not used to predict the next grading.
bool is_graded(const Grading& grading);

}  // namespace grader
