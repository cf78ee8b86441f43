// Fills the disk's table of files with empty files.
// happens: exceeds the limit of the disk: each entry counts as 1 MiB
// verdict: output_limit
// says: wrote more to the disk
#define AFTER                                         \
  for (int k = 0; k < 5000; ++k) {                    \
    const std::string name = "f" + std::to_string(k); \
    std::fclose(std::fopen(name.c_str(), "w"));       \
  }
#include "program.h"
