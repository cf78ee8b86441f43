/// @file
/// What a git clone says of itself. A clone is a stranger's: its configuration may name programs for nearly everything that git
/// does. So git runs in the sandbox, with one command that reads one object, and without whatever could start anything.
#pragma once
#include <ctime>
#include <optional>

#include "process/machine.hpp"

namespace grader {

bool is_git_clone(const fs::path& folder);

/// When the last commit of a clone was made, as its author's machine said; nothing when it can't be read.
std::optional<std::time_t> last_commit(const fs::path& clone, const Machine& machine = this_machine());

}  // namespace grader
