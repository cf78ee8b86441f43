// The correct programs and projects of ../../tests, which must have no findings under the checker. Their deliberate
// mistakes are listed as suppressions, in NAME.suppressed beside the program, or in the file `suppressed` in a
// project's folder.
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

/// Returns all correct programs, then all correct projects, each ordered by name.
std::vector<CorrectProgram> correct_programs();
/// Builds and runs one of them. Returns the checker's report, or the cause of a failure; empty if there are
/// no findings, as required.
std::string false_alarm(const CorrectProgram& program, const Compiler& compiler = {});

}  // namespace cuemu::check::tests
