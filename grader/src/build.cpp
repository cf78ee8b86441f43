// Compiles a submission or an oracle, once for each content. What goes into a program goes into its key.
#include "build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>

#include "build_cache.hpp"
#include "files.hpp"
#include "sandbox.hpp"
#include "sha256.hpp"

namespace grader {
namespace {

constexpr std::uint64_t MiB = 1 << 20;
constexpr const char* compiler_variables[] = {"CUEMU_HOST_CXX", "CUEMU_ARCH", "NVCC_CCBIN"};
constexpr std::size_t most_headers = 2000;
constexpr const char* built_program = ".program";  // a name that no source has

/// Limits of a compiler: generous for any honest source, and an end for a template that never ends.
ProcessLimits compiler_limits(const fs::path& folder) {
  ProcessLimits limits;
  limits.wall_s = 120;
  limits.memory = 4096 * MiB;
  limits.output = MiB / 4;
  limits.file_size = 512 * MiB;
  limits.folder_size = 1024 * MiB;
  limits.watched_folder = folder;
  limits.processes = 64;
  return limits;
}

/// Collects what determines a program. Each piece is preceded by its length, so that no two lists give the
/// same bytes.
class Key {
 public:
  explicit Key(const std::string& kind) { add(kind); }
  void add(const std::string& piece) { hash_.update(fmt::format("{}:", piece.size())).update(piece); }

  /// A file that is not read: its path, size and date of change stand for it.
  void add_state(const fs::path& file) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) return add(file.string() + "|missing");
    add(fmt::format("{}|{}|{}.{}", file.string(), status.st_size, status.st_mtim.tv_sec,
                    status.st_mtim.tv_nsec));
  }

  void add_compiler(const fs::path& compiler, const std::string& version) {
    std::error_code failed;
    const fs::path real = fs::canonical(compiler, failed);
    add_state(failed ? compiler : real);
    add(version);
  }

  std::string digest() { return hash_.hex_digest(); }

