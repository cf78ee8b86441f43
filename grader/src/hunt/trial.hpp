/// @file
/// Runs the program of a hunt under the checker, and returns its output, the checker's findings, and all
/// accesses of its threads.
#pragma once
#include <memory>

#include "check/checking.hpp"
#include "hunt/plant.hpp"
#include "model/trace.hpp"

namespace grader {

struct Trial {
  bool compiles = false;
  std::string diagnostics;        ///< the compiler's messages
  std::string printed;            ///< its output; with its end, if the exit code is neither 0 nor 1
  bool right = false;             ///< whether its result equals that of the CPU
  std::vector<Finding> findings;  ///< errors only
  std::optional<Trace> trace;
};

/// Builds and runs programs of hunts, in emulation.
class HuntBench {
 public:
  HuntBench(const Kit& kit, const Toolchain& toolchain, const Hunts& hunts)
      : kit_(kit), toolchain_(toolchain), hunts_(hunts) {}
  /// @param file   the program's name, "reverse.cu"
  /// @param folder the run's folder, which is emptied
  Trial run(const std::string& file, const std::string& text, const fs::path& folder) const;

 private:
  const Kit& kit_;
  const Toolchain& toolchain_;
  const Hunts& hunts_;
};

}  // namespace grader
