/// @file
/// `grader release`: proves that each level is the solution with blanks, and carries a change of the solution into
/// every level.
#pragma once
#include "workspace/skeleton.hpp"
#include "workspace/submission.hpp"

namespace grader {

/// All problems of a lab's levels, file by file: the problems that prove() finds in each skeleton, and
///   - a level without blanks, a part that counts at a level without a blank there, and a blank of a part
///     that does not count at its level
///   - a skeleton of a file that the solution lacks, and a file of solutions/ that has blanks at no level
///   - `complete` for a file that has blanks at that level, or that the solution lacks
///   - LAB_TODO or the mark of a blank in the solution or in given/
/// Problems name files by their paths in the kit.
/// @return empty when everything is proved
/// @throws Error (usage) for a missing solution folder or an unreadable file
std::vector<SkeletonProblem> prove_levels(const Kit& kit, const Lab& lab);

/// Stores the solution of a lab whose levels are proved, in the kit's state. carry_solution() needs it for a lab that
/// is not committed yet. @throws Error (environment) when it can't be written
void remember_proved(const Kit& kit, const Lab& lab);

/// What happened to one skeleton.
struct ReleasedFile {
  fs::path file;
  bool changed = false;                    ///< whether it was written
  std::vector<SkeletonProblem> conflicts;  ///< changes that could not be merged: the file is then unchanged
  std::vector<SkeletonProblem> notes;
};

/// Updates every skeleton to the solution. A skeleton that is no longer proved is merged by carry(). The base
/// is the last solution against which it was proved: the remembered one, or else the newest committed one
/// that fits. Each file is written atomically. Ctrl-C stops between two files.
/// @return the skeletons that were not proved before; prove_levels() reports remaining problems
/// @throws Error under the same conditions as prove_levels(); (environment) when a file can't be written
std::vector<ReleasedFile> carry_solution(const Kit& kit, const Lab& lab);

}  // namespace grader
