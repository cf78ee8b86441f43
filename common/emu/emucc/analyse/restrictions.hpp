/// @file
/// Finds functions, lambdas and launches that C++ allows and CUDA forbids: a kernel that is a member or
/// returns a value, run-time type information in device code, an array of variable length, a device lambda
/// without --extended-lambda, a launch with a type that only the host can name.
///
/// The host compiler would accept all of these, so a student would notice the mistake only on a GPU. The
/// rules are those of the CUDA C++ Programming Guide, as nvcc applies them. If a rule depends on an unknown
/// type, no error is reported.
#pragma once
#include "analyse/findings.hpp"

namespace emucc {

Findings check_restrictions(const Syntax& syntax, const LanguageOptions& options);

}  // namespace emucc
