/// @file
/// Tests that kit and machine still work after the grading of one hand-in has failed. The submission's actions and
/// output have no influence on the answer, which decides whether the class stops or continues without this hand-in.
#pragma once
#include "build/build.hpp"
#include "process/machine.hpp"

namespace grader {

/// Compiles the lab's unchanged skeleton.
BuildResult build_skeleton(const Kit& kit, const Toolchain& toolchain, const Lab& lab, int level,
                           Backend backend, const Machine& machine);

/// Compiles and runs one of the kit's own programs, and checks the free disk space. Takes about a second. @throws
/// nothing
bool is_sound(const Kit& kit, const Toolchain& toolchain, const Lab& lab, int level, Backend backend,
              const Machine& machine);

}  // namespace grader
