// Has a race only if the macros do not show that the program is checked.
// happens: these macros are not defined, so the race is found
// command: check
// verdict: finding
// says: race
#if !defined(__SANITIZE_THREAD__) && !defined(CUEMU_CHECK)
#define KERNEL         \
  if (i >= n) return;  \
  y[i] = 2 * x[i];     \
  y[(i + 1) % n] += 0; \
  y[i] = 2 * x[i];
#endif
#include "program.h"
