/// @file
/// A grading as it comes out, as plain data: what becomes of a submission, its parts and its cases.
///
/// These types own no resources, so that they can be copied between threads,
/// kept in tests, and written as JSON (json.hpp).
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/filesystem.hpp"
#include "model/finding.hpp"
#include "model/lab.hpp"

namespace grader {

/// What became of a case, or of a whole submission
/// (then: the most telling of its cases; score.hpp has the order).
enum class Verdict {
  passed,
  wrong_answer,        ///< ran, and the output is not the expected one
  finding,             ///< the checker found a mistake, whatever the output was
  requirement_failed,  ///< right output, but a Requirement does not hold
  todo,                ///< a part is still to do
  no_output,           ///< ran to its end and wrote no (readable) output
  compile_error,
  crash,  ///< died of a signal, or reported a CUDA error
  time_out,
  memory_limit,
  output_limit,  ///< flooded its output or the disk
  process_limit,
  unsupported,   ///< the backend or the device can't run this case
  grader_fault,  ///< the kit is broken, so nothing may be concluded; never the student's loss
};
const char* to_string(Verdict verdict);  ///< "wrong_answer": the JSON form
const char* words(Verdict verdict);      ///< "wrong answer": the form for people

/// Begins the note of a grading that left something unchecked: somebody has to look.
inline constexpr const char* not_checked = "Not checked";

/// A blank that is still in a source: a LAB_TODO(n) call.
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

/// How an output differs from what was expected.
struct Mismatch {
  std::size_t wrong = 0;  ///< number of wrong elements (rows, for a Freivalds check)
  std::size_t total = 0;
  std::vector<WrongElement> first;  ///< at most 8
  /// Machine name of the pattern, empty when none fits: "transposed", "zeros", "unwritten", "nan",
  /// "rows-from", "columns-from", "scaled", "shifted", "swapped-inputs", …
  std::string pattern;
  std::string explanation;  ///< the pattern in a sentence, with its likely cause
};

/// What became of one case.
struct CaseResult {
  std::string id;
  Visibility visibility = Visibility::visible;
  Verdict verdict = Verdict::grader_fault;
  double points = 0;  ///< weight earned
  double max_points = 0;
  std::string message;    ///< one sentence for people
  std::string next_step;  ///< what to look at now; may be empty
  std::optional<Mismatch> mismatch;
  double wall_s = 0;                ///< the program's run
  std::map<Measure, double> times;  ///< of a passed, visible case: h2d, kernel and d2h, seconds on the device
  std::string output_excerpt;       ///< end of what it printed, when that helps
  std::vector<Finding> findings;    ///< of the checker, the most important first
  bool checker_silent =
      false;  ///< it found nothing that explains a wrong case, or the lab has it look at other cases only
  std::string element =
      {};  ///< "P[2][3]": a wrong one whose story the checker's recorder can tell; empty: none
};

/// What became of one part: its points, in proportion to the weight of the passed cases that prove it.
struct PartResult {
  int id = 0;
  std::string title;
  double points = 0;
  double max_points = 0;
  bool todo = false;
};

/// Where the graded sources came from.
enum class Origin { student, solution, folder };
const char* to_string(Origin origin);

/// One grading, whole. What `record` keeps and `report` prints.
struct Grading {
  bool check = false;  ///< made by `grader check`: it has findings, and no points
  std::string lab;
  int level = 1;
  Origin origin = Origin::student;
  std::string submission;      ///< folder that was graded
  std::string sources_sha256;  ///< of names and contents
  Backend backend = Backend::emu;
  std::string device;
  std::string started_at;  ///< UTC, ISO 8601
  Verdict verdict = Verdict::grader_fault;
  double points = 0;
  double max_points = 0;
  std::vector<Todo> todo;
  std::vector<PartResult> parts;
  std::vector<CaseResult> cases;
  std::string diagnostics;  ///< compiler output when it did not compile, or its warnings
  std::vector<std::string>
      notes;                ///< what the reader should know: an unprotected run, a backend that was chosen
  std::string time_source;  ///< Profile::source of the cases' times; empty: none was measured
  std::string kit_version;  ///< of the grader
  std::string sandbox;      ///< "whole", "partly" or "none": what confined the submission's programs
  double build_s = 0;
  double run_s = 0;
  double total_s = 0;  ///< wall clock of the whole grading; total - build - run is the grader's own
};

/// Whether a grading may count: not where the kit was at fault in any of its cases. It has no points then, is never the
/// best, and says nothing of what the next one may say.
bool is_graded(const Grading& grading);

}  // namespace grader
