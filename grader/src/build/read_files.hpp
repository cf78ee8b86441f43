/// @file
/// Checks that the lab allows all files that a compiler read. Only the compiler knows them, since a scanner
/// of lines may overlook an include that is written in an unusual way.
#pragma once
#include <set>

#include "build/build.hpp"

namespace grader {

/// The files in a make rule from -MD, without its target. The source is the first.
std::vector<fs::path> files_of_rule(std::string_view rule);

/// Finds a file that the compilers read for a program although no allowed header includes it and the
/// submission does not contain it. Once for each kit and lab, the compiler also lists the files of the
/// allowed headers.
/// @param read BuildResult::read
/// @return a sentence with the file's name; empty when all files are allowed
/// @throws Error (environment) under the same conditions as build(); (fault) when the allowed headers don't compile
std::string forbidden_file(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
                           Backend backend, Instrument instrument, const std::vector<fs::path>& read,
                           const Machine& machine = this_machine());

}  // namespace grader
