// Reads the profile's socket before all other code of the program runs, to seal its own lines.
// happens: does not compile: no code may run before the emulation
// verdict: compile_error
// says: which runs before the program
#include <unistd.h>

#include <cstring>

static char taken[4096];
__attribute__((constructor(101))) static void first() {
  if (read(4, taken, sizeof taken - 1) < 0) taken[0] = 0;
}
#define BEFORE \
  if (std::strstr(taken, "key")) return 9;
#include "program.h"
