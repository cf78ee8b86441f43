// Gives its result a second name, through which it could change the result later.
// happens: no output
// verdict: no_output
// says: it has a second name
#define AFTER                                \
  lab::write_npy(output, x.shape, y.data()); \
  return link(output.c_str(), "second");
#include "program.h"
