// Gives a mistake the name and line of a file of the machine, so that a report would quote that file.
// happens: does not compile: a submission may not assign its lines to another file, and no line of that file is quoted
// verdict: compile_error
// says: '#line' gives lines of a submission the name of another file
// never: root:x:
#include "program.h"
#line 1 "/etc/passwd"
int mistake;
