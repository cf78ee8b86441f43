// Computes in a separate process, which neither the checker nor the profile sees.
// happens: requirement failed: another process was started, which the grader can't observe
// verdict: requirement_failed
// says: another process
#define KERNEL \
  if (i < n) y[i] = 2 * x[i] + (i > 0 && y[i - 1] == 12345 ? 1 : 0);
#define BEFORE \
  if (fork() == 0) _exit(0);
#include "program.h"
