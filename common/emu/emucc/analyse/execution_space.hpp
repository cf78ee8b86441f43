/// @file
/// Finds uses of the other side's functions, which nvcc refuses: host functions that device code calls, and
/// `__device__` functions that host code calls. The emulation has one program for both sides, in which such calls
/// would work, and a student would notice the mistake only on a GPU. Uses of the other side's variables are warnings,
/// as with nvcc. Host code has a separate copy of each device variable (host_side() of cuemu/launch.hpp).
///
/// Only names are compared, not types. Nothing is reported where a name could also mean something else: an overload
/// of the other side, a member, a local variable, a name of another namespace.
#pragma once
#include "analyse/findings.hpp"

namespace emucc {

/// The name of a `__device__` or `__constant__` variable in host code.
struct VariableOnHost {
  std::size_t begin;  ///< the first token, perhaps of a namespace
  std::size_t name;   ///< the last one
};

struct SpaceFindings : Findings {
  std::vector<VariableOnHost> variables_on_host;
};

SpaceFindings check_spaces(const Syntax& syntax, const LanguageOptions& options);

}  // namespace emucc
