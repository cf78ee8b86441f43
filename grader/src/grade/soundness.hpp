/// @file
/// Tests, after the grading of one hand-in has failed, whether the kit and the machine still work. The answer
/// decides whether the class continues without this hand-in, so nothing that the submission does or prints
/// affects it.
#pragma once
#include "build/build.hpp"
#include "process/machine.hpp"

namespace grader {

/// Compiles the lab's unchanged skeleton.
BuildResult build_skeleton(const Kit& kit, const Toolchain& toolchain, const Lab& lab, int level,
                           Backend backend, const Machine& machine);

/// Compiles and runs one of the kit's own programs, and checks the free disk space. Takes about a second.
/// Throws no exception.
bool is_sound(const Kit& kit, const Toolchain& toolchain, const Lab& lab, int level, Backend backend,
              const Machine& machine);

}  // namespace grader
