/// @file
/// `grader view RECORD`, and `grader view -`, which a program built by `emucc --record` starts for itself: what its kernels
/// do, step by step. Private to cli*.cpp.
#pragma once
#include "cli/cli_view_kernel.hpp"

namespace grader {

struct ProgramOptions {
  std::string record;               ///< a file, or "-": the program that runs tells it on standard input
  std::vector<std::string> shapes;  ///< "A=64x64"
  std::string format;               ///< "text" or "json"; empty: a page
  std::string to;                   ///< empty: the page is named as the record, or as the program
  bool replace = false;
};

/// Writes the page, or tells of it.
KernelView view_program(Session& session, const ProgramOptions& o);

}  // namespace grader
