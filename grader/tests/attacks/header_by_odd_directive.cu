// Includes a library that the lab does not allow, by a directive that a line-by-line scanner misses.
// happens: does not compile: the compiler lists the files that it read
// verdict: compile_error
// says: the program includes <thrust/reduce.h>, which lab9.1 does not allow
// clang-format off
#\
include <thrust/reduce.h>
// clang-format on
#include "program.h"
