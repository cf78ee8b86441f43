// Has a race through a builtin of the compiler, which calls no function that the checker sees.
// happens: does not compile: builtins that access memory are refused
// verdict: compile_error
// says: '__builtin_memcpy' is hidden from the checker and the counters
#define COPY(to, from) __builtin_##memcpy(to, from, sizeof(float))
#define KERNEL                   \
  if (i >= n) return;            \
  float other;                   \
  COPY(&other, y + (i + 1) % n); \
  y[i] = 2 * x[i];               \
  if (other == -1) COPY(y, &other);
#include "program.h"
