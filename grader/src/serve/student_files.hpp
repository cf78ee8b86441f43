/// @file
/// A student's files of one lab, as the page reads and saves them. The disk has the authoritative version: a
/// save names the version that it replaces, and is refused if the disk has another one.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "workspace/submission.hpp"

namespace grader {

/// The size of the largest file that the page shows.
inline constexpr std::size_t largest_shown = 1 << 20;

class StudentFiles {
 public:
  StudentFiles(const Kit& kit, const Lab& lab, int level) : kit_(kit), lab_(lab), level_(level) {}

  /// The text files, sorted by name; those of the skeleton if the student has no folder yet. @throws Error
  /// (usage) as read_submission()
  std::vector<SubmissionFile> all() const;
  /// None if the lab has no such file.
  std::optional<SubmissionFile> find(const std::string& name) const;

  /// Saves a whole file, or nothing, if the disk's version has that digest. Creates the folder first. @return
  /// the disk's text if its version is another one; none after a save @throws Error (usage) for an unknown
  /// file; (environment) when it can't be written
  std::optional<std::string> save(const std::string& name, const std::string& text,
                                  const std::string& base) const;

  /// A text that differs if a file may have changed: made of names, sizes and times of change.
  std::string stamp() const;

 private:
  fs::path folder() const { return workspace_folder(kit_, lab_, level_); }

  const Kit& kit_;
  const Lab& lab_;
  int level_;
};

/// {"name", "sha256", "text", "blanks": [{"name", "title", "parts", "begin", "end"}]}; also "note" if the
/// marks of its blanks are damaged. begin and end are the lines of the marks.
nlohmann::json file_json(const SubmissionFile& file);

}  // namespace grader
