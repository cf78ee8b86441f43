/// @file
/// Explains the use of a part of CUDA that the emulation lacks.
#pragma once
#include <string>
#include <string_view>

namespace emucc {

/// Returns the end of a sentence about a library `-lNAME` (without `_static`) or a header as it is included:
/// "cuBLAS, which the emulation does not have …". Empty if the emulation has it.
std::string missing_library(std::string_view name);
std::string missing_header(std::string_view header);

/// Returns the same for an undeclared name that belongs to the driver API.
std::string missing_name(std::string_view name);

}  // namespace emucc
