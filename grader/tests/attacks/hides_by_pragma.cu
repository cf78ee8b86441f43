// Changes by a pragma how a function with a race is compiled, in an operator that no line begins with.
// happens: does not compile: so do all pragmas that change how code is compiled or named
// verdict: compile_error
// says: '#pragma GCC optimize' changes how code is compiled
int before;
_Pragma("GCC optimize(\"O1\")")
#include "program.h"
