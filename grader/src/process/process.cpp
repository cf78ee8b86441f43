#include "process/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "base/descriptor.hpp"
#include "process/cgroup.hpp"
#include "process/process_tree.hpp"

extern char** environ;

namespace grader {
namespace {

using Clock = std::chrono::steady_clock;
using End = ProcessResult::End;

constexpr double first_sample_s = 0.002;    // short enough to measure small programs …
constexpr double longest_sample_s = 0.025;  // … and long enough to cost little for long ones
constexpr double unlimited_sample_s = 0.5;  // without limits, samples only measure the peak of memory
constexpr double folder_sample_s = 0.1;
constexpr std::uint64_t of_entry = 1 << 20;  // each entry of a watched folder counts at least this many bytes
constexpr rlim_t most_open_files = 4096;     // few enough to sum up the sizes of their files
constexpr int watcher_priority = -10;
constexpr double patience_s = 2;  // seconds in which the keeper has to end the tree

// ---------------------------------------------------------------------------------------------------------------------
// Ctrl-C sets a flag for loops, and makes a pipe readable for every poll().

std::atomic<bool> interrupt_flag{false};
int interrupt_pipe[2] = {-1, -1};

void on_interrupt(int) {
  interrupt_flag = true;
  const int saved = errno;
  [[maybe_unused]] const ssize_t written = write(interrupt_pipe[1], "!", 1);
  errno = saved;
}

// ---------------------------------------------------------------------------------------------------------------------

struct Pipe {
  Descriptor reader, writer;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Error(ErrorKind::environment, fmt::format("No pipe could be opened: {}.", std::strerror(errno)),
                "close other programs, or raise the limit with: ulimit -n 1024");
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

constexpr std::uint64_t longest_status = 4096;

/// The exit code that bubblewrap reported at status_descriptor; no value if the program was not started.
std::optional<int> exit_code_in(const std::string& status) {
  static const std::string key = "\"exit-code\": ";
  const std::size_t at = status.find(key);
  int code = 0;
  if (at == std::string::npos) return std::nullopt;
  const auto [end, error] =
      std::from_chars(status.data() + at + key.size(), status.data() + status.size(), code);
  return error == std::errc() ? std::optional<int>(code) : std::nullopt;
}

/// Creates a pair of sockets. The program gets the writing end, and reads `hello` from it first.
Pipe make_channel(const std::string& hello) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(ErrorKind::environment, fmt::format("No socket could be opened: {}.", std::strerror(errno)),
                "close other programs, or raise the limit with: ulimit -n 1024");
  Pipe channel{Descriptor(ends[0]), Descriptor(ends[1])};
  [[maybe_unused]] const ssize_t sent =
      send(ends[0], hello.data(), hello.size(), MSG_NOSIGNAL);  // shorter than the socket's buffer
  shutdown(ends[0], SHUT_WR);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return channel;
}

/// Writes a filter to a file, for bwrap.
Descriptor as_file(const std::vector<sock_filter>& filter) {
  Descriptor file(memfd_create("filter", MFD_CLOEXEC));
  const std::size_t bytes = filter.size() * sizeof filter[0];
  if (!file.open() || write(file.get(), filter.data(), bytes) != static_cast<ssize_t>(bytes) ||
      lseek(file.get(), 0, SEEK_SET) != 0)
    throw Error(ErrorKind::environment, fmt::format("No memory for a filter: {}.", std::strerror(errno)));
  return file;
}

/// One stream of the program. If the stream exceeds the limit, the object keeps its first and its last bytes,
/// half of the limit each. The last lines show how the program ended.
class Capture {
 public:
  Capture(Descriptor reader, std::uint64_t keep) : reader_(std::move(reader)), keep_(keep) {}

  int descriptor() const { return reader_.get(); }
  bool open() const { return reader_.open(); }
  bool flooded() const { return total_ > 10 * keep_; }
  std::string take() {
    if (text_.size() > keep_) text_.erase(first_half(), text_.size() - keep_);
    return std::move(text_);
  }

  /// Reads the available bytes without waiting. Stops after a limited number, since a program that never
  /// stops writing must not block the grader.
  void read_some() {
    char buffer[65536];
    while (open() && !flooded()) {
      const ssize_t got = read(reader_.get(), buffer, sizeof buffer);
      if (got > 0) {
        total_ += static_cast<std::uint64_t>(got);
        text_.append(buffer, static_cast<std::size_t>(got));
        if (text_.size() > 2 * keep_ + sizeof buffer) text_.erase(first_half(), text_.size() - keep_);
      } else if (got == 0) {
        reader_.close();
      } else if (errno == EAGAIN) {
        return;
      } else if (errno != EINTR) {
        reader_.close();
      }
    }
  }

