// Includes a library that the lab does not allow, by a directive that a reader of lines does not take for one.
// happens: does not compile: the compiler is asked which files it read
// verdict: compile_error
// says: the program includes <thrust/reduce.h>, which lab9.1 does not allow
// clang-format off
#\
include <thrust/reduce.h>
// clang-format on
#include "program.h"
