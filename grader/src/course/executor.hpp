/// @file
/// Where the attempts of a class are graded: on this machine (local_executor.hpp) or on the nodes of a cluster
/// (slurm_executor.hpp). course.hpp decides for all executors which attempts are graded and recorded, and the marks.
#pragma once
#include <functional>

#include "catalog/catalog.hpp"
#include "model/grading.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// One attempt to grade.
struct WorkItem {
  std::string id;  ///< hash of the owner and of all graded files: the same in each run of the same command
  Submission
      submission;  ///< without its files where `read` returns them: a class of thousands is not held in memory
  std::function<Submission()> read = {};
  int attempt = 1;  ///< number of the student's attempt

  /// With its files. @throws what `read` throws
  Submission whole() const { return read ? read() : submission; }
};

/// The grading of an attempt that could not be graded, with the reason as its note.
Grading not_graded(const Submission& submission, const std::string& lab, Backend backend,
                   const std::string& now, const std::string& why);

/// A hash of all that a class's results depend on besides the submissions: the kit's version, the class's secret, the
/// lab's files and gold.
std::string results_state(const Kit& kit, const Lab& lab, const std::string& secret);

class Executor {
 public:
  virtual ~Executor() = default;

  /// Called for each item as soon as it is graded, by one thread at a time.
  using Done = std::function<void(std::size_t item, Grading grading)>;

  /// Grades all items. An item that could not be graded gets a grading that says so (grader_fault).
  /// @throws Error (environment) when grading must stop here, or after Ctrl-C; and exceptions of `done`
  virtual void grade_all(const std::vector<WorkItem>& items, const Done& done) = 0;
};

/// Grades nothing: a class then consists of the attempts that are on record.
class OnRecord final : public Executor {
 public:
  void grade_all(const std::vector<WorkItem>&, const Done&) override {}
};

}  // namespace grader
