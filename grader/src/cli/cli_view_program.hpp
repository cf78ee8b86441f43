/// @file
/// `grader view RECORD` shows the work of a recorded program's kernels, step by step. A program built by `emucc
/// --record` starts `grader view -` itself. This header is private to cli*.cpp.
#pragma once
#include "cli/cli_view_kernel.hpp"

namespace grader {

struct ProgramOptions {
  std::string record;               ///< a file, or "-": standard input, written by the running program
  std::vector<std::string> shapes;  ///< "A=64x64"
  std::string format;               ///< "text" or "json"; empty: a page
  std::string to;                   ///< empty: the page has the name of the record or the program
  bool replace = false;
};

/// Writes the page, or the text.
KernelView view_program(Session& session, const ProgramOptions& o);

}  // namespace grader
