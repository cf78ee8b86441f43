/// @file
/// Reads and saves a student's files of one lab for the page. The version on disk is authoritative: a save
/// names the version that it replaces, and is refused if the disk has another one.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "workspace/submission.hpp"

namespace grader {

/// Bytes of the largest file that the page shows.
inline constexpr std::size_t largest_shown = 1 << 20;

class StudentFiles {
 public:
  StudentFiles(const Kit& kit, const Lab& lab, int level) : kit_(kit), lab_(lab), level_(level) {}

  /// The text files, sorted by name. If the student has no folder yet, those of the skeleton.
  /// @throws Error (usage) as read_submission()
  std::vector<SubmissionFile> all() const;
  /// No value if the lab has no such file.
  std::optional<SubmissionFile> find(const std::string& name) const;

  /// Saves a whole file if the version on disk has this digest; otherwise changes nothing. Creates the folder
  /// first.
  /// @return the text on disk if its version is another one; no value after a save
  /// @throws Error (usage) for an unknown file; (environment) when the file can't be written
  std::optional<std::string> save(const std::string& name, const std::string& text,
                                  const std::string& base) const;

  /// A text that changes if a file may have changed. It contains names, sizes and times of change.
  std::string stamp() const;

 private:
  fs::path folder() const { return workspace_folder(kit_, lab_, level_); }

  const Kit& kit_;
  const Lab& lab_;
  int level_;
};

/// {"name", "sha256", "text", "blanks": [{"name", "title", "parts", "begin", "end"}]}, where begin and end
/// are the lines of the marks. Also "note" if the marks of the blanks are damaged.
nlohmann::json file_json(const SubmissionFile& file);

}  // namespace grader
