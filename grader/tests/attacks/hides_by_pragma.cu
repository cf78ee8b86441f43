// Changes the compilation of a function with a race by a pragma operator in the middle of a line.
// happens: does not compile: all pragmas that change how code is compiled or named are refused
// verdict: compile_error
// says: '#pragma GCC optimize' changes how code is compiled
int before;
_Pragma("GCC optimize(\"O1\")")
#include "program.h"
