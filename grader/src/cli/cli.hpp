/// @file
/// Parses the command line, calls the other modules, and prints. It is the only module that knows all others.
#pragma once

namespace grader {

/// @return the exit code: 0 all points, 1 points lost, 2 usage, 3 environment, 4 grader fault
int cli_main(int argc, char** argv);

}  // namespace grader
