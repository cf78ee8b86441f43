/// @file
/// Creates, resets and compares a student's folder for one lab and level.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// A workspace, existing or new.
struct Workspace {
  fs::path folder;
  bool made = false;      ///< whether the workspace is new
  std::string note = {};  ///< a sentence if the kit's skeleton has changed since it was made; or empty
};

/// Creates a student's folder if it is missing: the level's skeleton, a note (`.workspace.toml`: lab, level,
/// the kit's version) and the editors' files. Two parallel calls create it only once.
/// @throws Error (environment) when the folder can't be written; (usage) when it belongs to another lab or level
Workspace open_workspace(const Kit& kit, const Lab& lab, int level);

/// Writes the files of a level, or of the solution, into a folder. Other files in the folder stay.
/// @throws Error (environment)
void lay_out(const std::vector<LabFile>& files, const fs::path& folder);

/// Restores a level's skeleton in the workspace after it has copied the workspace to a backup.
/// @param changed receives whether any file differed
/// @return the folder of the backup; empty if no file differed or there was no file to keep
/// @throws Error (environment) when the skeleton is missing or can't be written; no file is lost then
fs::path reset_level(const Kit& kit, const Lab& lab, int level, bool* changed = nullptr);

/// One file that differs between the skeleton and a student's folder.
struct FileChange {
  fs::path name;
  bool added = false, removed = false;
  std::string diff;             ///< unified, without colours; empty for a binary file
  bool outside_blanks = false;  ///< whether lines outside of the blanks changed, which is reported
};

/// A student's changes. @throws Error under the same conditions as read_submission(); (environment) when the program
/// `diff` is missing
std::vector<FileChange> workspace_changes(const Kit& kit, const Lab& lab, int level);

}  // namespace grader
