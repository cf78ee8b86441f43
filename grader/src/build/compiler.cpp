#include "build/compiler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <semaphore>
#include <thread>

#include "base/terminal.hpp"
#include "process/cgroup.hpp"
#include "wire/exit_status.hpp"

namespace grader {
namespace {

constexpr std::uint64_t MiB = 1 << 20;

/// The message for a compiler that did not end by itself.
std::string explain_end(const ProcessResult& result) {
  using End = ProcessResult::End;
  switch (result.end) {
    case End::exited:
      return {};
    case End::time_out:
      return fmt::format(
          "The compiler did not end within {:.0f} s: a template or an #include that never ends?\n",
          result.wall_s);
    case End::memory_limit:
      return fmt::format("The compiler used {} of memory: a template or an array that is far too large?\n",
                         human_bytes(static_cast<double>(result.peak_memory)));
    case End::output_limit:
      return "The compiler printed more than can be kept; the first of its words are above.\n";
    case End::interrupted:
      return "The compilation was interrupted.\n";
    default:
      return fmt::format("The compiler {}.\n", describe_end(result));
  }
}

fs::path real_folder(const fs::path& file) {
  std::error_code ignored;
  return fs::canonical(file, ignored).parent_path();
}

/// The prefix of a compiler PREFIX/bin/NAME; empty for a compiler of the system.
fs::path installation(const fs::path& compiler) {
  const fs::path prefix = real_folder(compiler).parent_path();
  return prefix == prefix.root_path() || prefix == "/usr" ? fs::path() : prefix;
}

bool says_architecture(const ProcessResult& result) {
  return !result.ok() && (result.err + result.out).find("gpu-architecture") != std::string::npos;
}

/// Why nvcc can't compile for a GPU's architecture. Empty if it can. The test does not compile the source,
/// because the source could print messages like nvcc's.
std::string architecture_problem(const Machine& machine, const ProcessRequest& compilation,
                                 const SandboxSpec& spec) {
  const std::vector<std::string>& words = compilation.argv;
  const auto arch = std::find_if(words.begin(), words.end(),
                                 [](const std::string& word) { return word.starts_with("-arch="); });
  if (arch == words.end()) return {};
  ProcessRequest question = compilation;
  question.argv = {words[0], *arch, "--dryrun", "-x", "cu", "-c", "/dev/null", "-o", "/dev/null"};
  const ProcessResult answer =
      run_unless_killed([&] { return machine.commands.run_confined(question, spec); });
  const std::string said = answer.err + answer.out;
  return says_architecture(answer) ? said.substr(0, said.find('\n')) : std::string();
}

/// Compiles a submission. If the compiler was killed from outside, compiles it once more. emucc's exit status
/// shows that one of its programs was killed. The parts of nvcc report this only in messages, which a source
/// can print, too. So such messages cause at most one repetition.
template <typename RunIt>
ProcessResult compile_unless_killed(const RunIt& run_it) {
  using End = ProcessResult::End;
  ProcessResult done;
  for (int tries = 0; tries < 2; ++tries) {
    done = run_it();
    if (done.end == End::exited && done.code == kit_wire::killed_from_outside) done.end = End::killed;
    const bool says_so = !done.ok() && done.err.find("died due to signal 9") != std::string::npos;
    if (done.end != End::killed && !says_so) break;
  }
  return done;
}

/// @throws Error (environment) if the machine failed, whatever the source prints
void throw_if_machine_failed(const Machine& machine, const ProcessResult& result, const fs::path& folder) {
  if (result.end == ProcessResult::End::not_started)
    throw Error(ErrorKind::environment, fmt::format("The compiler could not be started: {}.", result.error),
                "grader doctor");
  if (result.end == ProcessResult::End::killed) throw killed_twice("The compiler");
  if (ran_out_of_disk(machine, result, folder))
    throw disk_is_full("the compiler could not write its files", Kit::cache_setting());
}

/// One of the slots for parallel compilers, which all callers share. The constructor waits until a slot is
/// free.
class Place {
 public:
  Place() { places().acquire(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() { places().release(); }

 private:
  static std::counting_semaphore<>& places() {
    static std::counting_semaphore<> all(most_compilers());
    return all;
  }
};

/// emucc's option for an instrument.
const char* option_of(Instrument instrument) {
  switch (instrument) {
    case Instrument::check:
      return "--check";
    case Instrument::counters:
      return "--counters";
    case Instrument::lockstep:
      return "--lockstep";
    case Instrument::none:
      break;
  }
  return "--watchable";
}

}  // namespace

int most_compilers() {
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
}

ProcessLimits compiler_limits(const fs::path& folder) {
  ProcessLimits limits;
  limits.wall_s = 120;
  limits.memory = std::min(4096 * MiB, memory_here() / 2);
  limits.output = MiB / 4;
  limits.file_size = 512 * MiB;
  limits.folder_size = 1024 * MiB;
  limits.watched_folder = folder;
  limits.processes = 64;
  return limits;
}

std::vector<fs::path> emucc_folders(const fs::path& emucc) {
  std::error_code ignored;
  const fs::path prefix = fs::canonical(emucc, ignored).parent_path().parent_path();
  std::vector<fs::path> folders;
  for (const char* name : {"include", "lib", "share/cuemu"})
    if (fs::is_directory(prefix / name, ignored)) folders.push_back(prefix / name);
  return folders;
}

std::string architecture(const Toolchain& toolchain) {
  if (toolchain.gpus.empty())
    throw Error(ErrorKind::environment, "There is no GPU to compile for.", "grader doctor");
  const auto& gpu = toolchain.gpus.front();
  // The program runs only on this GPU, so it may use instructions that later GPUs lack. For example, wgmma
  // and setmaxnreg exist only in sm_90a.
  return fmt::format("sm_{}{}{}", gpu.compute_major, gpu.compute_minor, gpu.compute_major >= 9 ? "a" : "");
}

bool is_relocatable(const Submission& submission) {
  return submission.lab != nullptr && submission.lab->relocatable;
}

Instrument code_for(Instrument instrument) {
  return instrument == Instrument::lockstep ? instrument : Instrument::none;
}

std::vector<std::string> compiler_command(const Toolchain& toolchain, Backend backend,
                                          const std::string& arch, bool relocatable, Instrument instrument) {
  std::vector<std::string> command;
  if (backend == Backend::emu) {
    command = {toolchain.emucc, option_of(instrument), "-O2", "-std=c++17"};
  } else {
    command = {toolchain.nvcc, "-O2", "-std=c++17", "-lineinfo", "-arch=" + arch};
  }
  if (relocatable) command.push_back("-rdc=true");
  command.push_back("-I" + toolchain.include_folder.string());
  return command;
}

void add_macros(std::vector<std::string>& command, const Macros& macros) {
  for (const auto& [name, value] : macros) command.push_back(fmt::format("-D{}={}", name, value));
}

void add_libraries(std::vector<std::string>& command, const Toolchain& toolchain, Backend backend,
                   const std::vector<std::string>& link) {
  if (link.empty()) return;
  command.insert(command.end(), {"-Xlinker", "--no-as-needed"});
  for (const std::string& library : link) command.push_back("-l" + library);
  std::error_code none;
  const fs::path libraries = fs::canonical(toolchain.nvcc, none).parent_path().parent_path() / "lib64";
  // If ldconfig does not know the toolkit's libraries, the program looks for them in the folder where the
  // linker found them.
  if (backend == Backend::gpu && fs::is_directory(libraries, none))
    command.insert(command.end(), {"-Xlinker", "-rpath=" + libraries.string()});
}

std::string shell_word(const std::string& argument) {
  const bool plain = !argument.empty() && argument.find_first_not_of(
                                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789_-+=./,:@%") == std::string::npos;
  if (plain) return argument;
  std::string result = "'";
  for (const char c : argument) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string as_argument(const fs::path& name) {
  const std::string text = name.string();
  return text.rfind('-', 0) == 0 || text.rfind('@', 0) == 0 ? "./" + text : text;
}

std::string typed_command(const std::vector<std::string>& compiler, const std::vector<fs::path>& sources,
                          const std::string& program) {
  std::vector<std::string> words = {fs::path(compiler[0]).filename()};
  words.insert(words.end(), compiler.begin() + 1, compiler.end());
  for (const fs::path& source : sources) words.push_back(as_argument(source));
  words.insert(words.end(), {"-o", program});
  for (std::string& word : words) word = shell_word(word);
  return fmt::format("{}", fmt::join(words, " "));
}

ProcessResult run_compiler(const Machine& machine, const ProcessRequest& request) {
  const Place place;
  ProcessResult done = machine.commands.run_own(request);
  throw_if_machine_failed(machine, done, request.limits.watched_folder);
  return done;
}

namespace {

/// The files that a compiler sees, and its environment.
SandboxSpec compiler_sandbox(ProcessRequest& request, const Toolchain& toolchain, Backend backend,
                             const fs::path& folder) {
  SandboxSpec spec;
  spec.work_folder = folder;
  spec.program_folder = fs::path(request.argv[0]).parent_path();
  spec.read_only = {toolchain.include_folder, real_folder(request.argv[0])};
  // Compilers installed outside /usr need the rest of their installation.
  spec.read_only.push_back(installation(toolchain.host_compiler));
  if (backend == Backend::emu) {
    for (const fs::path& below : emucc_folders(toolchain.emucc)) spec.read_only.push_back(below);
  } else {
    spec.gpu = true;
    spec.read_only.push_back(installation(toolchain.nvcc));
  }
  for (const char* name : compiler_variables)
    if (const char* value = std::getenv(name)) request.environment[name] = value;
  return spec;
}

/// The headers that emucc reported as made. After 5 minutes, emucc is called again, since the headers may
/// have been removed.
class MadeHeaders {
 public:
  bool lately(const std::string& key) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto at = made_.find(key);
    return at != made_.end() && Clock::now() - at->second < std::chrono::minutes(5);
  }
  void note(const std::string& key) {
    const std::lock_guard<std::mutex> lock(mutex_);
    made_[key] = Clock::now();
  }

 private:
  using Clock = std::chrono::steady_clock;
  mutable std::mutex mutex_;
  std::map<std::string, Clock::time_point> made_;
};

/// The folder of emucc's precompiled headers. Without them, every compilation takes some seconds longer.
fs::path headers_cache(const Kit& kit) {
  return kit.cache() / "emucc";
}

}  // namespace

void make_headers(const Machine& machine, const Kit& kit, const Toolchain& toolchain,
                  std::vector<std::string> command, const fs::path& source, const fs::path& folder,
                  const std::string& wanted, Headers which) {
  static MadeHeaders made;
  const std::string option = which == Headers::shared ? "--make-headers=shared" : "--make-headers";
  const std::string key = headers_cache(kit).string() + "\n" + option + "\n" + wanted;
  if (made.lately(key)) return;
  command.insert(command.end(), {option, as_argument(source)});
  ProcessRequest request;
  request.argv = std::move(command);
  request.limits = compiler_limits(folder);
  SandboxSpec spec = compiler_sandbox(request, toolchain, Backend::emu, folder);
  spec.writable = {headers_cache(kit)};
  spec.of_the_kit = true;
  request.environment["CUEMU_CACHE"] = spec.writable.front();
  const Place place;
  const ProcessResult done = machine.commands.run_confined(request, spec);  // a failure only costs time later
  if (done.ok() && done.out == "made\n") made.note(key);
}

ProcessResult compile(const Machine& machine, const Kit& kit, const Toolchain& toolchain, Backend backend,
                      std::vector<std::string> command, const fs::path& folder, double wall_s) {
  if (backend == Backend::gpu) {  // /usr/local/cuda is often a link, which can't be mounted over
    std::error_code failed;
    const fs::path real = fs::canonical(command[0], failed);
    if (!failed && real.filename() == fs::path(command[0]).filename()) command[0] = real;
  }
  ProcessRequest request;
  request.argv = command;
  request.limits = compiler_limits(folder);
  request.limits.wall_s = std::min(request.limits.wall_s, wall_s);

  SandboxSpec spec = compiler_sandbox(request, toolchain, backend, folder);
  if (backend == Backend::emu) {
    spec.read_only.push_back(headers_cache(kit));
    request.environment["CUEMU_CACHE"] = headers_cache(kit);
  }
  const Place place;
  ProcessResult done = compile_unless_killed([&] { return machine.commands.run_confined(request, spec); });
  throw_if_machine_failed(machine, done, folder);
  if (backend == Backend::gpu && says_architecture(done)) {
    if (const std::string problem = architecture_problem(machine, request, spec); !problem.empty())
      throw Error(ErrorKind::environment,
                  fmt::format("{} does not know this GPU's architecture: {}",
                              fs::path(command[0]).filename().string(), problem),
                  "install a CUDA toolkit that is as new as the GPU, or use --backend emu");
  }
  return done;
}

std::string words_of(const ProcessResult& compilation) {
  return compilation.err + compilation.out + explain_end(compilation);
}

}  // namespace grader
