/// @file
/// Builds parts that programs of all labs share ahead of need: the object of lab/'s functions, emucc's precompiled
/// headers, and the labs' oracles. They are half of the work of a first check of a lab.
#pragma once
#include "build/build.hpp"

namespace grader {

/// Makes those that are not in the cache, for the emulation's gradings and checks, on all cores. Compile errors are
/// left to the grading that meets them.
/// @param labs the unchanged handout of each lab
/// @throws Error (environment) as build() does, and after Ctrl-C
void prepare(const Kit& kit, const Toolchain& toolchain, const std::vector<Submission>& labs,
             const Progress& progress = {}, const Machine& machine = this_machine());

}  // namespace grader
