// Makes system calls by which programs have escaped from containers.
// happens: harmless: each call is refused
// verdict: passed
// says:
#define BEFORE                  \
  for (const long call : calls) \
    if (syscall(call, 0, 0, 0, 0, 0) != -1 || errno != EPERM) return 1;
#include <errno.h>

// ptrace, mount, unshare, keyctl, bpf, userfaultfd, perf_event_open, kexec_load, io_uring_setup, setns
#if defined(__x86_64__)
static const long calls[] = {101, 165, 272, 250, 321, 323, 298, 246, 425, 308};
#else
static const long calls[] = {117, 40, 97, 219, 280, 282, 241, 104, 425, 268};
#endif
#include "program.h"
