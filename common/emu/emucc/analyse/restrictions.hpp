/// @file
/// Finds what CUDA's language forbids of functions, lambdas and launches, and C++ allows: a kernel that is a member or
/// returns a value, a type at run time in device code, an array of variable length, a lambda of the device's without
/// --extended-lambda, a launch with a type that only the host knows.
///
/// The emulation's host compiler would take all of it, and a student would learn of the mistake only on a GPU. The rules
/// are those of the CUDA C++ Programming Guide as nvcc applies them; where types would have to be known and are not,
/// nothing is said.
#pragma once
#include "analyse/findings.hpp"

namespace emucc {

Findings check_restrictions(const Syntax& syntax, const LanguageOptions& options);

}  // namespace emucc
