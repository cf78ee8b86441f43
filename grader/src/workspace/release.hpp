/// @file
/// `grader release`: writes labs/*/level*/ from solutions/; `--check` says what differs and writes nothing.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// One file of an annotated solution.
struct SolutionFile {
  fs::path name;          ///< relative to `solutions/<lab>/`
  std::string annotated;  ///< with its markers
};

/// Whether students' programs are made of such a file: .cu, .cpp, and what they include (.cuh, .h, .hpp,
/// .inl).
bool is_source(const fs::path& file);
/// Whether a compiler is given such a file: .cu, .cpp.
bool is_program_source(const fs::path& file);

/// The sources directly in `solutions/<lab>/`, sorted by name. wrong.toml and other files beside them are not
/// part of it.
/// @throws Error (usage) for a missing solution folder, and for one without a .cu or .cpp file
std::vector<SolutionFile> solution_files(const Kit& kit, const Lab& lab);

/// Folder of a level's skeleton: `labs/<lab>/level<n>`.
fs::path level_folder(const Kit& kit, const Lab& lab, int level);

/// One file that a level's folder must hold.
struct SkeletonFile {
  fs::path path;  ///< absolute, below `labs/<lab>/level<n>/`
  std::string text;
};

/// What a level of a lab must hold, from `solutions/<lab>/`.
/// @throws Error (usage) for broken markers, for a part of lab.toml that no source marks, for a missing
/// solution folder
std::vector<SkeletonFile> skeleton_files(const Kit& kit, const Lab& lab, int level);

/// What release did, or, with check, would have to do.
struct ReleaseChange {
  enum class Kind { missing, differs, stray } kind;
  fs::path path;
  unsigned first_line = 0;  ///< first line that differs
  /// Where the file's old text was kept, since it was neither the skeleton nor what is committed: a student's
  /// work.
  fs::path backup = {};
  /// A stray file that is not committed as it stands: it may be a student's, so it was left where it is.
  bool left_alone = false;
};

/// Brings `labs/<lab>/level*/` in line with `solutions/<lab>/`. Each file is written whole or not at all;
/// Ctrl-C ends between two files, and the next release goes on from there.
/// @param check compare only
/// @return the changes; with check, an empty list means that everything committed is what the solutions give
/// @throws Error as skeleton_files(), before anything is written; (environment) when a file can't be written
std::vector<ReleaseChange> release(const Kit& kit, const Lab& lab, bool check);

}  // namespace grader
