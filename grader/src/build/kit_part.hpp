/// @file
/// Parts of the kit that are built when they are first used, so that a first grading need not wait for them.
#pragma once
#include "build/build.hpp"

namespace grader {

/// Sees to the library that programs with this instrument are linked with. Where ./bootstrap built the kit it is built now if
/// it is missing, by the build folder's own script, which lets one process at a time build; a sentence on standard error says
/// so. An installed kit has it.
/// @throws Error (environment) when it can't be built
void need_library(const Machine& machine, const fs::path& emucc, Instrument instrument);

}  // namespace grader
