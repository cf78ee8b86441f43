// Ends at once, and leaves a process that changes the result while it is compared.
// happens: no right result: the process ends with the program, before the result is taken
// verdict: wrong_answer|requirement_failed|no_output
// says:
#define KERNEL \
  if (i < n) y[i] = 0;
#define AFTER                                                \
  lab::write_npy(output, x.shape, y.data());                 \
  if (fork() == 0) {                                         \
    setsid();                                                \
    for (float& value : x.data) value *= 2;                  \
    for (;;) lab::write_npy(output, x.shape, x.data.data()); \
  }                                                          \
  return 0;
#include "program.h"
