/// @file
/// The names of functions and types of CUDA and the host's library, and which side may use them.
#pragma once
#include <string>
#include <string_view>

namespace emucc {

/// Functions that exist on both sides. A user's function of such a name is an overload.
bool is_built_in(std::string_view name);
/// Functions of the C library and of CUDA's runtime that only the host may call.
bool is_host_library(std::string_view name);
/// Types of the C++ library.
bool is_host_type(std::string_view name);
/// The message for device code that calls a function of an object of such a type.
std::string host_object_used(std::string_view object, std::string_view type);
/// Functions of the C++ library that the host's compiler can evaluate, in C++17 or later.
bool is_constexpr_function(std::string_view name);
bool is_device_function(std::string_view name);

}  // namespace emucc
