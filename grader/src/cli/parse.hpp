/// @file
/// Parses the words of a command line into the values of a command's options.
#pragma once
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace grader {

enum class Parsed { to_run, to_help };

/// Parses the words after a command's name into its options, and into the session's flags. With --help or -h
/// it sets no value.
/// @throws Error (usage) with a sentence about the mistake, and the command that prints help
Parsed parse(const Command& command, const std::vector<std::string>& words, Session& session);

}  // namespace grader
