// Nests 3,000 folders, more than fit into a path.
// happens: exceeds the limit of the disk
// verdict: output_limit
// says: deeper folders
#define AFTER                                \
  for (int level = 0; level < 3000; ++level) \
    if (mkdir("d", 0755) || chdir("d")) return 1;
#include "program.h"
