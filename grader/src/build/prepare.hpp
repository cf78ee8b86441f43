/// @file
/// What programs of all labs share, made before anybody waits for it: the object of lab/'s functions, emucc's precompiled
/// headers, and the labs' oracles. They are half of what a first check of a lab compiles.
#pragma once
#include "build/build.hpp"

namespace grader {

/// Makes those that are not in the cache, for the emulation as a grading and as a check want them, on all cores. What does not compile is left to the
/// grading that meets it, which says so.
/// @param labs each lab's files as it is handed out
/// @throws Error (environment) as build() does, and after Ctrl-C
void prepare(const Kit& kit, const Toolchain& toolchain, const std::vector<Submission>& labs,
             const Progress& progress = {}, const Machine& machine = this_machine());

}  // namespace grader
