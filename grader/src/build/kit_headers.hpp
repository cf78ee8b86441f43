/// @file
/// The kit's own files that a compilation needs: the headers that labs include, as they were when the grader
/// was built, and the files of emucc's installation. If one is missing, for example after an interrupted
/// build, the kit is damaged, and the source that includes it is not at fault.
#pragma once
#include "build/toolchain.hpp"

namespace grader {

/// @param diagnostics the messages of a failed compilation
/// @throws Error (fault) when the messages name a missing file of the kit
void refuse_damaged_kit(const Toolchain& toolchain, const std::string& diagnostics);

}  // namespace grader
