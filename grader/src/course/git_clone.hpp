/// @file
/// Reads facts from a git clone. A clone may be hostile: its configuration may name programs for nearly every
/// command of git. So git runs in the sandbox, reads one object with one command, and can't start any
/// program.
#pragma once
#include <ctime>
#include <optional>

#include "process/machine.hpp"

namespace grader {

bool is_git_clone(const fs::path& folder);

/// The time of a clone's last commit by its author's clock. No value if it can't be read.
std::optional<std::time_t> last_commit(const fs::path& clone, const Machine& machine = this_machine());

}  // namespace grader
