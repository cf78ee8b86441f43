// Makes the compiler write 8 GiB from one line of source.
// happens: does not compile: limits of file size, memory and time apply to compilers, too
// verdict: compile_error
// says: Fatal error
static char large[8l << 30] = {1};
#define BEFORE \
  if (large[argc] == 2) return 1;
#include "program.h"
