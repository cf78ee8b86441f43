// Hides folders from the grader's clean-up.
// happens: exceeds the limit of the disk; as root, who may read them, the folders have no effect
// verdict: passed|output_limit
// says:
#define AFTER                                                 \
  mkdir("a", 0755), mkdir("a/b", 0755), mkdir("a/b/c", 0755); \
  chmod("a/b", 0), chmod("a", 0);
#include "program.h"
