/// @file
/// A task of the array, on its node: grades its share, and writes each grading to the spool as soon as it is
/// complete.
#pragma once
#include "build/toolchain.hpp"
#include "course/spool.hpp"

namespace grader {

/// Creates the node's own folder for builds and caches, which this user's tasks on the node share.
/// @param scratch parent folder; empty: $TMPDIR, or /tmp
/// @throws Error (environment) when it can't be created, or another user owns a folder with its name
fs::path node_folder(const fs::path& scratch);

/// @param round the folder of the round, as the job's script names it
/// @throws Error as LocalExecutor::grade_all(). Attempts that were graded before the exception are in the
///   spool
void grade_share(const Kit& kit, const Toolchain& toolchain, const Lab& lab, const fs::path& round, int task,
                 Share share);

}  // namespace grader
