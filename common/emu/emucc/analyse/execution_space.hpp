/// @file
/// Finds what nvcc refuses because it exists on the other side alone: host functions that device code calls,
/// `__device__` functions that host code calls. The emulation has one program for both sides, in which such
/// calls would work, and a student would learn of the mistake only on a GPU.
///
/// Names are compared, no types: where a name could also mean something else (an overload of the other side,
/// a member, a local variable, a name of another namespace), nothing is said.
#pragma once
#include "analyse/findings.hpp"

namespace emucc {

Findings check_spaces(const Syntax& syntax, const LanguageOptions& options);

}  // namespace emucc
