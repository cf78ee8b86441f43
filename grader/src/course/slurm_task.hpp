/// @file
/// A task of the array on its node: grades its share, and writes each grading to the spool as soon as it is done.
#pragma once
#include "build/toolchain.hpp"
#include "course/spool.hpp"

namespace grader {

/// The node's own folder for builds and caches, shared by this user's tasks on the node. Created here.
/// @param scratch parent folder; empty: $TMPDIR, or /tmp
/// @throws Error (environment) when it can't be made, or another user owns a folder of its name
fs::path node_folder(const fs::path& scratch);

/// @param round the folder of the round, as the job's script names it
/// @throws Error as LocalExecutor::grade_all(): attempts graded before are in the spool
void grade_share(const Kit& kit, const Toolchain& toolchain, const Lab& lab, const fs::path& round, int task,
                 Share share);

}  // namespace grader
