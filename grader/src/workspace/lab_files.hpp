/// @file
/// The places of a lab's sources, and the files of a program.
///
///     labs/<lab>/given/     files without blanks at any level: stored once, for the solution and every level
///     solutions/<lab>/      the other files, complete
///     labs/<lab>/level<n>/  the files that have blanks at that level
///
/// The solution is given/ and solutions/. A level is given/ and, for each file of solutions/: its skeleton at that
/// level; or the solution's file, where lab.toml says that it is `complete` there; or else the skeleton of the
/// nearest level that has one, higher levels first, whose blanks then don't count. So a level never contains an
/// answer unless its author declares it. A kit for students has no solutions/: there a level's folder holds all its
/// files.
#pragma once
#include <set>

#include "catalog/catalog.hpp"

namespace grader {

/// Whether a file is part of students' programs: .cu, .cpp, and what they include (.cuh, .h, .hpp, .inl).
bool is_source(const fs::path& file);
/// Whether a file is compiled: .cu, .cpp.
bool is_program_source(const fs::path& file);
/// Whether students get the file beside the sources: data (.txt), and the old profiler's profile_config.
bool is_companion(const fs::path& file);

/// In the solution's folder: answers to the questions of the handout, never given to students.
inline constexpr const char* answers_file = "ANSWERS.md";

fs::path given_folder(const Kit& kit, const Lab& lab);
fs::path level_folder(const Kit& kit, const Lab& lab, int level);
fs::path solution_folder(const Kit& kit, const Lab& lab);

/// One source of a program.
struct LabFile {
  fs::path name;    ///< relative to the program's folder
  fs::path origin;  ///< path in the kit
  std::string text;
};

/// Sources and their companions directly in a folder, sorted by name; none where there is no such folder.
/// @throws Error (usage) for an unreadable file, or one larger than 4 MiB
std::vector<LabFile> sources_in(const fs::path& folder);

/// The solution's program, sorted by name.
/// @throws Error (usage) for a missing solution folder, a file that is also in given/, and when there is no .cu or
///         .cpp file
std::vector<LabFile> solution_files(const Kit& kit, const Lab& lab);

/// A level's program as students get it, sorted by name. From level 2 on, comments that name the grading command get
/// the level: "grader lab2.1" becomes "grader lab2.1.2".
/// @throws Error (usage) as solution_files(), and for a file without a skeleton at any level
std::vector<LabFile> level_files(const Kit& kit, const Lab& lab, int level);

/// Parts that a level neither requires nor gives: they are blank in files that it takes from another level.
std::set<int> parts_left_blank(const Kit& kit, const Lab& lab, int level);

/// The level whose skeleton of a file is used at `level`: itself, or the nearest one, higher levels first.
std::optional<int> level_with(const Kit& kit, const Lab& lab, int level, const fs::path& name);

}  // namespace grader
