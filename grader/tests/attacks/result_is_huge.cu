// Leaves a result of almost 1 GiB that takes no space on the disk, and claims all of it in its header.
// happens: no output: another shape is expected
// verdict: no_output
// says: shape
#define AFTER                                            \
  lab::write_npy(output, {1}, y.data());                 \
  std::FILE* file = std::fopen(output.c_str(), "r+");    \
  char header[11 + 118] = {};                            \
  if (std::fread(header, 1, 128, file) != 128) return 1; \
  char* shape = std::strstr(header + 10, "(1,)");        \
  std::memcpy(shape, "(260000000,), }", 15);             \
  std::rewind(file);                                     \
  std::fwrite(header, 1, 128, file);                     \
  std::fclose(file);                                     \
  return truncate(output.c_str(), 128 + 260000000ll * 4);
#include "program.h"
