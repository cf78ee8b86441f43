/// @file
/// Finds uses of the other side's functions, which nvcc refuses: host functions that device code calls, and
/// `__device__` functions that host code calls. In the emulation, one program contains both sides and such
/// calls would work, so a student would notice the mistake only on a GPU. Uses of the other side's variables
/// are warnings, as with nvcc. In host code, a device variable has a separate copy (host_side() in
/// cuemu/launch.hpp), and a device function has a separate address (function_on_host() there).
///
/// Only names are compared, not types. So nothing is reported if a name could also mean something else: an
/// overload for the other side, a member, a local variable, or a name in another namespace.
#pragma once
#include <cstdint>

#include "analyse/findings.hpp"

namespace emucc {

/// A name in host code of a `__device__` or `__constant__` variable, or of a `__device__` function whose
/// address is taken.
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
