// Defines the clock, so that a kernel takes no time, or any chosen time.
// happens: does not compile: a submission may not define the functions that time a run
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
