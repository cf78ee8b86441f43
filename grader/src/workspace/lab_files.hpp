/// @file
/// Where a lab's sources are, and which files make a program.
///
///     labs/<lab>/shared/    headers that the lab's programs and its oracle include
///     labs/<lab>/given/     other files without blanks at any level: stored once, for the solution and every level
///     solutions/<lab>/      the other files, complete
///     labs/<lab>/level<n>/  the files that have blanks at that level
///
/// The solution consists of shared/, given/ and solutions/. A level consists of shared/, given/ and, for each file of
/// solutions/, one of the following: its skeleton at that level; the solution's file, if lab.toml declares it
/// `complete` at that level; or else the skeleton of the nearest level that has one, higher levels first. The blanks of such a borrowed
/// skeleton don't count. So a level never contains an answer unless its author declares it. A kit for students has no
/// solutions/: a level's folder then contains all its files.
#pragma once
#include <set>

#include "catalog/catalog.hpp"

namespace grader {

/// Whether a file is part of students' programs: .cu, .cpp, and what they include (.cuh, .h, .hpp, .inl).
bool is_source(const fs::path& file);
/// Whether a file is compiled: .cu, .cpp.
bool is_program_source(const fs::path& file);
/// Whether students get the file besides the sources: data (.txt), and the old profiler's profile_config.
bool is_companion(const fs::path& file);

/// The file in the solution's folder with the answers to the questions of the handout. Students never get it.
inline constexpr const char* answers_file = "ANSWERS.md";

/// The folder of the headers that the oracle includes, too.
fs::path shared_folder(const Kit& kit, const Lab& lab);
fs::path given_folder(const Kit& kit, const Lab& lab);
fs::path level_folder(const Kit& kit, const Lab& lab, int level);
fs::path solution_folder(const Kit& kit, const Lab& lab);

/// One source of a program.
struct LabFile {
  fs::path name;    ///< relative to the program's folder
  fs::path origin;  ///< path in the kit
  std::string text;
};

/// The sources and their companions directly in a folder, sorted by name; empty if there is no such folder.
/// @throws Error (usage) for an unreadable file, or one larger than 4 MiB
std::vector<LabFile> sources_in(const fs::path& folder);

/// The files of a lab that have blanks at no level: those of shared/ and given/.
std::vector<LabFile> given_files(const Kit& kit, const Lab& lab);

/// The solution's program, sorted by name.
/// @throws Error (usage) when the solution folder is missing, two folders have a file of the same name, or there is
///         no .cu or .cpp file
std::vector<LabFile> solution_files(const Kit& kit, const Lab& lab);

/// A level's program as students get it, sorted by name. From level 2 on, comments that name the grading command get
/// the level: "grader lab2.1" becomes "grader lab2.1.2".
/// @throws Error (usage) under the same conditions as solution_files(), and for a file without a skeleton at any
///   level
std::vector<LabFile> level_files(const Kit& kit, const Lab& lab, int level);

/// The parts that a level neither requires nor gives: they are blank in a file that the level takes from
/// another level.
std::set<int> parts_left_blank(const Kit& kit, const Lab& lab, int level);

/// The level whose skeleton of a file is used at `level`: this level itself if it has one, or else the
/// nearest level, higher levels first.
std::optional<int> level_with(const Kit& kit, const Lab& lab, int level, const fs::path& name);

}  // namespace grader
