/// @file
/// The headers of the kit that labs include, as they were when the grader was built. One that is gone is the kit's damage, and
/// not the mistake of the source that includes it.
#pragma once
#include "build/toolchain.hpp"

namespace grader {

/// @param diagnostics of a compilation that failed
/// @throws Error (fault) when they name a header of the kit that is not there
void refuse_missing_headers(const Toolchain& toolchain, const std::string& diagnostics);

}  // namespace grader
