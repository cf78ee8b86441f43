/// @file
/// The text of --help, generated from the declared commands.
#pragma once
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace grader {

/// All commands, by group. No line is wider than 80 columns.
std::string help_of_all(const std::vector<Command>& commands);

/// The options and arguments of one command.
std::string help_of(const Command& command);

}  // namespace grader
