/// @file
/// What a compilation needs of the kit itself: the headers that labs include, as they were when the grader was built, and what
/// emucc has beside it. Where one is gone, as after a build that stopped half-way, it is the kit's damage, and not the mistake
/// of the source that includes it.
#pragma once
#include "build/toolchain.hpp"

namespace grader {

/// @param diagnostics of a compilation that failed
/// @throws Error (fault) when they name a file of the kit that is not there
void refuse_damaged_kit(const Toolchain& toolchain, const std::string& diagnostics);

}  // namespace grader
