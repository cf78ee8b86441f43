// The reader of the record is a grandchild process, so that a program that waits for all its children does
// not wait for the reader. The reader has its own session, so that ctrl-C ends only the program. It reads
// until the socket is closed; the system closes the socket however the program ends. When the reader ends,
// the system closes the reader's side, and the program notices.
#include "record.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>

#include "findings.hpp"
#include "services.hpp"
#include "wire/profile.hpp"
#include "wire/trace.hpp"

// `emucc --record` defines this variable in the program. It contains the reader's path, which may be empty.
extern "C" __attribute__((weak)) const char cuemu_record_viewer[];

namespace cuemu::check {

namespace {

constexpr const char* signal_line = "\n{\"kind\":\"signal\",\"signal\":";
constexpr std::uintmax_t largest_source = 1 << 20;  ///< bytes

/// Whether the value is a shape such as `64x64`, with at least two numbers.
bool is_shape(const std::string& value) {
  if (value.find('x') == value.npos || value.find_first_not_of("0123456789x") != value.npos) return false;
  return value.front() != 'x' && value.back() != 'x' && value.find("xx") == value.npos;
}

std::uint64_t read_number(const std::string& name, const std::string& value) {
  char* end = nullptr;
  const unsigned long long number = std::strtoull(value.c_str(), &end, 10);
  if (value.empty() || value[0] == '-' || *end != 0 || number < 1 || number > 1'000'000'000)
    fatal(("CUEMU_RECORD: " + name + " needs a number above 0, not '" + value + "'").c_str());
  return number;
}

void read_word(const std::string& word, RecordSettings& result) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const std::string value = equals != word.npos ? word.substr(equals + 1) : "";
  if (!name.empty() && is_shape(value)) {
    result.shapes.push_back(word);
  } else if (name == "file" && !value.empty()) {
    result.file = value;
  } else if (name == "record" && !value.empty()) {
    result.record = value;
  } else if (name == "format" && (value == "text" || value == "json" || value == "page")) {
    result.format = value == "page" ? "" : value;
  } else if (name == "blocks") {
    result.blocks = read_number(name, value);
  } else if (name == "from") {
    result.from = read_number(name, value);
  } else if (word == "replace") {
    result.replace = true;
  } else if (word == "off") {
    result.off = true;
  } else {
    fatal(("CUEMU_RECORD: '" + word +
           "' is no setting; they are file=FILE, format=page, text or json, blocks=N, from=LAUNCH, "
           "record=FILE, "
           "replace, off, and the shapes of arrays, such as A=64x64")
              .c_str());
  }
}

RecordSettings read_settings() {
  RecordSettings result;
  const char* const text = std::getenv("CUEMU_RECORD");
  std::istringstream words(text != nullptr ? text : "");
  for (std::string word; std::getline(words, word, ',');)
    if (!word.empty()) read_word(word, result);
  return result;
}

struct Record {
  std::mutex mutex;
  std::atomic<int> to{-1};  ///< a socket to the reader, or a file; -1: none
  bool is_file = false;
  std::string file;
  std::set<std::string> sources;  ///< files already written
};

Record& record() {
  static auto* const only = new Record;
  return *only;
}

/// Writes the whole text. Safe in a signal handler. @return false if a part was not written
bool write_all(int to, const char* text, std::size_t size) {
  while (size > 0) {
    ssize_t sent = send(to, text, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == ENOTSOCK) sent = write(to, text, size);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    text += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

/// Ends the record, and waits until the reader has finished. Safe in a signal handler.
void close_and_wait() {
  const int to = record().to.exchange(-1);
  if (to < 0 || record().is_file) return;
  shutdown(to, SHUT_WR);
  constexpr int patience_ms = 60'000;
  pollfd end = {to, POLLIN, 0};
  while (poll(&end, 1, patience_ms) < 0 && errno == EINTR) continue;
}

/// Ends the record in a signal handler. The signal may interrupt a line, so the last line begins with a
/// newline.
void on_end(int signal) {
  std::signal(signal, SIG_IGN);  // `timeout` sends it twice, and another thread would get the second
  char line[80];
  std::size_t length = std::strlen(signal_line);
  std::memcpy(line, signal_line, length);
  if (signal >= 10) line[length++] = static_cast<char>('0' + signal / 10);
  line[length++] = static_cast<char>('0' + signal % 10);
  line[length++] = '}';
  line[length++] = '\n';
  if (const int to = record().to.load(); to >= 0) write_all(to, line, length);
  close_and_wait();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

/// Handles signals that the program does not handle. The runtime handles faults in kernels, and passes on
/// faults in host code.
void watch_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    now = {};
    now.sa_handler = on_end;
    now.sa_flags = SA_ONSTACK;
    sigemptyset(&now.sa_mask);
    sigaction(signal, &now, nullptr);
  }
}

/// Returns the path if it names an executable file; otherwise an empty text.
std::string runnable(const std::string& path) {
  return !path.empty() && access(path.c_str(), X_OK) == 0 ? path : "";
}

std::string find_viewer() {
  std::string found = &cuemu_record_viewer != nullptr ? runnable(cuemu_record_viewer) : "";
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; found.empty() && std::getline(folders, folder, ':');)
    found = runnable(folder + "/grader");
  return found;
}

std::string own_name() {
  return program_invocation_short_name;
}

/// The name without the extension: "a.out" → "a".
std::string stem_of(std::string name) {
  for (const char* const ending : {".out", ".exe"})
    if (name.size() > 4 && name.compare(name.size() - 4, 4, ending) == 0) name.resize(name.size() - 4);
  return name;
}

std::vector<std::string> viewer_command(const std::string& viewer) {
  const RecordSettings& settings = record_settings();
  std::vector<std::string> argv = {viewer, "view", "-"};
  if (!settings.file.empty()) argv.insert(argv.end(), {"--output", settings.file});
  if (settings.file.empty() && settings.format == "json")  // JSON is not made for a terminal
    argv.insert(argv.end(), {"--output", stem_of(own_name()) + ".json"});
  if (!settings.format.empty()) argv.insert(argv.end(), {"--format", settings.format});
  for (const std::string& shape : settings.shapes) argv.insert(argv.end(), {"--shape", shape});
  if (settings.replace) argv.emplace_back("--replace");
  return argv;
}

/// @return this side's end of the socket; negative if the reader could not be started
int start_viewer(const std::string& viewer) {
  std::vector<std::string> words = viewer_command(viewer);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    dup2(ends[1], STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);  // standard output belongs to the program
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  // The descriptor gets a high number, so that files that the program opens get their usual numbers.
  const int to = child > 0 ? fcntl(ends[0], F_DUPFD_CLOEXEC, 100) : -1;
  close(ends[0]);
  return to;
}

void say(const std::string& sentence) {
  std::fprintf(stderr, "cuemu: %s\n", sentence.c_str());
}

void open_file(const std::string& file) {
  Record& it = record();
  it.is_file = true;
  it.file = file;
  it.to = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

/// Opens a file in the current folder, or in the folder of temporary files.
void open_some_file(const std::string& name) {
  const std::string ending = ".record";
  open_file(name + ending);
  if (record().to >= 0) return;
  const char* const folder = std::getenv("TMPDIR");
  record().file =
      std::string(folder != nullptr && *folder != 0 ? folder : "/tmp") + "/" + name + "-XXXXXX" + ending;
  record().to = mkostemps(record().file.data(), static_cast<int>(ending.size()), O_CLOEXEC);
}

void say_if_closed() {
  const Record& it = record();
  if (it.to < 0)
    say("nothing is recorded: " + it.file + " can't be written (" + std::strerror(errno) +
        "); CUEMU_RECORD=record=FILE names another file");
}

std::string own_line() {
  std::ifstream in("/proc/self/cmdline");
  std::vector<std::string> arguments;
  for (std::string word; std::getline(in, word, '\0');) arguments.push_back(word);
  if (!arguments.empty()) arguments.erase(arguments.begin());
  return kit_wire::program_line(own_name(), arguments);
}

}  // namespace

bool is_recorded() {
  static const bool is = &cuemu_record_viewer != nullptr && !has_channel() && !record_settings().off;
  return is;
}

const RecordSettings& record_settings() {
  static const auto* const read = new RecordSettings(read_settings());
  return *read;
}

void begin_record() {
  if (!is_recorded()) return;
  Record& it = record();
  const RecordSettings& settings = record_settings();
  if (!settings.record.empty()) {
    open_file(settings.record);
  } else {
    const std::string viewer = find_viewer();
    if (!viewer.empty()) it.to = start_viewer(viewer);
    if (it.to < 0) open_some_file(stem_of(own_name()));
  }
  say_if_closed();
  if (it.to < 0) return;
  send_record(own_line());
  watch_signals();
  // A forked child is not recorded, so it must not keep the socket open.
  pthread_atfork(nullptr, nullptr, [] {
    if (const int to = record().to.exchange(-1); to >= 0) close(to);
  });
}

void send_record(std::string line) {
  Record& it = record();
  const std::lock_guard<std::mutex> lock(it.mutex);
  const int to = it.to.load();
  if (to < 0) return;
  line += '\n';
  if (write_all(to, line.data(), line.size())) return;
  it.to = -1;
  say(it.is_file
          ? "the record ends too early: " + it.file + " can't be written (" + std::strerror(errno) + ")"
          : "no page is made: its maker, " + find_viewer() + ", has ended");
}

void send_source(const std::string& file) {
  Record& it = record();
  if (it.to < 0 || file.empty() || !it.sources.insert(file).second) return;
  std::error_code unknown;
  if (std::filesystem::file_size(file, unknown) > largest_source || unknown) return;
  std::ifstream in(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  send_record(kit_wire::source_line(file, text));
}

void send_findings(const std::vector<Finding>& findings, const std::set<std::string>& unwatched) {
  if (record().to < 0) return;
  for (const Finding& finding : findings)
    for (const Party& party : finding.parties) send_source(party.line.file);
  send_record(kit_wire::report_line("findings", as_json(findings, unwatched)));
}

void end_record(int status) {
  Record& it = record();
  if (it.to < 0) return;
  send_record(kit_wire::program_end_line(status));
  const bool to_file = it.is_file && it.to >= 0;
  close_and_wait();
  if (to_file)
    say("what the kernels did is recorded in " + it.file + ": grader view " + it.file +
        " makes a page of it");
}

}  // namespace cuemu::check
