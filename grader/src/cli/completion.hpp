/// @file
/// Generates shell completion from the declared commands, so that it is always current. The script calls the program
/// for the names of labs.
#pragma once
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace grader {

/// A script for bash to source.
std::string bash_completion(const std::vector<Command>& commands);

/// A function file `_grader` for a folder in zsh's fpath; it can also be sourced.
std::string zsh_completion(const std::vector<Command>& commands);

}  // namespace grader
