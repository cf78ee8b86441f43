/// @file
/// Reads facts from a git clone. A clone may be hostile: its configuration may name programs for nearly every
/// command of git. So git runs in the sandbox, reads one object with one command, and can't start any
/// program.
#pragma once
#include <ctime>
#include <map>
#include <optional>
#include <string>

#include "process/machine.hpp"

namespace grader {

/// Variables with which git reads no configuration of the machine or of a user, fetches nothing and asks nothing.
std::map<std::string, std::string> quiet_git();

bool is_git_clone(const fs::path& folder);

/// The time of a clone's last commit by its author's clock. No value if it can't be read.
std::optional<std::time_t> last_commit(const fs::path& clone, const Machine& machine = this_machine());

}  // namespace grader