 private:
  Sha256 hash_;
};

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, failed), end;
  for (; !failed && at != end && files.size() < most_headers; at.increment(failed)) {
    std::error_code gone;
    if (at->is_regular_file(gone)) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void add_contents(Key& key, const fs::path& folder) {
  for (const fs::path& file : files_below(folder)) {
    key.add(fs::relative(file, folder).string());
    key.add(read_file(file, 16 * MiB));
  }
}

/// The folders beside emucc that it takes headers, its library and its tools from.
std::vector<fs::path> emucc_folders(const fs::path& emucc) {
  std::error_code ignored;
  const fs::path prefix = fs::canonical(emucc, ignored).parent_path().parent_path();
  std::vector<fs::path> folders;
  for (const char* name : {"include", "lib", "share/cuemu"})
    if (fs::is_directory(prefix / name, ignored)) folders.push_back(prefix / name);
  return folders;
}

/// What emucc and nvcc hand their code to: g++, or what a variable names.
void add_host_compiler(Key& key, const Toolchain& toolchain) {
  key.add_compiler(toolchain.host_compiler, toolchain.host_version);
  key.add_compiler(find_program("g++"), "");
  for (const char* name : compiler_variables) {
    const char* value = std::getenv(name);
    key.add(value ? value : "");
  }
}

void add_emulation(Key& key, const Toolchain& toolchain) {
  key.add_compiler(toolchain.emucc, toolchain.emucc_version);
  add_host_compiler(key, toolchain);
  for (const fs::path& folder : emucc_folders(toolchain.emucc)) {
    for (const fs::path& file : files_below(folder)) {
      const bool library =
          folder.filename() == "lib" && file.filename().string().find("cuemu") == std::string::npos;
      if (!library) key.add_state(file);
    }
  }
}

std::string architecture(const Toolchain& toolchain) {
  if (toolchain.gpus.empty())
    throw Error(ErrorKind::environment, "There is no GPU to compile for.", "grader doctor");
  return fmt::format("sm_{}{}", toolchain.gpus.front().compute_major, toolchain.gpus.front().compute_minor);
}

/// The compiler and its options, without sources and output.
/// @param arch for nvcc
std::vector<std::string> compiler_command(const Toolchain& toolchain, Backend backend,
                                          const std::map<std::string, std::string>& macros,
                                          const std::string& arch, Instrument instrument = Instrument::none) {
  std::vector<std::string> command;
  if (instrument != Instrument::none) {
    command = {toolchain.emucc, instrument == Instrument::check ? "--check" : "--counters", "-O2",
               "-std=c++17"};
  } else if (backend == Backend::emu) {
    // Thread by thread: a missing barrier then shows in the result, and a bad access names its thread.
    command = {toolchain.emucc, "-O2", "-std=c++17", "--no-fission"};
  } else {
    command = {toolchain.nvcc, "-O2", "-std=c++17", "-lineinfo", "-arch=" + arch};
  }
  command.push_back("-I" + toolchain.include_folder.string());
  for (const auto& [name, value] : macros) command.push_back(fmt::format("-D{}={}", name, value));
  return command;
}

/// Libraries stand before the sources, which the linker minds only where it drops what nobody asked for yet.
void add_libraries(std::vector<std::string>& command, const Toolchain& toolchain, Backend backend,
                   const std::vector<std::string>& link) {
  if (link.empty()) return;
  if (backend == Backend::gpu) command.push_back("-Xlinker");
  command.push_back(backend == Backend::gpu ? "--no-as-needed" : "-Wl,--no-as-needed");
  for (const std::string& library : link) command.push_back("-l" + library);
  std::error_code none;
  const fs::path libraries = fs::canonical(toolchain.nvcc, none).parent_path().parent_path() / "lib64";
  // A toolkit whose libraries ldconfig does not know: the program finds them where the linker did.
  if (backend == Backend::gpu && fs::is_directory(libraries, none))
    command.insert(command.end(), {"-Xlinker", "-rpath=" + libraries.string()});
}

/// A name that can't be taken for an option.
std::string as_argument(const fs::path& name) {
  const std::string text = name.string();
  return text.rfind('-', 0) == 0 ? "./" + text : text;
}

/// For a shell, quoted where it has to be.
std::string shell_word(const std::string& argument) {
  const bool plain = !argument.empty() && argument.find_first_not_of(
                                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789_-+=./,:@%") == std::string::npos;
  if (plain) return argument;
  std::string result = "'";
  for (const char c : argument) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
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

void write_sources(const fs::path& folder, const Submission& submission) {
  for (const SubmissionFile& file : submission.files) {
    const fs::path name = file.name.lexically_normal();
    if (name.is_absolute() || name.empty() || *name.begin() == "..")
      throw Error(ErrorKind::usage,
                  fmt::format("The file {} lies outside the submission's folder.", file.name.string()));
    write_file(folder / name, file.text);
  }
}

/// What stands for the compiler's words when it did not come to its own end.
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
      return "The compiler used more than 4 GiB of memory: a template or an array that is far too large?\n";
    case End::output_limit:
      return "The compiler printed more than can be kept; the first of its words are above.\n";
    case End::interrupted:
      return "The compilation was interrupted.\n";
    default:
      return fmt::format("The compiler {}.\n", describe_end(result));
  }
}

/// Failures that are the machine's, whatever the source says.
void throw_if_machine_failed(const ProcessResult& result, const std::string& compiler) {
  if (result.end == ProcessResult::End::not_started)
    throw Error(ErrorKind::environment, fmt::format("The compiler could not be started: {}.", result.error),
                "grader doctor");
  if (result.ok()) return;
  const std::string said = result.err + result.out;
  if (said.find("No space left on device") != std::string::npos)
    throw Error(ErrorKind::environment, "The disk is full: the compiler could not write its files.",
                "free some disk space, or point GRADER_HOME to another disk");
  if (said.find("nvcc fatal") != std::string::npos && said.find("gpu-architecture") != std::string::npos)
    throw Error(ErrorKind::environment,
                fmt::format("{} does not know this GPU's architecture: {}",
                            fs::path(compiler).filename().string(), said.substr(0, said.find('\n'))),
                "install a CUDA toolkit that is as new as the GPU, or use --backend emu");
}

fs::path real_folder(const fs::path& file) {
  std::error_code ignored;
  return fs::canonical(file, ignored).parent_path();
}

/// <prefix> of a compiler <prefix>/bin/<name>; empty when that is all of the system's.
fs::path installation(const fs::path& compiler) {
  const fs::path prefix = real_folder(compiler).parent_path();
  return prefix == prefix.root_path() || prefix == "/usr" ? fs::path() : prefix;
}

struct Compilation {
  ProcessResult process;
  double wall_s = 0;
};

/// Compiles in `folder`, where the sources are. A student's source is compiled in the sandbox: an #include
/// may name any file.
Compilation compile(const Kit& kit, const Toolchain& toolchain, Backend backend,
                    std::vector<std::string> command, const std::vector<fs::path>& sources,
                    const fs::path& folder) {
  for (const fs::path& source : sources) command.push_back(as_argument(source));
  command.insert(command.end(), {"-o", built_program});
  if (backend == Backend::gpu) {  // /usr/local/cuda is often a link, which can't be mounted over
    std::error_code failed;
    const fs::path real = fs::canonical(command[0], failed);
    if (!failed && real.filename() == fs::path(command[0]).filename()) command[0] = real;
  }
  ProcessRequest request;
  request.argv = command;
  request.limits = compiler_limits(folder);

  SandboxSpec spec;
  spec.work_folder = folder;
  spec.program_folder = fs::path(command[0]).parent_path();
  spec.read_only = {toolchain.include_folder, real_folder(command[0])};
  // Compilers that were installed outside /usr need the rest of their installation.
  spec.read_only.push_back(installation(toolchain.host_compiler));
  if (backend == Backend::emu) {
    for (const fs::path& below : emucc_folders(toolchain.emucc)) spec.read_only.push_back(below);
    // Its precompiled headers, without which every compilation takes seconds more.
    spec.writable = {kit.cache() / "emucc"};
    request.environment["CUEMU_CACHE"] = spec.writable.front();
  } else {
    spec.gpu = true;
    spec.read_only.push_back(installation(toolchain.nvcc));
  }
  for (const char* name : compiler_variables)
    if (const char* value = std::getenv(name)) request.environment[name] = value;

  Compilation done{run_process(sandboxed(request, spec)), 0};
  done.wall_s = done.process.wall_s;
  throw_if_machine_failed(done.process, command[0]);
  return done;
}

void need_include_folder(const Toolchain& toolchain) {
  if (toolchain.include_folder.empty())
    throw Error(ErrorKind::fault, "The kit's folder common/lab/include is missing, which every lab includes.",
                "git checkout common/lab");
}

}  // namespace

