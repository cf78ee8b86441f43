/// @file
/// The exit codes of a lab's program, which the grader and scripts read.
///
/// This header is separate from exit.hpp, whose functions take a std::string, because a source of kernels needs no
/// strings. The header `string` takes a third of such a source's compilation time: g++ instantiates the templates of
/// inline functions at the end of each source.
#pragma once

/// Marks functions that run once, at a program's start or end. The compiler optimises these functions for size instead
/// of speed, and needs a third less time.
#define LAB_COLD [[gnu::cold]]

namespace lab {

/// Exit code of a lab's program.
enum Exit {
  exit_passed = 0,      ///< the program ran, and its self-test passed or was not requested
  exit_failed = 1,      ///< the program ran, and its self-test failed
  exit_usage = 2,       ///< the command line or an input file is wrong
  exit_cuda_error = 3,  ///< a CUDA call or a kernel failed
  exit_todo = 4,        ///< a part is still to be written
  exit_missed = 5,      ///< the result is complete, but another requirement is not met, such as a time limit
};

}  // namespace lab
