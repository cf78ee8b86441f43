/// @file
/// Where the attempts of a class are graded: on this machine (local_executor.hpp) or on the nodes of a cluster
/// (slurm_executor.hpp). What is graded, what is recorded, and what marks follow, course.hpp decides for all of them.
#pragma once
#include <functional>

#include "model/grading.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// One attempt that is to be graded.
struct WorkItem {
  std::string id;  ///< of whose it is and of all that is graded: the same in each run of the same command
  Submission
      submission;  ///< without its files where `read` gives them: a class of thousands is not held in memory
  std::function<Submission()> read = {};
  int attempt = 1;  ///< of its student

  /// With its files. @throws what `read` throws
  Submission whole() const { return read ? read() : submission; }
};

/// Of an attempt that could not be graded, with the reason as its note.
Grading not_graded(const Submission& submission, const std::string& lab, Backend backend,
                   const std::string& now, const std::string& why);

class Executor {
 public:
  virtual ~Executor() = default;

  /// Told of each item as soon as it is graded, by one thread at a time.
  using Done = std::function<void(std::size_t item, Grading grading)>;

  /// Grades all. What could not be graded gets a grading that says so (grader_fault).
  /// @throws Error (environment) when no more can be graded here, or after Ctrl-C; and what `done` throws
  virtual void grade_all(const std::vector<WorkItem>& items, const Done& done) = 0;
};

}  // namespace grader
