/// @file
/// How a lab's program ends: the exit codes that the grader and scripts read, and the two ways to stop early.
///
/// Host code only.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>

#include "inline.hpp"

/// Marks what a program does once, at its start or its end: made small rather than fast, it takes a third
/// less time to compile.
#define LAB_COLD [[gnu::cold]]

namespace lab {

/// Exit code of a lab's program.
enum Exit {
  exit_passed = 0,      ///< ran, and its self-test passed or was not asked for
  exit_failed = 1,      ///< ran, and its self-test failed
  exit_usage = 2,       ///< the command line or an input file is wrong
  exit_cuda_error = 3,  ///< a CUDA call or a kernel failed
  exit_todo = 4,        ///< a part is still to do
  exit_missed = 5,  ///< the result is there, but something else that was asked for is missed: too slow, say
};

/// Ends the program with a sentence on standard error. What was printed so far is shown first.
[[noreturn, gnu::cold]] void stop(Exit code, const std::string& sentence);

/// Ends the program because what the user gave it is wrong.
/// @param sentence what is wrong and what was expected
[[noreturn, gnu::cold]] void usage_error(const std::string& sentence);

/// Ends the program because it has done its work, but not as it was asked to.
/// @param sentence what is missed, and by how much
[[noreturn, gnu::cold]] void missed(const std::string& sentence);

}  // namespace lab

#ifndef LAB_LIBRARY
#include "impl/exit.hpp"
#endif
