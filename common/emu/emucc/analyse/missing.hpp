/// @file
/// Parts of CUDA that the emulation lacks; a program that uses one of them gets an explanation.
#pragma once
#include <string>
#include <string_view>

namespace emucc {

/// For a library `-lNAME`, without `_static`, or a header as it is included. @return a sentence's end, as in "cuBLAS,
/// which the emulation does not have …"; empty: not a missing part
std::string missing_library(std::string_view name);
std::string missing_header(std::string_view header);

/// For an undeclared name that belongs to the driver API.
std::string missing_name(std::string_view name);

}  // namespace emucc
