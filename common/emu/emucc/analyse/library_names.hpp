/// @file
/// The names of functions and types of CUDA and of the host's library, and the side that may use each.
#pragma once
#include <string>
#include <string_view>

namespace emucc {

/// Returns true for functions that exist on both sides. A user's function with such a name is an overload.
bool is_built_in(std::string_view name);
/// Returns true for functions of the C library and of CUDA's runtime that only the host may call.
bool is_host_library(std::string_view name);
/// Returns true for types of the C++ library.
bool is_host_type(std::string_view name);
/// Returns the message about device code that calls a function of an object with such a type.
std::string host_object_used(std::string_view object, std::string_view type);
/// Returns true for functions of the C++ library that are constexpr for the host's compiler, in C++17 or
/// later.
bool is_constexpr_function(std::string_view name);
bool is_device_function(std::string_view name);

}  // namespace emucc
