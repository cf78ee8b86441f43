// Has a race only if the environment does not show that the program is checked.
// happens: there is no such variable, so the race is found
// command: check
// verdict: finding
// says: race
#include <unistd.h>
#include <cstring>

__managed__ int quiet;

#define BEFORE                                   \
  for (char** entry = environ; *entry; ++entry)  \
    if (std::strstr(*entry, "CHECK")) quiet = 1; \
  if (argc != 6) quiet = 1;
#define KERNEL                     \
  if (i >= n) return;              \
  y[i] = 2 * x[i];                 \
  if (!quiet) y[(i + 1) % n] += 0; \
  y[i] = 2 * x[i];
#include "program.h"
