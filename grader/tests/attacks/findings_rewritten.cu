// Writes a checker report without findings just before the program ends.
// happens: the grader does not read this report, so the race is found
// command: check
// verdict: finding
// says: race
#include <cstdio>
#include <cstdlib>

static void rewrite() {
  if (std::FILE* file = std::fopen(".findings.json", "w")) std::fputs("{\"findings\": []}", file);
}
__attribute__((constructor)) static void first() {
  std::atexit(rewrite);
}

#define KERNEL         \
  if (i >= n) return;  \
  y[i] = 2 * x[i];     \
  y[(i + 1) % n] += 0; \
  y[i] = 2 * x[i];
#include "program.h"
