// Reads a pipe, and waits at most 100 ms at a time.
#include "process/lines.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>

#include "base/error.hpp"

namespace grader {
namespace {

/// Turns the child into the command. Makes only calls that are safe after fork() in a program with threads.
[[noreturn]] void become(char* const* argv, int out, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // the command must end when its parent does
  if (getppid() != parent) _exit(127);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  close_range(3, ~0U, 0);  // otherwise the parent's sockets would stay open as long as the child runs
  execv(argv[0], argv);
  _exit(127);
}

}  // namespace

int run_lines(const std::vector<std::string>& argv, const std::function<void(const std::string&)>& line,
              const std::function<bool()>& stop) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  int ends[2];
  const pid_t parent = getpid();
  const pid_t child = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
  if (child < 0)
    throw Error(ErrorKind::environment,
                fmt::format("{} can't be started: {}.", argv[0], std::strerror(errno)));
  if (child == 0) become(words.data(), ends[1], parent);
  close(ends[1]);

  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> stopped;
  std::string pending;
  for (;;) {
    if (!stopped && stop()) {
      stopped = Clock::now();
      kill(child, SIGINT);
    }
    if (stopped && Clock::now() - *stopped > std::chrono::seconds(5)) kill(child, SIGKILL);
    pollfd one{ends[0], POLLIN, 0};
    if (poll(&one, 1, 100) <= 0) continue;
    char bytes[65536];
    const ssize_t n = read(ends[0], bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    pending.append(bytes, static_cast<std::size_t>(n));
    for (std::size_t end; (end = pending.find('\n')) != std::string::npos; pending.erase(0, end + 1))
      line(pending.substr(0, end));
  }
  if (!pending.empty()) line(pending);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace grader
