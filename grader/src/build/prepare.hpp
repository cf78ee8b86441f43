/// @file
/// Builds in advance what the programs of all labs share: the object with the functions of lab/, emucc's
/// precompiled headers, and the labs' oracles. They take half of the time of a lab's first check.
#pragma once
#include "build/build.hpp"

namespace grader {

/// Makes the shared parts that the cache lacks, for gradings and checks in emulation, on all cores. Compile
/// errors are not reported here, but by the first grading that needs the part.
/// @param labs the unchanged skeleton of each lab
/// @throws Error (environment) under the same conditions as build(), and after Ctrl-C
void prepare(const Kit& kit, const Toolchain& toolchain, const std::vector<Submission>& labs,
             const Progress& progress = {}, const Machine& machine = this_machine());

}  // namespace grader
