// Defines the clock under its own name, and makes the assembler give this name the clock's name and version.
// happens: does not compile: assembly must be PTX in device code, and the names in an object count without their versions
// verdict: compile_error
// says: assembly of this machine is hidden
#include <time.h>

extern "C" int slow_clock(clockid_t, timespec* now) {
  static long ns = 1000000000;
  now->tv_sec = (ns += 30) / 1000000000;
  now->tv_nsec = ns % 1000000000;
  return 0;
}
__asm__(".symver slow_clock, clock_gettime@GLIBC_2.17");
#include "program.h"
