#include "course/executor.hpp"

namespace grader {

Grading not_graded(const Submission& submission, const std::string& lab, Backend backend,
                   const std::string& now, const std::string& why) {
  Grading grading;
  grading.lab = lab;
  grading.level = submission.level;
  grading.origin = submission.origin;
  grading.submission = submission.folder.string();
  grading.sources_sha256 = submission.sha256;
  grading.backend = backend;
  grading.started_at = now;
  grading.verdict = Verdict::grader_fault;
  grading.notes = {why};
  return grading;
}

}  // namespace grader
