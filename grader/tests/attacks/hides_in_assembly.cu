// Computes on the host in this machine's assembly, which can't be read or counted.
// happens: does not compile: assembly must be PTX in device code
// verdict: compile_error
// says: assembly of this machine is hidden
static void twice_of(float* y, const float* x) {
  asm volatile("movss (%1), %%xmm0; addss %%xmm0, %%xmm0; movss %%xmm0, (%0)" ::"r"(y), "r"(x)
               : "xmm0", "memory");
}
#define AFTER \
  for (int i = 0; i < n; ++i) twice_of(&y[i], &x.data[i]);
#include "program.h"
