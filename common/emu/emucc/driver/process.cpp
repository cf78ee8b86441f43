#include "driver/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "wire/exit_status.hpp"

extern char** environ;

namespace emucc {
namespace {

constexpr int max_children = 256;
std::atomic<pid_t> children[max_children];
std::atomic<int> caught_signal{0};
std::atomic<bool> one_was_killed{false};

void on_signal(int signal) {
  caught_signal = signal;
  for (auto& child : children) {
    if (const pid_t pid = child.load(); pid > 0) kill(pid, SIGTERM);
  }
}

/// Registers a child process with the signal handler while this object lives.
class Registered {
 public:
  explicit Registered(pid_t pid) {
    for (auto& slot : children) {
      pid_t free = 0;
      if (slot.compare_exchange_strong(free, pid)) {
        slot_ = &slot;
        break;
      }
    }
    if (caught_signal != 0) kill(pid, SIGTERM);
  }
  ~Registered() {
    if (slot_) slot_->store(0);
  }
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;

 private:
  std::atomic<pid_t>* slot_ = nullptr;
};

struct Pipe {
  int read = -1, write = -1;
  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
  static void shut(int& fd) {
    if (fd >= 0) close(fd);
    fd = -1;
  }
  ~Pipe() {
    shut(read);
    shut(write);
  }
};

/// Reads the available data. Closes the descriptor at the end of the data.
void drain(int& fd, std::string& into) {
  char buffer[65536];
  const ssize_t n = read(fd, buffer, sizeof buffer);
  if (n > 0)
    into.append(buffer, static_cast<std::size_t>(n));
  else if (n == 0 || (errno != EINTR && errno != EAGAIN))
    Pipe::shut(fd);
}

/// Writes the input and reads the outputs, until the child has closed its ends of the pipes.
void exchange(Pipe& in, Pipe& out, Pipe& err, std::string_view input, CommandResult& result) {
  std::size_t written = 0;
  if (input.empty())
    Pipe::shut(in.write);
  else
    fcntl(in.write, F_SETFL, O_NONBLOCK);
  while (out.read >= 0 || err.read >= 0 || in.write >= 0) {
    pollfd fds[3] = {{in.write, POLLOUT, 0}, {out.read, POLLIN, 0}, {err.read, POLLIN, 0}};
    if (poll(fds, 3, -1) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    if (fds[0].revents != 0) {
      const ssize_t n = write(in.write, input.data() + written, input.size() - written);
      if (n > 0) written += static_cast<std::size_t>(n);
      if (written == input.size() || (n < 0 && errno != EAGAIN && errno != EINTR)) Pipe::shut(in.write);
    }
    if (fds[1].revents != 0) drain(out.read, result.output);
    if (fds[2].revents != 0) drain(err.read, result.messages);
  }
}

/// The arguments of exec, with a null pointer at the end.
std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  return argv;
}

/// True if the messages end with the words that report a killed linker. collect2, which starts the linker,
/// prints last. If the linker ended by itself, other words follow the linker's own messages.
bool ends_with_killed_linker(const std::string& messages) {
  const std::size_t at = messages.rfind("collect2: fatal error: ");
  return at != messages.npos && (at == 0 || messages[at - 1] == '\n') &&
         messages.find(" terminated with signal 9 [", at) < messages.find('\n', at) &&
         std::count(messages.begin() + static_cast<std::ptrdiff_t>(at), messages.end(), '\n') == 2;
}

/// The environment requests large pages for a linker. A linker fills fresh memory and exits; with pages of 4
/// KiB, half of its time goes into page faults.
std::vector<char*> environment_of(const Command& command) {
  static char large_pages[] = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432";
  std::vector<char*> variables;
  for (char** each = environ; *each != nullptr; ++each) variables.push_back(*each);
  if (command.large_pages && std::getenv("GLIBC_TUNABLES") == nullptr) variables.push_back(large_pages);
  variables.push_back(nullptr);
  return variables;
}

}  // namespace

CommandResult run(const Command& command) {
  CommandResult result;
  Pipe in, out, err;
  if (!in.open() || !err.open() || (command.capture_output && !out.open())) {
    result.start_error = std::strerror(errno);
    return result;
  }
  std::vector<char*> argv = pointers(command.argv);
  std::vector<char*> variables = environment_of(command);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read, 0);
  if (command.capture_output) posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  pid_t pid = 0;
  const int failure = interrupted()
                          ? EINTR
                          : posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) {
    result.start_error = std::strerror(failure);
    return result;
  }
  result.started = true;
  Registered registered(pid);
  Pipe::shut(in.read);
  Pipe::shut(out.write);
  Pipe::shut(err.write);
  exchange(in, out, err, command.input, result);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  result.killed = result.status == 128 + SIGKILL || result.status == kit_wire::killed_from_outside ||
                  ends_with_killed_linker(result.messages);
  if (result.killed) one_was_killed = true;
  return result;
}

std::string become(const std::vector<std::string>& words) {
  std::vector<char*> argv = pointers(words);
  std::fflush(nullptr);
  std::signal(SIGPIPE, SIG_DFL);  // exec resets this process's handlers, but ignored signals stay ignored
  std::signal(SIGXFSZ, SIG_DFL);
  execv(argv[0], argv.data());
  return std::strerror(errno);
}

void handle_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the file size limit then fails with an error
}

bool interrupted() {
  return caught_signal != 0;
}

void die_of_signal() {
  const int signal = caught_signal == 0 ? SIGTERM : caught_signal.load();
  std::signal(signal, SIG_DFL);
  raise(signal);
  _exit(128 + signal);
}

bool any_was_killed() {
  return one_was_killed;
}

std::vector<std::string> reporting_kills(std::vector<std::string> command) {
  // g++ splits this argument at commas, so the script must not contain a comma.
  const std::string script = "\"$@\"; s=$?; test $s != " + std::to_string(128 + SIGKILL) +
                             " || s=" + std::to_string(kit_wire::killed_from_outside) + "; exit $s";
  command.insert(command.begin() + 1, {"-pass-exit-codes", "-wrapper", "sh,-c," + script + ",sh"});
  return command;
}

std::string find_program(const std::string& name) {
  if (name.empty()) return {};
  if (name.find('/') != name.npos) return access(name.c_str(), X_OK) == 0 ? name : std::string();
  const char* path = std::getenv("PATH");
  const std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string candidate = (end == at ? std::string(".") : folders.substr(at, end - at)) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    at = end + 1;
  }
  return {};
}

std::string quote(const std::vector<std::string>& words) {
  std::string all;
  for (const auto& word : words) {
    if (!all.empty()) all += ' ';
    const bool plain =
        !word.empty() &&
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%") ==
            word.npos;
    if (plain) {
      all += word;
      continue;
    }
    all += '\'';
    for (const char c : word) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
    all += '\'';
  }
  return all;
}

}  // namespace emucc
