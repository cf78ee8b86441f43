// Answers its own system calls, such as the emulation's calls for the time, by a filter or by user dispatch.
// happens: harmless: the sandbox refuses both
// verdict: passed
// says:
#include <errno.h>

// prctl, seccomp
#if defined(__x86_64__)
static const long calls[] = {157, 317};
#else
static const long calls[] = {167, 277};
#endif
// PR_SET_SECCOMP, PR_SET_SYSCALL_USER_DISPATCH
static const long options[] = {22, 59};
#define BEFORE                                                                   \
  for (const long option : options)                                              \
    if (syscall(calls[0], option, 0, 0, 0, 0) != -1 || errno != EPERM) return 1; \
  for (const long operation : {0, 1})                                            \
    if (syscall(calls[1], operation, 0, 0, 0, 0) != -1 || errno != EPERM) return 1;
#include "program.h"
