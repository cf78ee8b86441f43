/// @file
/// Which files a compiler read, and whether the lab allows them. Only the compiler knows: there are many ways to spell an include
/// that a reader of lines takes for something else.
#pragma once
#include <set>

#include "build/build.hpp"

namespace grader {

/// The files of a rule for make, as -MD writes it, without its target. The source is the first.
std::vector<fs::path> files_of_rule(std::string_view rule);

/// Looks among the files that a program's compilers read for one to which no allowed header leads, and which is none of the
/// submission's. What allowed headers lead to, a compiler says as well; it is asked once for a kit and its lab.
/// @param read BuildResult::read
/// @return a sentence with its name; empty when all are allowed
/// @throws Error (environment) as build() does; (fault) when the allowed headers don't compile
std::string forbidden_file(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
                           Backend backend, Instrument instrument, const std::vector<fs::path>& read,
                           const Machine& machine = this_machine());

}  // namespace grader
