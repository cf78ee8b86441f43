// libseccomp generates the filter for every architecture that it supports.
#include "process/syscalls.hpp"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "base/descriptor.hpp"

#ifdef __clang__
// libseccomp's macros use compound literals of C.
#pragma clang diagnostic ignored "-Wc99-extensions"
#pragma clang diagnostic ignored "-Wmissing-field-initializers"
#endif

namespace grader {
namespace {

/// Calls that a computing program does not need, and that are used to escape. A name that this libseccomp
/// does not know is left out, since only newer operating systems have that call.
constexpr const char* refused[] = {
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd",
    // namespaces and file systems
    "unshare", "setns", "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree",
    "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "open_by_handle_at", "name_to_handle_at",
    "quotactl", "quotactl_fd", "swapon", "swapoff", "fanotify_init",
    // the kernel
    "bpf", "userfaultfd", "perf_event_open", "io_uring_setup", "io_uring_enter", "io_uring_register",
    "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "create_module",
    "reboot", "acct", "syslog", "lookup_dcookie", "iopl", "ioperm", "modify_ldt", "vm86", "vm86old", "uselib",
    "ustat", "nfsservctl", "_sysctl", "vhangup",
    // keys, clocks and names of the machine
    "add_key", "keyctl", "request_key", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "stime",
    "sethostname", "setdomainname",
    // memory that belongs to no process
    "shmget"};

struct Release {
  void operator()(void* filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, Release>;

/// Adds a rule that refuses a call. The rule fails only if this architecture does not have the call.
void refuse(void* filter, const char* name) {
  const int number = seccomp_syscall_resolve_name(name);
  if (number != __NR_SCMP_ERROR) (void)seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0);
}

scmp_datum_t datum(long value) {
  return static_cast<scmp_datum_t>(value);
}

/// Refuses socket families that no network namespace confines, or that reach rarely used code of the operating
/// system. AF_UNIX, AF_NETLINK and the Internet families, which have no network inside, are allowed.
void refuse_sockets(void* filter) {
  for (const char* call : {"socket", "socketpair"}) {
    const int number = seccomp_syscall_resolve_name(call);
    int family = 0;
    for (const int allowed : {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK}) {
      for (; family < allowed; ++family)
        (void)seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), number, 1,
                               SCMP_A0(SCMP_CMP_EQ, datum(family)));
      ++family;
    }
    (void)seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), number, 1,
                           SCMP_A0(SCMP_CMP_GE, datum(family)));
  }
}

/// Makes a program die of SIGSYS if it sends itself SIGKILL, or exits with the code for SIGKILL. So a SIGKILL
/// always comes from outside.
void say_own_end(void* filter) {
  const auto kill_at = [&](const char* call, scmp_arg_cmp signal) {
    const int number = seccomp_syscall_resolve_name(call);
    if (number != __NR_SCMP_ERROR) (void)seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, number, 1, signal);
  };
  // The operating system reads only these bits of an int.
  const scmp_datum_t number = SIGKILL, low = 0xffffffff;
  for (const char* call : {"kill", "tkill", "rt_sigqueueinfo", "pidfd_send_signal"})
    kill_at(call, SCMP_A1(SCMP_CMP_MASKED_EQ, low, number));
  for (const char* call : {"tgkill", "rt_tgsigqueueinfo"})
    kill_at(call, SCMP_A2(SCMP_CMP_MASKED_EQ, low, number));
  for (const char* call : {"exit", "exit_group"})
    kill_at(call, SCMP_A0(SCMP_CMP_MASKED_EQ, datum(0xff), datum(128 + SIGKILL)));
  // These calls make the operating system send SIGKILL.
  const auto refuse_at = [&](int call, std::initializer_list<scmp_arg_cmp> where) {
    (void)seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), call, static_cast<unsigned>(where.size()),
                                 where.begin());
  };
  refuse_at(SCMP_SYS(prctl), {SCMP_A0(SCMP_CMP_MASKED_EQ, low, datum(PR_SET_PDEATHSIG)),
                              SCMP_A1(SCMP_CMP_MASKED_EQ, low, number)});
  // In strict mode, too, the operating system sends SIGKILL. Filters and user dispatch would let a program
  // answer system calls itself, such as the emulation's calls for the time.
  for (const int option : {PR_SET_SECCOMP, PR_SET_SYSCALL_USER_DISPATCH})
    refuse_at(SCMP_SYS(prctl), {SCMP_A0(SCMP_CMP_MASKED_EQ, low, datum(option))});
  refuse_at(SCMP_SYS(seccomp), {});
  refuse_at(SCMP_SYS(fcntl),
            {SCMP_A1(SCMP_CMP_MASKED_EQ, low, datum(F_SETSIG)), SCMP_A2(SCMP_CMP_MASKED_EQ, low, number)});
  refuse_at(SCMP_SYS(setrlimit), {SCMP_A0(SCMP_CMP_MASKED_EQ, low, datum(RLIMIT_CPU))});
  refuse_at(SCMP_SYS(prlimit64),
            {SCMP_A1(SCMP_CMP_MASKED_EQ, low, datum(RLIMIT_CPU)), SCMP_A2(SCMP_CMP_NE, datum(0))});
}

std::vector<sock_filter> make(Syscalls which) {
  if (which == Syscalls::all) return {};
  const Filter filter(seccomp_init(SCMP_ACT_ALLOW));
  if (!filter) return {};
  for (const char* name : refused) refuse(filter.get(), name);
  refuse_sockets(filter.get());
  say_own_end(filter.get());
  // clone3's flags are in memory, which a filter can't read. Without clone3 the C library uses clone.
  (void)seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  for (const int flag :
       {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP})
    (void)seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                           SCMP_A0(SCMP_CMP_MASKED_EQ, static_cast<scmp_datum_t>(static_cast<unsigned>(flag)),
                                   static_cast<scmp_datum_t>(static_cast<unsigned>(flag))));

  const Descriptor memory(memfd_create("filter", MFD_CLOEXEC));
  if (!memory.open() || seccomp_export_bpf(filter.get(), memory.get()) != 0) return {};
  const off_t bytes = lseek(memory.get(), 0, SEEK_END);
  std::vector<sock_filter> program(static_cast<std::size_t>(bytes) / sizeof(sock_filter));
  if (pread(memory.get(), program.data(), static_cast<std::size_t>(bytes), 0) != bytes) return {};
  return program;
}

}  // namespace

const std::vector<sock_filter>& syscall_filter(Syscalls which) {
  static const std::vector<sock_filter> none, usual = make(Syscalls::usual);
  return which == Syscalls::all ? none : usual;
}

}  // namespace grader
