#include "course/executor.hpp"

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "base/version.hpp"

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

std::string results_state(const Kit& kit, const Lab& lab, const std::string& secret) {
  Sha256 sha;
  sha.update(kit_version()).update(secret);
  for (const fs::path& file : list_files(lab.folder))
    sha.update(file.lexically_relative(lab.folder).string()).update(sha256_file(file));
  const fs::path gold = kit.gold() / lab.folder_name() / "manifest.toml";
  std::error_code failed;
  if (fs::exists(gold, failed)) sha.update(sha256_file(gold));
  return sha.hex_digest();
}

}  // namespace grader
