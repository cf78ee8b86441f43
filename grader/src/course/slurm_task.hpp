/// @file
/// What a task of the array does on its node: grades its share, and leaves each grading in the spool as soon as it is there.
#pragma once
#include "build/toolchain.hpp"
#include "course/spool.hpp"

namespace grader {

/// The node's own folder for building and for caches, which this user's tasks on it share. Made here.
/// @param scratch where; empty: $TMPDIR, or /tmp
/// @throws Error (environment) when it can't be made, or another user made one of its name
fs::path node_folder(const fs::path& scratch);

/// @param round the folder of the round, as the job's script names it
/// @throws Error as LocalExecutor::grade_all(): what was graded until then is in the spool
void grade_share(const Kit& kit, const Toolchain& toolchain, const Lab& lab, const fs::path& round, int task,
                 Share share);

}  // namespace grader
