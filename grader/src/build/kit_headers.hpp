/// @file
/// The kit's own files that a compilation needs: the headers that labs include, as of the grader's build, and the
/// files beside emucc. A missing one, as after an interrupted build, is damage to the kit, and no mistake of the
/// source that includes it.
#pragma once
#include "build/toolchain.hpp"

namespace grader {

/// @param diagnostics of a failed compilation
/// @throws Error (fault) when they name a missing file of the kit
void refuse_damaged_kit(const Toolchain& toolchain, const std::string& diagnostics);

}  // namespace grader
