// Lets the compiler read files that the program may not: files of the machine as a header, and as bytes in the assembler.
// happens: does not compile: assembly of this machine is refused, and the compiler's sandbox shows the submission and the system alone
// verdict: compile_error
// says: assembly of this machine is hidden
#if __has_include("/etc/passwd") || __has_include("../../../../../../etc/passwd")
int they = are_there;
#endif
asm(".incbin \"/etc/passwd\"");
#include "program.h"
