/// @file
/// Whether the kit and the machine still do their work, asked when grading one hand-in has failed. What a submission does or prints
/// is no part of the answer: it decides whether a class stops, or goes on without this hand-in.
#pragma once
#include "build/build.hpp"
#include "process/machine.hpp"

namespace grader {

/// Does the lab's skeleton compile as it is handed out?
BuildResult build_skeleton(const Kit& kit, const Toolchain& toolchain, const Lab& lab, int level,
                           Backend backend, const Machine& machine);

/// Compiles and runs a program of the kit's own, and looks for room on the disk. Takes about a second. @throws nothing
bool is_sound(const Kit& kit, const Toolchain& toolchain, const Lab& lab, int level, Backend backend,
              const Machine& machine);

}  // namespace grader
