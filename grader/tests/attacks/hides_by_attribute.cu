// Has a race in a function whose attribute, which a macro writes, switches the checker off.
// happens: does not compile: a submission may only have attributes that are known to be harmless
// verdict: compile_error
// says: 'no_sanitize' is an attribute that a submission may not have
#define QUIETLY __attribute__((no_sanitize("thread")))
QUIETLY __device__ void touch(float* y, int n, int i) {
  y[(i + 1) % n] += 0;
}
#define KERNEL        \
  if (i >= n) return; \
  y[i] = 2 * x[i];    \
  touch(y, n, i);     \
  y[i] = 2 * x[i];
#include "program.h"
