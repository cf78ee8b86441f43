#include "deaths.hpp"

#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "observer.hpp"
#include "print.hpp"

namespace cuemu {

namespace {

/// A report reads debug information and allocates memory, which a signal handler must not do. So another thread makes
/// the report. That thread is started early, and has its own stack and its own arena of the C library's heap, because
/// the dying thread may hold malloc()'s lock.
struct Reporter {
  pid_t process = 0;
  pthread_t thread;
  sem_t dying, reported;
  std::atomic<int> signal{0};
};
Reporter reporter;

/// Time limit of a report, which would otherwise wait forever if it needs a lock that the dying thread holds.
constexpr std::time_t most_seconds = 10;

void* report_death(void*) {
  while (sem_wait(&reporter.dying) != 0) continue;
  notify(&Observer::program_stops, -reporter.signal.load());
  sem_post(&reporter.reported);
  return nullptr;
}

/// Makes the report at quick_exit(). Handlers of quick_exit() neither receive nor change the exit status.
void end_quickly() {
  if (reporter.process != getpid()) return;  // a forked child does not report; its parent does
  lose_device_output();
  const int wanted = status_of_tools(0);
  if (wanted == 0) return;
  std::fflush(nullptr);
  _exit(wanted);
}

}  // namespace

void watch_for_death() {
  sem_init(&reporter.dying, 0, 0);
  sem_init(&reporter.reported, 0, 0);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // so that signals go to the program's threads
  const bool runs = pthread_create(&reporter.thread, nullptr, report_death, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!runs) return;
  pthread_detach(reporter.thread);
  std::at_quick_exit(end_quickly);
  reporter.process = getpid();
}

void run_death_reports(int signal) {
  if (reporter.process != getpid()) return;
  if (reporter.signal.exchange(signal) != 0) {
    while (pthread_equal(pthread_self(), reporter.thread) == 0)
      pause();  // another thread, which died first, ends the program
    return;
  }
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += most_seconds;
  sem_post(&reporter.dying);
  while (sem_timedwait(&reporter.reported, &until) != 0 && errno == EINTR) continue;
}

}  // namespace cuemu
