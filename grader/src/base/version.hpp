/// @file
/// The kit's version, as CMake's project() declares it.
#pragma once

namespace grader {

/// "0.1.0"
const char* kit_version();

}  // namespace grader
