/// @file
/// Executors grade the attempts of a class: on this machine (local_executor.hpp) or on the nodes of a cluster
/// (slurm_executor.hpp). For all executors, course.hpp decides which attempts are graded and recorded, and
/// computes the marks.
#pragma once
#include <functional>

#include "catalog/catalog.hpp"
#include "model/grading.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// One attempt to grade.
struct WorkItem {
  std::string id;  ///< hash of the owner and of all graded files; the same in each run of the same command
  Submission submission;  ///< has no files if `read` returns them, so that a large class fits into memory
  std::function<Submission()> read = {};
  int attempt = 1;  ///< number of the student's attempt, from 1

  /// The submission with its files. @throws the exceptions of `read`
  Submission whole() const { return read ? read() : submission; }
};

/// A grading for an attempt that could not be graded, with the reason as its note.
Grading not_graded(const Submission& submission, const std::string& lab, Backend backend,
                   const std::string& now, const std::string& why);

/// A hash of everything besides the submissions on which a class's results depend: the kit's version, the
/// class's secret, the lab's files and gold.
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

/// Grades nothing, so that the class consists of the attempts that are on record.
class OnRecord final : public Executor {
 public:
  void grade_all(const std::vector<WorkItem>&, const Done&) override {}
};

}  // namespace grader
