// Defines the clock of the C++ library, which is an ordinary function.
// happens: does not compile: a submission may not define the functions that time a run, regardless of their binding
// verdict: compile_error
// says: defines std::chrono::_V2::steady_clock::now
#include <chrono>

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  static long ns = 1000000;
  return time_point(duration(ns += 30));
}
#include "program.h"
