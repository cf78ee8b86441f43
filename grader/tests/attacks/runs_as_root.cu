// Writes settings of the operating system, which root may do from a container.
// happens: harmless: the program does not run as root, and the settings are read-only
// verdict: passed
// says:
#define BEFORE                                                                         \
  for (const char* name : {"/proc/sys/vm/swappiness", "/proc/sys/kernel/core_pattern", \
                           "/proc/self/oom_score_adj_", "/sys/kernel/mm/ksm/run"})     \
    if (std::FILE* file = std::fopen(name, "r+")) return 1;                            \
  if (getuid() == 0 || geteuid() == 0) return 1;
#include "program.h"
