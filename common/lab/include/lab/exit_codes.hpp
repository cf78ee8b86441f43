/// @file
/// The exit codes of a lab's program, which the grader and scripts read.
///
/// Separate from exit.hpp, whose functions take a std::string: a source of kernels needs no strings. Their header
/// takes a third of its compilation, since g++ instantiates the templates of inline functions at the end of each
/// source.
#pragma once

/// Marks functions that run once, at a program's start or end: made small rather than fast, they take a third
/// less time to compile.
#define LAB_COLD [[gnu::cold]]

namespace lab {

/// Exit code of a lab's program.
enum Exit {
  exit_passed = 0,      ///< ran, and its self-test passed or was not requested
  exit_failed = 1,      ///< ran, and its self-test failed
  exit_usage = 2,       ///< the command line or an input file is wrong
  exit_cuda_error = 3,  ///< a CUDA call or a kernel failed
  exit_todo = 4,        ///< a part is still to be written
  exit_missed = 5,      ///< the result is there, but another requirement is missed: too slow, say
};

}  // namespace lab
