// Defines the clock of C++'s library, which is an ordinary function of it.
// happens: does not compile: the functions by which a run is timed are nobody's to define, of whatever binding
// verdict: compile_error
// says: defines std::chrono::_V2::steady_clock::now
#include <chrono>

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  static long ns = 1000000;
  return time_point(duration(ns += 30));
}
#include "program.h"
