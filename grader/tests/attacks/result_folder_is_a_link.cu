// Replaces its result folder by a link to the folder of the expected result, so that an empty kernel would get all points.
// happens: no output: a symbolic link is in its place
// verdict: no_output
// says: a symbolic link is in its place or on the way to it
#define KERNEL (void)i, (void)y, (void)x, (void)n;
#define AFTER                                            \
  std::string own = output.substr(0, output.rfind('/')); \
  rmdir(own.c_str());                                    \
  std::string data = input.substr(0, input.rfind('/'));  \
  return symlink(data.c_str(), own.c_str());
#include "program.h"
