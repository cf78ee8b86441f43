/// @file
/// The third step: sources → one program. Cached by content: the same sources, options, compiler and headers
/// never compile twice.
#pragma once
#include "toolchain.hpp"
#include "workspace.hpp"

namespace grader {

struct BuildResult {
  bool ok = false;
  bool cached = false;
  fs::path program;         ///< in a folder of its own
  std::string diagnostics;  ///< the compiler's words, with the student's own file names
  std::string command;      ///< what a student would type to get the same
  double wall_s = 0;
};

/// Builds every .cu and .cpp of a submission as one program.
/// @param macros given with -D, for tables
/// @throws Error (environment) when the cache can't be written or the compiler can't be started
BuildResult build(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
                  const std::map<std::string, std::string>& macros = {});

/// Builds `labs/<lab>/oracle/*.cpp` with the host compiler.
/// @throws Error (fault) when the oracle does not compile: that is the kit's mistake
fs::path build_oracle(const Kit& kit, const Toolchain& toolchain, const Lab& lab);

}  // namespace grader
