/// @file
/// Checks that the lab allows all files that a compiler read. Only the compiler knows them: some spellings of an
/// include look like other text to a scanner of lines.
#pragma once
#include <set>

#include "build/build.hpp"

namespace grader {

/// The files of a make rule from -MD, without its target. The source is the first.
std::vector<fs::path> files_of_rule(std::string_view rule);

/// Finds a file read by a program's compilers that no allowed header includes, and that is not in the submission. The
/// compiler lists the files of the allowed headers too, once for a kit and its lab.
/// @param read BuildResult::read
/// @return a sentence with the file's name; empty when all are allowed
/// @throws Error (environment) as build() does; (fault) when the allowed headers don't compile
std::string forbidden_file(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
                           Backend backend, Instrument instrument, const std::vector<fs::path>& read,
                           const Machine& machine = this_machine());

}  // namespace grader