 private:
  std::size_t first_half() const { return static_cast<std::size_t>(keep_ - keep_ / 2); }

  Descriptor reader_;
  std::uint64_t keep_;
  std::uint64_t total_ = 0;
  std::string text_;
};

std::vector<std::string> make_environment(const ProcessRequest& request) {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry; ++entry) {
    const char* equals = std::strchr(*entry, '=');
    if (!equals) continue;
    const std::string name(*entry, static_cast<std::size_t>(equals - *entry));
    const bool basic = name == "PATH" || name == "HOME" || name == "LANG" || name == "TMPDIR";
    if (basic || !request.clean_environment) variables[name] = equals + 1;
  }
  for (const auto& [name, value] : request.environment) variables[name] = value;
  std::vector<std::string> lines;
  for (const auto& [name, value] : variables) lines.push_back(name + "=" + value);
  return lines;
}

std::vector<char*> pointers(std::vector<std::string>& lines) {
  std::vector<char*> result;
  for (std::string& line : lines) result.push_back(line.data());
  result.push_back(nullptr);
  return result;
}

/// The program's full path. If there is none, `error` receives the reason.
fs::path resolve(const std::string& name, std::string& error) {
  if (name.find('/') == std::string::npos) {
    const fs::path found = find_program(name);
    if (found.empty()) error = fmt::format("there is no program \"{}\" in PATH", name);
    return found;
  }
  std::error_code ignored;
  const fs::path path = fs::absolute(name, ignored);
  if (!fs::exists(path, ignored)) {
    error = fmt::format("there is no file {}", name);
  } else if (!fs::is_regular_file(path, ignored)) {
    error = fmt::format("{} is not a program but a folder or a device", name);
  } else if (access(path.c_str(), X_OK) != 0) {
    error = fmt::format("{} is not executable", name);
  }
  return path;
}

std::string explain(const KeeperReport& report, const ProcessRequest& request) {
  const std::string& name = request.argv[0];
  switch (report.kind) {
    case KeeperReport::Kind::chdir_failed:
      return fmt::format("its folder {} can't be entered: {}", request.cwd.string(),
                         std::strerror(report.value));
    case KeeperReport::Kind::fork_failed:
      return fmt::format("{} could not be started: {}", name, std::strerror(report.value));
    default:
      break;
  }
  if (report.value == ENOENT)
    return fmt::format("{} needs an interpreter or loader that is not installed", name);
  if (report.value == ENOEXEC) return fmt::format("{} is not a program that this machine can run", name);
  return fmt::format("{} could not be started: {}", name, std::strerror(report.value));
}

/// The keeper's program: beside this program or, for a test, in the folder of programs.
std::string keeper_program() {
  const fs::path folder = own_program().parent_path(), beside = folder / "grader-keeper";
  std::error_code ignored;
  return fs::exists(beside, ignored) ? beside : folder.parent_path() / "bin" / "grader-keeper";
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// One run, from fork to the last process of its tree.
class Run {
 public:
  Run(const ProcessRequest& request, const fs::path& program) : request_(request), program_(program) {}

  ProcessResult operator()() {
    start();
    while (report_.open()) {
      wait_for_news();
      check_limits();
    }
    out_->read_some();  // all writers have closed the pipe; these bytes are the rest
    err_->read_some();
    if (channel_) channel_->read_some();
    if (exit_status_) exit_status_->read_some();
    finish();
    return std::move(result_);
  }

 private:
  void start() {
    Pipe out = make_pipe(), err = make_pipe(), report = make_pipe();
    const Descriptor input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    Pipe channel;
    if (!request_.hello.empty()) channel = make_channel(request_.hello);
    Pipe exit_status;
    if (request_.in_sandbox) exit_status = make_pipe();
    const std::vector<sock_filter>& syscalls = syscall_filter(request_.syscalls);
    const Descriptor filter = syscalls.empty() ? Descriptor() : as_file(syscalls);
    KeeperTask task;
    task.input = input.get();
    task.output = out.writer.get();
    task.error = err.writer.get();
    task.report = report.writer.get();
    task.channel = channel.writer.get();
    task.filter = filter.get();
    task.status = exit_status.writer.get();
    task.installs_filter = request_.in_sandbox ? 0 : !syscalls.empty();
    task.user = request_.user;
    if (request_.limits.file_size) task.file_size = static_cast<std::int64_t>(request_.limits.file_size);
    // RLIMIT_NPROC counts all threads of the user, so the limit includes those that already run. It does not
    // apply to root.
    if (request_.limits.processes && geteuid() != 0)
      task.user_processes = static_cast<std::int64_t>(threads_of_user() + threads_allowed());
    if (request_.limits.processes) {
      task.open_files = most_open_files;
      group_ = ControlGroup::make(threads_allowed(), request_.limits.memory);
      if (group_) task.group_members = group_->members();
    }
    task.grader = getpid();
    task.priority = priority_ = getpriority(PRIO_PROCESS, 0);
    task.cwd = request_.cwd;

    // Only root may raise its priority, and RLIMIT_NPROC applies to all users except root. So a fork bomb can't
    // starve its watcher.
    setpriority(PRIO_PROCESS, 0, watcher_priority);
    started_ = Clock::now();
    const int error = start_keeper(task);
    if (error != 0) {
      setpriority(PRIO_PROCESS, 0, priority_);
      if (error == ENOENT)
        throw Error(ErrorKind::environment,
                    fmt::format("{} is missing, which the grader starts programs with.", keeper_program()),
                    "build the grader again with: ./bootstrap");
      throw Error(ErrorKind::environment,
                  fmt::format("No process could be started: {}.", std::strerror(error)),
                  "close other programs, or raise the limit with: ulimit -u unlimited");
    }

    out_.emplace(std::move(out.reader), request_.limits.output);
    err_.emplace(std::move(err.reader), request_.limits.output);
    report_ = std::move(report.reader);
    if (channel.reader.open()) channel_.emplace(std::move(channel.reader), request_.limits.channel);
    if (exit_status.reader.open()) exit_status_.emplace(std::move(exit_status.reader), longest_status);
    filtered_ = !syscalls.empty();
    next_sample_ = first_sample_s;
    next_folder_sample_ = folder_sample_s;
  }

  /// @return an errno, or 0
  int start_keeper(const KeeperTask& task) {
    static const std::string keeper = keeper_program();
    std::vector<std::string> arguments = arguments_of(task), variables = make_environment(request_);
    arguments.insert(arguments.begin(), keeper);
    arguments.push_back(program_);
    arguments.insert(arguments.end(), request_.argv.begin(), request_.argv.end());
    posix_spawn_file_actions_t inherited;
    posix_spawn_file_actions_init(&inherited);
    for (const std::int64_t fd :
         {task.input, task.output, task.error, task.report, task.channel, task.filter, task.status})
      if (fd >= 0)  // a copy onto itself stays open across exec
        posix_spawn_file_actions_adddup2(&inherited, static_cast<int>(fd), static_cast<int>(fd));
    // The signals are blocked until the keeper waits for them, so that an early SIGTERM is not lost.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = posix_spawn(&keeper_, keeper.c_str(), &inherited, nullptr, pointers(arguments).data(),
                                  pointers(variables).data());
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    posix_spawn_file_actions_destroy(&inherited);
    return error;
  }

  /// The number of threads that RLIMIT_NPROC allows. It is generous, since each process may have a thread for
  /// each core. The watcher's count detects too many processes.
  std::uint64_t threads_allowed() const {
    return 4 * static_cast<std::uint64_t>(request_.limits.processes) + 256;
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  /// Sleeps until there is output, a report or an interrupt, or the next check is due.
  void wait_for_news() {
    pollfd watched[] = {{report_.get(), POLLIN, 0},
                        {out_->flooded() ? -1 : out_->descriptor(), POLLIN, 0},
                        {err_->flooded() ? -1 : err_->descriptor(), POLLIN, 0},
                        {channel_ && !channel_->flooded() ? channel_->descriptor() : -1, POLLIN, 0},
                        {ending_ ? -1 : interrupt_pipe[0], POLLIN, 0}};
    double until = next_sample_;
    if (!ending_ && elapsed() < request_.limits.wall_s) until = std::min(until, request_.limits.wall_s);
    const double left = std::max(0.0, until - elapsed());
    const timespec timeout{static_cast<time_t>(left), static_cast<long>(std::fmod(left, 1.0) * 1e9)};
    if (ppoll(watched, std::size(watched), &timeout, nullptr) < 0)
      return;  // EINTR: the next iteration sees the events
    if (watched[1].revents) out_->read_some();
    if (watched[2].revents) err_->read_some();
    if (watched[3].revents) channel_->read_some();
    if (watched[0].revents) read_report();
  }

  void read_report() {
    KeeperReport report;
    const ssize_t got = read(report_.get(), &report, sizeof report);
    if (got == sizeof report) {
      if (report.kind == KeeperReport::Kind::ended) {
        result_.wall_s = tree_should_end_ = elapsed();
        ended_ = true;
        status_ = report.value;
      } else {
        failure_ = report;
      }
    } else if (got == 0) {
      report_.close();  // the keeper has ended, and so has the tree
    }
  }

  void end(End why) {
    if (ending_ || ended_) return;
    ending_ = true;
    why_ = why;
    tree_should_end_ = elapsed();
    kill(keeper_, SIGTERM);
  }

  void check_limits() {
    const ProcessLimits& limits = request_.limits;
    const double now = elapsed();
    if (interrupted()) end(End::interrupted);
    if (flooded()) end(End::output_limit);
    if (now >= limits.wall_s && time_given(now, measure_tree(keeper_).cpu_s) >= limits.wall_s)
      end(End::time_out);
    if (now < next_sample_) return;

    const bool limited = limits.memory != 0 || limits.processes != 0 || limits.folder_size != 0;
    next_sample_ = now + std::min(limited || ending_ || ended_ ? longest_sample_s : unlimited_sample_s,
                                  std::max(first_sample_s, now / 4));
    if ((ending_ || ended_) && now > tree_should_end_ + patience_s) {
      for (const pid_t pid : descendants(keeper_))
        kill(pid, SIGKILL);  // needed if the operating system does not list the keeper's children
    }
    TreeUse use = measure_tree(keeper_);
    use.resident += unnamed_.in_memory;
    result_.peak_memory = std::max(result_.peak_memory, use.resident);
    if (limits.memory && use.resident > limits.memory) end(End::memory_limit);
    if (limits.processes && use.processes > limits.processes) end(End::process_limit);
    if (limits.folder_size && now >= next_folder_sample_) {
      unnamed_ = measure_unnamed_files(keeper_);
      if (folder_is_too_large()) end(End::file_limit);
      next_folder_sample_ = elapsed() + folder_sample_s;
    }
  }

  bool flooded() const { return out_->flooded() || err_->flooded() || (channel_ && channel_->flooded()); }

  bool folder_is_too_large() const {
    const ProcessLimits& limits = request_.limits;
    return unnamed_.on_disk + folder_size(limits.watched_folder, limits.folder_size, of_entry) >
           limits.folder_size;
  }

  void finish() {
    rusage used{};
    while (wait4(keeper_, nullptr, 0, &used) < 0 && errno == EINTR) {
    }
    result_.cpu_s = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    setpriority(PRIO_PROCESS, 0, priority_);
    if (!ended_) result_.wall_s = elapsed();
    result_.out = out_->take();
    result_.err = err_->take();
    if (channel_) result_.channel = channel_->take();
    if (failure_) {
      result_.error = explain(*failure_, request_);
    } else if (ending_) {
      result_.end = why_;
    } else if (flooded()) {
      result_.end = End::output_limit;
    } else if (ended_) {
      classify_status();
      // Measures the writes between the last sample and the end. Unnamed files no longer exist.
      unnamed_ = {};
      const bool by_itself = result_.end == End::exited || result_.end == End::signalled;
      if (by_itself && request_.limits.folder_size && folder_is_too_large()) result_.end = End::file_limit;
    } else {
      result_.end = End::killed;  // killed together with its keeper, which the program can't reach
    }
  }

  void classify_status() {
    if (WIFSIGNALED(status_)) {
      result_.end = End::signalled;
      result_.code = WTERMSIG(status_);
    } else {
      result_.end = End::exited;
      result_.code = WEXITSTATUS(status_);
    }
    if (exit_status_ && result_.end == End::exited) classify_sandbox();
    if (result_.end == End::signalled && result_.code == SIGXFSZ) result_.end = End::file_limit;
    // The operating system may also have killed a child, such as a compiler's.
    if (!result_.ok() && group_ && group_->was_out_of_memory()) result_.end = End::memory_limit;
    // With a filter, no program can end itself by SIGKILL (syscalls.hpp).
    if (result_.end == End::signalled && result_.code == SIGKILL && filtered_) result_.end = End::killed;
  }

  /// Called if bubblewrap itself exited. If it started no program, the message is bubblewrap's.
  void classify_sandbox() {
    const std::optional<int> code = exit_code_in(exit_status_->take());
    if (!code) {
      result_.end = End::not_started;
      result_.error = "the sandbox could not be set up: " + result_.err.substr(0, result_.err.find('\n'));
      return;
    }
    result_.code = *code;
    if (result_.code <= 128 || result_.code >= 128 + NSIG) return;
    result_.end = End::signalled;
    result_.code -= 128;
  }

  const ProcessRequest& request_;
  const fs::path& program_;
  ProcessResult result_;
  Clock::time_point started_;
  pid_t keeper_ = -1;
  int priority_ = 0;  // the priority before the run
  std::unique_ptr<ControlGroup> group_;
  std::optional<Capture> out_, err_, channel_;
  std::optional<Capture> exit_status_;  // the output at status_descriptor
  bool filtered_ = false;
  Descriptor report_;
  UnnamedFiles unnamed_;  // the unnamed files at the last sample
  bool ended_ = false, ending_ = false;
  int status_ = 0;
  End why_ = End::not_started;
  std::optional<KeeperReport> failure_;
  double next_sample_ = 0, next_folder_sample_ = 0, tree_should_end_ = 0;
};

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  ProcessResult result;
  if (interrupted()) {
    result.end = End::interrupted;
    return result;
  }
  const fs::path program = resolve(request.argv.at(0), result.error);
  if (!result.error.empty()) return result;
  return Run(request, program)();
}

namespace {

/// Whether the program, or one below it, died of SIGKILL: by its own end or, for compilers and linkers, by the words
/// of g++, collect2 and clang.
bool died_of_sigkill(const ProcessResult& result, Messages messages) {
  if (result.end == End::signalled) return result.code == SIGKILL;
  if (result.end != End::exited || result.code == 0) return result.end == End::killed;
  if (result.code == 128 + SIGKILL) return true;
  if (messages == Messages::quoting) return false;
  for (const char* words : {"Killed signal terminated program", "terminated with signal 9 [",
                            "unable to execute command: Killed"})
    if (result.err.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

ProcessResult run_unless_killed(const std::function<ProcessResult()>& run, Messages messages) {
  ProcessResult done = run();
  if (died_of_sigkill(done, messages) && !interrupted()) done = run();
  if (died_of_sigkill(done, messages)) done.end = interrupted() ? End::interrupted : End::killed;
  return done;
}

ProcessResult run_own_process(const ProcessRequest& request) {
  return run_unless_killed([&] { return run_process(request); });
}

std::string describe_end(const ProcessResult& result) {
  switch (result.end) {
    case End::exited:
      return fmt::format("exited with code {}", result.code);
    case End::signalled:
      return fmt::format("died of signal {} ({})", result.code, strsignal(result.code));
    case End::time_out:
      return fmt::format("did not end within {:.3g} s", result.wall_s);
    case End::memory_limit:
      return "used more memory than it may";
    case End::output_limit:
      return "flooded its output";
    case End::file_limit:
      return "wrote more to the disk than it may";
    case End::process_limit:
      return "started more processes than it may";
    case End::killed:
      return "was killed from outside";
    case End::interrupted:
      return "was interrupted";
    case End::not_started:
      break;
  }
  return "was not started: " + result.error;
}

bool says_disk_is_full(const ProcessResult& result) {
  for (const std::string* said : {&result.err, &result.out}) {
    for (const char* words : {"No space left on device", "Disk quota exceeded"})
      if (said->find(words) != std::string::npos) return true;
  }
  return false;
}

fs::path find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t colon = std::min(folders.find(':', begin), folders.size());
    const fs::path candidate = fs::path(folders.substr(begin, colon - begin)) / name;
    std::error_code ignored;
    if (colon > begin && fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0)
      return candidate;
    begin = colon + 1;
  }
  return {};
}

fs::path own_program() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed);
}

bool interrupted() {
  return interrupt_flag;
}

void install_interrupt_handler() {
  if (interrupt_pipe[0] >= 0) return;
  if (pipe2(interrupt_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace grader
