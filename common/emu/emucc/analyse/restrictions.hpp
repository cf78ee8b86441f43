/// @file
/// Finds functions, lambdas and launches that CUDA's language forbids and C++ allows: a kernel that is a member or
/// returns a value, run-time type information in device code, an array of variable length, a device lambda without
/// --extended-lambda, a launch with a type that only the host knows.
///
/// The emulation's host compiler would accept all of it, and a student would notice the mistake only on a GPU. The
/// rules are those in the CUDA C++ Programming Guide as nvcc applies them. Where a rule needs unknown types, nothing
/// is reported.
#pragma once
#include "analyse/findings.hpp"

namespace emucc {

Findings check_restrictions(const Syntax& syntax, const LanguageOptions& options);

}  // namespace emucc
