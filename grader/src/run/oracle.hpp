/// @file
/// Runs a lab's oracle, a program of the kit that draws inputs and computes expected results.
#pragma once
#include "model/lab.hpp"
#include "process/machine.hpp"

namespace grader {

/// Runs `oracle <options> <arguments of the case>`.
/// @throws Error (fault) when the oracle fails; (environment) when the disk is full or after Ctrl-C
void run_oracle(const Machine& machine, const Lab& lab, const Case& c, const fs::path& oracle,
                std::vector<std::string> options);

/// A file that the oracle should have written.
/// @throws Error (fault) when the file is missing
fs::path need_file_of_oracle(const Lab& lab, const Case& c, const fs::path& file);

}  // namespace grader
