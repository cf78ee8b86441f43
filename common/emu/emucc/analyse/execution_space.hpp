/// @file
/// Finds uses of the other side's functions, which nvcc refuses: host functions that device code calls, and
/// `__device__` functions that host code calls. The emulation has one program for both sides, in which such calls
/// would work, and a student would notice the mistake only on a GPU. Uses of the other side's variables are warnings,
/// as with nvcc. Host code has a separate copy of each device variable (host_side() of cuemu/launch.hpp), and a separate
/// address of each device function (function_on_host() there).
///
/// Only names are compared, not types. Nothing is reported where a name could also mean something else: an overload
/// of the other side, a member, a local variable, a name of another namespace.
#pragma once
#include <cstdint>

#include "analyse/findings.hpp"

namespace emucc {

/// In host code the name of a `__device__` or `__constant__` variable, or of a `__device__` function whose address is
/// taken.
struct NameOnHost {
  enum class Kind : std::uint8_t { variable, function, overloaded_function };
  std::size_t begin;  ///< the first token, perhaps of a namespace
  std::size_t last;
  Kind kind;
};

struct SpaceFindings : Findings {
  std::vector<NameOnHost> names_on_host;
};

SpaceFindings check_spaces(const Syntax& syntax, const LanguageOptions& options);

}  // namespace emucc
