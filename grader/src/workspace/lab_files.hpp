/// @file
/// Where a lab's sources lie, and what a program of it is made of.
///
///     labs/<lab>/given/     what is blank at no level: it stands here once, for the solution and every level
///     solutions/<lab>/      the other files, complete
///     labs/<lab>/level<n>/  the files that have blanks at that level
///
/// The solution is given/ and solutions/. A level is given/ and, for each file of solutions/: its skeleton at
/// that level; or the solution's file, where lab.toml says that it is `complete` there; or else the skeleton of
/// the nearest level that has one, higher levels first, whose blanks then don't count. So a level never hands
/// out an answer unless its author says so. A kit for students has no solutions/: there a level's folder holds
/// all that is its own.
#pragma once
#include <set>

#include "catalog/catalog.hpp"

namespace grader {

/// Whether students' programs are made of such a file: .cu, .cpp, and what they include (.cuh, .h, .hpp, .inl).
bool is_source(const fs::path& file);
/// Whether a compiler is given such a file: .cu, .cpp.
bool is_program_source(const fs::path& file);
/// Whether students get such a file beside the sources: data (.txt), and the old profiler's profile_config.
bool is_companion(const fs::path& file);

/// In the solution's folder: answers to the questions of the handout, which no student is given.
inline constexpr const char* answers_file = "ANSWERS.md";

fs::path given_folder(const Kit& kit, const Lab& lab);
fs::path level_folder(const Kit& kit, const Lab& lab, int level);
fs::path solution_folder(const Kit& kit, const Lab& lab);

/// One source of a program.
struct LabFile {
  fs::path name;    ///< relative to the program's folder
  fs::path origin;  ///< where it lies in the kit
  std::string text;
};

/// Sources and their companions directly in a folder, sorted by name; none where there is no such folder.
/// @throws Error (usage) for one that can't be read, or is larger than 4 MiB
std::vector<LabFile> sources_in(const fs::path& folder);

/// The solution's program, sorted by name.
/// @throws Error (usage) for a missing solution folder, a file that stands in given/ too, and when there is no
///         .cu or .cpp file
std::vector<LabFile> solution_files(const Kit& kit, const Lab& lab);

/// A level's program as a student gets it, sorted by name. Where a comment names the command that grades the
/// lab, it names the level too, from level 2 on: "grader lab2.1" becomes "grader lab2.1.2".
/// @throws Error (usage) as solution_files(), and when a file is a skeleton nowhere
std::vector<LabFile> level_files(const Kit& kit, const Lab& lab, int level);

/// Parts that a level does not ask for and does not give either: they are blank in files that it gets from another one.
std::set<int> parts_left_blank(const Kit& kit, const Lab& lab, int level);

/// The level whose skeleton of a file serves at `level`: itself, or the nearest one, higher levels first.
std::optional<int> level_with(const Kit& kit, const Lab& lab, int level, const fs::path& name);

}  // namespace grader
