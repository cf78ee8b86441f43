#include "process/keeper.hpp"

#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace grader {
namespace {

constexpr int last_descriptor = status_descriptor;

void report(KeeperReport::Kind kind, int value) {
  const KeeperReport message{kind, value};
  // The message is shorter than PIPE_BUF, so it is written completely. If this fails, the grader has ended,
  // and the failure is ignored.
  [[maybe_unused]] const ssize_t written = write(report_descriptor, &message, sizeof message);
}

/// Moves the descriptors to 0 to 6 and closes all others. If the keeper inherited a pipe end of another run,
/// that run's reader would wait for it.
bool arrange_descriptors(const KeeperTask& task) {
  constexpr int count = last_descriptor + 1;
  const std::int64_t sources[count] = {task.input,   task.output, task.error, task.report,
                                       task.channel, task.filter, task.status};
  int high[count];
  for (int i = 0; i < count; ++i) {
    high[i] = sources[i] < 0 ? -1 : fcntl(static_cast<int>(sources[i]), F_DUPFD, 16);
    if (sources[i] >= 0 && high[i] < 0) return false;
  }
  for (int i = 0; i < count; ++i) {
    if (high[i] < 0)
      close(i);
    else if (dup2(high[i], i) < 0)
      return false;
  }
  fcntl(report_descriptor, F_SETFD, FD_CLOEXEC);  // exec closes it for the program
  if (close_range(last_descriptor + 1, ~0U, 0) != 0) {
    for (int fd = last_descriptor + 1; fd < 65536; ++fd) close(fd);  // Linux before 5.9
  }
  return true;
}

/// Reads the filter from filter_descriptor, which is then closed. Empty on failure.
std::vector<sock_filter> take_filter() {
  std::vector<sock_filter> filter(BPF_MAXINSNS);
  const ssize_t got = pread(filter_descriptor, filter.data(), filter.size() * sizeof filter[0], 0);
  close(filter_descriptor);
  filter.resize(got > 0 ? static_cast<std::size_t>(got) / sizeof filter[0] : 0);
  return filter;
}

/// Becomes another user permanently, without the grader's groups. @return false on failure
bool become_user(uid_t user) {
  if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0)
    return false;
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;  // the change of user removed this signal
}

/// @pre only exec follows
bool install_filter(std::vector<sock_filter> filter) {
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return !filter.empty() && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// @param value the limit; -1: unchanged
void limit(__rlimit_resource resource, std::int64_t value) {
  rlimit current{};
  if (value < 0 || getrlimit(resource, &current) != 0) return;
  const rlim_t allowed = std::min(static_cast<rlim_t>(value), current.rlim_max);
  const rlimit wanted{allowed, allowed};
  setrlimit(resource, &wanted);
}

/// Joins the control group. If this fails, it is ignored, since the grader enforces the limits, too.
void join_group(const char* members) {
  const int fd = open(members, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t written = write(fd, "0", 1);
  close(fd);
}

/// Makes the operating system kill the program, not the grader, when memory runs out. Ignores failures.
void be_first_victim() {
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t written = write(fd, "1000", 4);
  close(fd);
}

[[noreturn]] void become_program(const KeeperTask& task, char* const* argv, pid_t keeper) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(127);  // the keeper died before prctl()

  if (!task.group_members.empty()) join_group(task.group_members.c_str());
  setpriority(PRIO_PROCESS, 0, static_cast<int>(task.priority));
  be_first_victim();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, task.file_size);
  limit(RLIMIT_NPROC, task.user_processes);
  limit(RLIMIT_NOFILE, task.open_files);

  if (!task.cwd.empty() && chdir(task.cwd.c_str()) != 0) {
    report(KeeperReport::Kind::chdir_failed, errno);
    _exit(127);
  }
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);

  std::vector<sock_filter> filter;
  if (task.installs_filter != 0) filter = take_filter();
  const bool confined = (task.user == 0 || become_user(static_cast<uid_t>(task.user))) &&
                        (task.installs_filter == 0 || install_filter(std::move(filter)));
  if (confined) execve(argv[0], argv + 1, environ);
  report(KeeperReport::Kind::exec_failed, errno);
  _exit(127);
}

/// Kills the keeper's direct children, which the operating system lists. @return false if there is no such
/// list
bool kill_children() {
  // The keeper has one thread, so this file lists all its children.
  const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return false;
  char text[4096];
  pid_t pid = 0;
  for (ssize_t got; (got = read(list, text, sizeof text)) > 0;) {
    for (ssize_t i = 0; i < got; ++i) {
      if (text[i] >= '0' && text[i] <= '9') {
        pid = pid * 10 + (text[i] - '0');
      } else if (pid > 0) {
        kill(pid, SIGKILL);
        pid = 0;
      }
    }
  }
  if (pid > 0) kill(pid, SIGKILL);
  close(list);
  return true;
}

/// Ends and reaps all processes below the keeper. The keeper is their subreaper, so the children of a killed
/// child become the keeper's, and the loop reaches all of them.
void end_tree(pid_t program) {
  kill(-program, SIGKILL);  // one call for the group, so that no process can fork between two kills
  for (;;) {
    kill_children();
    pid_t reaped;
    do reaped = waitpid(-1, nullptr, WNOHANG);
    while (reaped > 0);
    if (reaped < 0 && errno == ECHILD) return;
    const timespec pause{0, 200'000};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace

void keep(const KeeperTask& task, char* const* argv) {
  if (!arrange_descriptors(task)) _exit(127);
  setsid();  // so that Ctrl-C at the terminal reaches only the grader
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != task.grader) _exit(127);

  const pid_t keeper = getpid();
  const pid_t program = fork();
  if (program == 0) become_program(task, argv, keeper);
  if (program < 0) {
    report(KeeperReport::Kind::fork_failed, errno);
    _exit(127);
  }
  for (int fd = 0; fd <= last_descriptor; ++fd)
    if (fd != report_descriptor) close(fd);

  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, SIGTERM);
  for (bool running = true; running;) {
    if (sigwaitinfo(&awaited, nullptr) == SIGTERM) break;
    // The loop also reaps adopted orphans.
    int status = 0;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (pid != program) continue;
      report(KeeperReport::Kind::ended, status);
      running = false;
    }
  }
  end_tree(program);
  _exit(0);
}

}  // namespace grader
