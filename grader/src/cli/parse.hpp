/// @file
/// From the words of a command line to the values of a command's options.
#pragma once
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace grader {

enum class Parsed { to_run, to_help };

/// Reads the words behind a command's name into its options, and into the session's flags. With --help or -h nothing
/// is read.
/// @throws Error (usage): what is wrong in one sentence, and the command whose help says more
Parsed parse(const Command& command, const std::vector<std::string>& words, Session& session);

}  // namespace grader
