/// @file
/// Generates the scripts for shell completion from the declared commands, so that they are always up to date.
/// The scripts call the program to get the names of labs.
#pragma once
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace grader {

/// A script that bash sources.
std::string bash_completion(const std::vector<Command>& commands);

/// The file of the function `_grader`, for a folder in zsh's fpath. zsh can also source it.
std::string zsh_completion(const std::vector<Command>& commands);

}  // namespace grader