BuildResult build(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
                  const std::map<std::string, std::string>& macros, Instrument instrument,
                  const std::vector<std::string>& link) {
  need_include_folder(toolchain);
  std::vector<std::string> command = compiler_command(
      toolchain, backend, macros, backend == Backend::gpu ? architecture(toolchain) : "", instrument);
  add_libraries(command, toolchain, backend, link);
  const std::vector<fs::path> sources = submission.sources();
  BuildResult result;
  result.command = typed_command(command, sources, submission.lab ? submission.lab->name : "program");
  if (sources.empty()) {
    result.diagnostics = "There is no .cu or .cpp file to compile.\n";
    return result;
  }

  Key key("program 1");
  for (const std::string& word : command) key.add(word);
  for (const SubmissionFile& file : submission.files) {
    key.add(file.name.string());
    key.add(file.text);
  }
  add_contents(key, toolchain.include_folder);
  if (backend == Backend::emu) {
    add_emulation(key, toolchain);
  } else {
    key.add_compiler(toolchain.nvcc, toolchain.nvcc_version);
    add_host_compiler(key, toolchain);
  }
  const std::string digest = key.digest();

  const BuildCache cache(kit.cache() / "build");
  if (const auto known = cache.find(digest)) {
    result.ok = result.cached = true;
    result.program = known->program;
    result.diagnostics = known->diagnostics;
    return result;
  }
  const BuildCache::Workshop workshop(cache.new_workshop());
  const fs::path folder = workshop.path / "source";
  write_sources(folder, submission);
  // Not part of the key: it is what makes the program the same wherever it is built.
  if (instrument != Instrument::none)
    command.insert(command.end(), {"-Xcompiler", "-fdebug-prefix-map=" + folder.string() + "=."});
  const Compilation done = compile(kit, toolchain, backend, command, sources, folder);
  result.wall_s = done.wall_s;
  result.diagnostics = done.process.err + done.process.out + explain_end(done.process);
  std::error_code ignored;
  if (!done.process.ok() || !fs::exists(folder / built_program, ignored)) return result;
  const CacheEntry made = cache.keep(digest, workshop.path, folder / built_program, result.diagnostics);
  result.ok = true;
  result.program = made.program;
  return result;
}

