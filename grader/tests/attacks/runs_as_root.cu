// Writes a setting of the kernel, which root may from a container; then another user's.
// happens: harmless: not root, and read-only
// verdict: passed
// says:
#define BEFORE                                                                         \
  for (const char* name : {"/proc/sys/vm/swappiness", "/proc/sys/kernel/core_pattern", \
                           "/proc/self/oom_score_adj_", "/sys/kernel/mm/ksm/run"})     \
    if (std::FILE* file = std::fopen(name, "r+")) return 1;                            \
  if (getuid() == 0 || geteuid() == 0) return 1;
#include "program.h"
