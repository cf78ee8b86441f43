/// @file
/// Parts of CUDA that the emulation does not have, so that a program which asks for one gets a sentence.
#pragma once
#include <string>
#include <string_view>

namespace emucc {

/// Of a library `-lNAME`, without `_static`; a header as it is included. @return a sentence's end, as in
/// "cuBLAS, which the emulation does not have …"; empty: it is not one of these
std::string missing_library(std::string_view name);
std::string missing_header(std::string_view header);

/// Whether a shared library is on this machine.
bool can_be_loaded(const char* file);
/// Of a library `-lNAME`, without `_static`, that another library of this machine computes: a sentence on what to install where
/// that is not there. @param is_there asked for a file such as "libopenblas.so.0"
std::string missing_package(std::string_view name, bool (*is_there)(const char*) = can_be_loaded);

/// Of a name that was not declared: of the driver API.
std::string missing_name(std::string_view name);

}  // namespace emucc
