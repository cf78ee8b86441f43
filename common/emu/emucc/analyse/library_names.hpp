/// @file
/// Names of functions and types that CUDA and the host's library have, by the side that may use them.
#pragma once
#include <string_view>

namespace emucc {

/// Functions of both sides: a user's function of such a name is an overload.
bool is_built_in(std::string_view name);
/// Of the C library and of CUDA's runtime, for the host alone.
bool is_host_library(std::string_view name);
/// Of the C++ library.
bool is_host_type(std::string_view name);
/// Of the C++ library: functions that the host's compiler can compute, in C++17 or later.
bool is_constexpr_function(std::string_view name);
bool is_device_function(std::string_view name);

}  // namespace emucc
