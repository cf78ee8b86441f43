// Defines the heap functions, which the checker replaces to find accesses outside of allocations.
// happens: does not compile: a submission may not define functions that watch the program
// verdict: compile_error
// says: defines calloc
#include <stddef.h>

extern "C" void* calloc(size_t count, size_t bytes) {
  static char memory[1 << 20];
  static size_t used = 0;
  char* const from = memory + used;
  used += (count * bytes + 63) / 64 * 64;
  return used <= sizeof memory ? from : nullptr;
}
#define KERNEL         \
  if (i >= n) return;  \
  y[(i + 1) % n] += 0; \
  y[i] = 2 * x[i];
#include "program.h"
