// The correct programs and projects of ../../tests, which must have no findings under the checker.
// What some of them do wrong on purpose stands, as suppressions,
// in NAME.suppressed beside them, or in a project's folder in `suppressed`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pairs.hpp"

namespace cuemu::check::tests {

struct CorrectProgram {
  std::string name;
  std::filesystem::path path;  ///< a source, or the folder of several
  bool is_project = false;     ///< built and run by its Makefile
};

/// All of them, programs first, by name.
std::vector<CorrectProgram> correct_programs();
/// Builds and runs one; what the checker says of it, or how that failed. Empty: nothing, as it must be.
std::string false_alarm(const CorrectProgram& program, const Compiler& compiler = {});

}  // namespace cuemu::check::tests
