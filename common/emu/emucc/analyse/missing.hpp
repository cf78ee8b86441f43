/// @file
/// Parts of CUDA that the emulation lacks; a program that uses one of them gets an explanation.
#pragma once
#include <string>
#include <string_view>

namespace emucc {

/// @return the end of a sentence about a library `-lNAME` (without `_static`) or a header as it is included: "cuBLAS,
/// which the emulation does not have …". Empty if no part is missing
std::string missing_library(std::string_view name);
std::string missing_header(std::string_view header);

/// The same for an undeclared name that belongs to the driver API.
std::string missing_name(std::string_view name);

}  // namespace emucc
