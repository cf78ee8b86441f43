/// @file
/// A student's files of one lab as the page reads and saves them. The files on disk stay the truth: a save names the
/// version that it replaces, and is refused when the disk has another.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "workspace/submission.hpp"

namespace grader {

/// The largest file that the page shows.
inline constexpr std::size_t largest_shown = 1 << 20;

class StudentFiles {
 public:
  StudentFiles(const Kit& kit, const Lab& lab, int level) : kit_(kit), lab_(lab), level_(level) {}

  /// The text files, sorted by name; of the skeleton where there is no folder yet.
  /// @throws Error (usage) as read_submission()
  std::vector<SubmissionFile> all() const;
  /// None when the lab has no such file: any other path is no file of the student's.
  std::optional<SubmissionFile> find(const std::string& name) const;

  /// Saves a file whole or not at all, if the disk still has the version with that digest. Makes the folder first.
  /// @return the text on disk if it is another; none when it was saved
  /// @throws Error (usage) for an unknown file; (environment) when it can't be written
  std::optional<std::string> save(const std::string& name, const std::string& text,
                                  const std::string& base) const;

  /// Changes whenever a file may have: of names, sizes and times of change.
  std::string stamp() const;

 private:
  fs::path folder() const { return workspace_folder(kit_, lab_, level_); }

  const Kit& kit_;
  const Lab& lab_;
  int level_;
};

/// {"name", "sha256", "text", "blanks": [{"name", "title", "parts", "begin", "end"}]}, and "note" where the marks of its
/// blanks are damaged. begin and end are the lines of the marks.
nlohmann::json file_json(const SubmissionFile& file);

}  // namespace grader