CompilerReport compiler_report(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
                               const std::string& architecture,
                               const std::map<std::string, std::string>& macros) {
  need_include_folder(toolchain);
  if (toolchain.nvcc.empty())
    throw Error(ErrorKind::environment,
                "There is no nvcc here, and only it knows what a kernel takes of a GPU.",
                "install the CUDA toolkit (no GPU is needed), then: grader doctor");
  std::vector<std::string> command = compiler_command(toolchain, Backend::gpu, macros, architecture);
  command.insert(command.end(), {"-cubin", "-Xptxas", "-v", "-keep"});
  const BuildCache cache(kit.cache() / "build");
  const BuildCache::Workshop workshop(cache.new_workshop());
  const fs::path folder = workshop.path / "source";
  write_sources(folder, submission);
  CompilerReport report;
  for (const fs::path& source : submission.sources()) {
    if (source.extension() != ".cu") continue;
    const Compilation done = compile(kit, toolchain, Backend::gpu, command, {source}, folder);
    report.words += done.process.err + done.process.out + explain_end(done.process);
    report.ok = done.process.ok();
    if (!report.ok) break;
    const fs::path ptx = folder / fs::path(source.filename()).replace_extension(".ptx");
    std::error_code none;
    if (fs::exists(ptx, none)) report.ptx += read_file(ptx, 64 * MiB);
  }
  return report;
}

fs::path build_oracle(const Kit& kit, const Toolchain& toolchain, const Lab& lab) {
  need_include_folder(toolchain);
  if (toolchain.host_compiler.empty())
    throw Error(ErrorKind::environment, "There is no C++ compiler: neither c++, g++ nor clang++ is in PATH.",
                "sudo apt install g++");
  const fs::path oracle = lab.folder / "oracle";
  std::vector<std::string> command = {toolchain.host_compiler, "-O2", "-std=c++20",
                                      "-I" + toolchain.include_folder.string()};

  Key key("oracle 1");
  for (const std::string& word : command) key.add(word);
  key.add_compiler(toolchain.host_compiler, toolchain.host_version);
  add_contents(key, oracle);
  add_contents(key, toolchain.include_folder);
  const std::string digest = key.digest();

  const BuildCache cache(kit.cache() / "build");
  if (const auto known = cache.find(digest)) return known->program;

  std::size_t sources = 0;
  for (const fs::path& file : files_below(oracle)) {
    if (file.extension() != ".cpp") continue;
    command.push_back(file);
    ++sources;
  }
  if (sources == 0)
    throw Error(ErrorKind::fault,
                fmt::format("{} has no oracle: {} holds no .cpp file.", lab.id, shown(oracle)),
                "git checkout " + shown(lab.folder));
  const BuildCache::Workshop workshop(cache.new_workshop());
  const fs::path program = workshop.path / "oracle";
  command.insert(command.end(), {"-o", program});
  ProcessRequest request;
  request.argv = command;
  request.limits = compiler_limits(workshop.path);
  const ProcessResult done = run_process(request);
  throw_if_machine_failed(done, command[0]);
  if (done.end == ProcessResult::End::interrupted) throw Error(ErrorKind::environment, "Interrupted.");
  if (!done.ok())
    throw Error(ErrorKind::fault,
                fmt::format("The oracle of {} does not compile: this is the kit's mistake, not yours.\n{}{}",
                            lab.id, done.err, explain_end(done)),
                fmt::format("{}", fmt::join(command, " ")));
  return cache.keep(digest, workshop.path, program, done.err).program;
}

}  // namespace grader
