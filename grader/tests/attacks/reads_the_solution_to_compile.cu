// Makes the compiler read files that the program may not read: as a header, and as bytes in the assembler.
// happens: does not compile: this machine's assembly is refused, and the compiler's sandbox shows only the submission and the system
// verdict: compile_error
// says: assembly of this machine is hidden
#if __has_include("/etc/passwd") || __has_include("../../../../../../etc/passwd")
int they = are_there;
#endif
asm(".incbin \"/etc/passwd\"");
#include "program.h"
