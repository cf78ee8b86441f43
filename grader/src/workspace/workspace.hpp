/// @file
/// A student's folder of one lab and level: made when it is first needed, put back, compared.
#pragma once
#include "workspace/submission.hpp"

namespace grader {

/// A workspace as it was found or made.
struct Workspace {
  fs::path folder;
  bool made = false;      ///< it was not there before
  std::string note = {};  ///< one sentence when the kit's skeleton has changed since it was made; or empty
};

/// Makes a student's folder with the level's skeleton when it is not there, with the note of what it is
/// (`.workspace.toml`: lab, level, the kit's version) and what editors need. Two at once make it once.
/// @throws Error (environment) when it can't be written; (usage) when it belongs to another lab or level
Workspace open_workspace(const Kit& kit, const Lab& lab, int level);

/// Writes the files of a level, or of the solution, into a folder; what else lies there stays.
/// @throws Error (environment)
void lay_out(const std::vector<LabFile>& files, const fs::path& folder);

/// Puts a level's skeleton back into the workspace; what was in it is kept as a backup first.
/// @param changed  set to whether anything differed
/// @return the backup's folder, empty when nothing differed or there was nothing to keep
/// @throws Error (environment) when the skeleton is missing or can't be written; nothing is lost then
fs::path reset_level(const Kit& kit, const Lab& lab, int level, bool* changed = nullptr);

/// One file that differs between the skeleton and a student's folder.
struct FileChange {
  fs::path name;
  bool added = false, removed = false;
  std::string diff;             ///< unified, without colours; empty for a file that is no text
  bool outside_blanks = false;  ///< changed where nothing was blank: allowed, but worth knowing
};

/// What a student has changed. @throws Error as read_submission(); (environment) without the program `diff`
std::vector<FileChange> workspace_changes(const Kit& kit, const Lab& lab, int level);

}  // namespace grader
