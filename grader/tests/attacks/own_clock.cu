// Defines the clock itself: a kernel then takes no time, or as little as one likes.
// happens: does not compile: the functions by which a run is timed are nobody's to define
// verdict: compile_error
// says: defines clock_gettime
#include <time.h>

extern "C" int clock_gettime(clockid_t, timespec* now) {
  static long ns = 1000000000;
  ns += 30;
  now->tv_sec = ns / 1000000000;
  now->tv_nsec = ns % 1000000000;
  return 0;
}
#include "program.h"
