#include "driver.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>

#include "cache.hpp"
#include "includes.hpp"
#include "process.hpp"
#include "toolchain.hpp"

namespace emucc {
namespace {

namespace fs = std::filesystem;

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// A folder for the objects between compiling and linking; gone with everything in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const char* base = std::getenv("TMPDIR");
    std::string pattern = std::string(base != nullptr && *base != 0 ? base : "/tmp") + "/emucc-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      throw UsageError("no temporary folder can be made in '" + fs::path(pattern).parent_path().string() +
                       "' (" + std::strerror(errno) + "): set TMPDIR to a folder with space");
    }
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What compiling one input came to.
struct Outcome {
  bool ok = false;
  std::string messages;
};

class Driver {
 public:
  explicit Driver(const Options& options) : options_(options), tools_(find_toolchain(options)) {
    const char* no_color = std::getenv("NO_COLOR");
    color_ = isatty(2) != 0 && (no_color == nullptr || *no_color == 0);
    drop_cuda_toolkit();
  }

  int run();

 private:
  // what the command line asks for
  int preprocess();
  int compile_only();
  int link();
  int archive(const std::vector<std::string>& objects, const std::string& output);

  // one file
  Outcome compile(const Input& input, const std::string& object);
  Outcome compile_cuda(const Input& input, const std::string& object);
  Outcome translate_and_compile(const Input& input, const std::string& object,
                                const std::string& preprocessed, std::string messages);
  bool compile_all(const std::vector<std::pair<Input, std::string>>& jobs);

  // command lines
  std::vector<std::string> language_flags(const Input& input) const;
  std::vector<std::string> preprocess_command(const Input& input) const;
  std::vector<std::string> dependency_flags(const Input& input, const std::string& object) const;
  std::vector<std::string> compile_command(const Input& input, const std::string& object) const;
  std::optional<PrecompiledHeader> precompiled(const Input& input) const;
  bool may_precompile(const std::string& header) const;
  void drop_cuda_toolkit();
  void library_flags(std::vector<std::string>& command) const;

  CommandResult execute(Command command);
  int finish(const CommandResult& result, const char* what) const;
  std::string describe(const Diagnostic& error) const;
  void say(const std::string& line) {
    const std::lock_guard guard(output_);
    std::fputs((line + "\n").c_str(), stderr);
  }

  Options options_;
  Toolchain tools_;
  bool color_ = false;
  std::mutex output_;
};

// ---- checks of what the user named

void check_input(const std::string& path) {
  std::error_code failure;
  const auto status = fs::status(path, failure);
  if (!fs::exists(status)) throw UsageError("there is no file '" + path + "'");
  if (fs::is_directory(status))
    throw UsageError("'" + path + "' is a folder, but a source or object file was expected");
  if (access(path.c_str(), R_OK) != 0)
    throw UsageError("'" + path + "' can't be read (" + std::strerror(errno) + ")");
}

void check_output(const std::string& path, const std::vector<Input>& inputs) {
  if (path == "-" || path == "/dev/null") return;
  std::error_code failure;
  if (fs::is_directory(path, failure))
    throw UsageError("the output '" + path + "' is a folder: name a file with -o");
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, failure))
    throw UsageError("the folder '" + folder.string() +
                     "' for the output does not exist: make it with mkdir -p " + folder.string());
  const bool writable =
      fs::exists(path, failure) ? access(path.c_str(), W_OK) == 0 : access(folder.c_str(), W_OK) == 0;
  if (!writable)
    throw UsageError("the output '" + path + "' can't be written (" + std::strerror(errno) + ")");
  for (const auto& input : inputs) {
    if (fs::equivalent(input.path, path, failure) && !failure)
      throw UsageError("the output '" + path + "' is also an input: it would be overwritten");
  }
}

/// The objects of inputs that are compiled where no name is given: x.cu → x.o in the present folder.
std::string default_object(const Input& input) {
  return fs::path(input.path).stem().string() + ".o";
}

/// -I folders of a CUDA toolkit would bring NVIDIA's own headers in the place of the emulation's.
void Driver::drop_cuda_toolkit() {
  std::vector<std::string> kept;
  auto toolkit = [](const std::string& folder) {
    std::error_code failure;
    return fs::exists(folder + "/crt/host_defines.h", failure);
  };
  for (std::size_t i = 0; i < options_.preprocessor.size(); ++i) {
    const std::string& flag = options_.preprocessor[i];
    const bool separate = flag == "-isystem" && i + 1 < options_.preprocessor.size();
    const std::string folder = separate                   ? options_.preprocessor[i + 1]
                               : flag.rfind("-I", 0) == 0 ? flag.substr(2)
                                                          : "";
    if (!folder.empty() && toolkit(folder)) {
      options_.notes.push_back("the CUDA toolkit's headers in " + folder +
                               " are not used: the emulation has its own");
      i += separate;
      continue;
    }
    kept.push_back(flag);
    if (separate) kept.push_back(options_.preprocessor[++i]);
  }
  options_.preprocessor = std::move(kept);
}

// ---- command lines

std::vector<std::string> Driver::language_flags(const Input& input) const {
  std::vector<std::string> flags = {tools_.compiler};
  if (input.language != Language::c) {
    flags.push_back("-std=" + (options_.standard == "c++17" ? std::string("gnu++17") : options_.standard));
  }
  append(flags, base_flags(options_, tools_.kind));
  append(flags, options_.compiler);
  if (color_)
    flags.push_back(tools_.kind == HostKind::gcc ? "-fdiagnostics-color=always" : "-fcolor-diagnostics");
  if (input.language == Language::cuda) append(flags, cuda_macros(options_));
  return flags;
}

std::vector<std::string> Driver::preprocess_command(const Input& input) const {
  auto command = language_flags(input);
  append(command, options_.preprocessor);
  append(command, {"-isystem", tools_.include_folder});
  return command;
}

/// Flags that write a rule for make beside the object, as nvcc does.
std::vector<std::string> Driver::dependency_flags(const Input& input, const std::string& object) const {
  if (options_.dependencies.empty()) return {};
  auto flags = options_.dependencies;
  const bool compiling = options_.action != Action::dependencies && options_.action != Action::preprocess;
  std::string target = options_.dependency_target, file = options_.dependency_file;
  if (target.empty())
    target = compiling && options_.action == Action::compile ? object : default_object(input);
  if (compiling && file.empty()) file = fs::path(target).replace_extension(".d").string();
  append(flags, {"-MT", target});
  if (!file.empty()) append(flags, {"-MF", file});
  return flags;
}

std::vector<std::string> Driver::compile_command(const Input& input, const std::string& object) const {
  auto command = language_flags(input);
  append(command, {"-pipe"});
  if (tools_.kind == HostKind::gcc)
    append(command, {"-fpreprocessed", "-x", "c++"});
  else
    append(command, {"-Wno-pass-failed", "-Wno-unknown-pragmas", "-x", "c++-cpp-output"});
  append(command, {"-c", "-", "-o", object});
  return command;
}

/// A header that is not the user's: the C and C++ library's, POSIX's common ones, the emulation's.
bool Driver::may_precompile(const std::string& header) const {
  static constexpr std::array<std::string_view, 28> c_headers = {
      "assert.h",   "complex.h", "ctype.h",    "errno.h",    "fcntl.h",     "float.h", "getopt.h",
      "inttypes.h", "limits.h",  "malloc.h",   "math.h",     "memory.h",    "omp.h",   "pthread.h",
      "signal.h",   "stdarg.h",  "stdbool.h",  "stddef.h",   "stdint.h",    "stdio.h", "stdlib.h",
      "string.h",   "strings.h", "sys/stat.h", "sys/time.h", "sys/types.h", "time.h",  "unistd.h"};
  std::error_code failure;
  if (std::find(c_headers.begin(), c_headers.end(), header) != c_headers.end()) return true;
  const bool cxx = header.find_first_of("./") == header.npos;
  return cxx || fs::exists(tools_.include_folder + "/" + header, failure);
}

std::optional<PrecompiledHeader> Driver::precompiled(const Input& input) const {
  if (tools_.kind != HostKind::gcc || options_.dry_run) return std::nullopt;
  PrecompileRequest request;
  request.compiler = tools_.compiler;
  request.flags = language_flags(input);
  request.flags.erase(request.flags.begin());
  std::erase_if(request.flags, [](const std::string& flag) {
    return flag.rfind("-fdiagnostics-color", 0) == 0 || flag.rfind("-W", 0) == 0 || flag == "-w";
  });
  // Macros that the C library's headers look at. Of all others the compiler itself checks that the headers
  // don't depend on them.
  for (const auto& flag : options_.preprocessor) {
    if (flag.rfind("-D_", 0) == 0 || flag.rfind("-U", 0) == 0 || flag.rfind("-DNDEBUG", 0) == 0)
      request.flags.push_back(flag);
  }
  append(request.flags, {"-isystem", tools_.include_folder});
  if (input.language == Language::cuda) request.includes = {"cuda_runtime.h"};
  IncludeSearch search;
  for (std::size_t i = 0; i < options_.preprocessor.size(); ++i) {
    const std::string& flag = options_.preprocessor[i];
    if (flag.rfind("-I", 0) == 0) search.folders.push_back(flag.substr(2));
    if (flag == "-isystem" && i + 1 < options_.preprocessor.size())
      search.folders.push_back(options_.preprocessor[++i]);
  }
  search.is_precompilable = [this](const std::string& header) { return may_precompile(header); };
  for (auto& header : sure_includes(input.path, search)) {
    if (input.language == Language::cxx || header != "cuda_runtime.h")
      request.includes.push_back(std::move(header));
  }
  if (request.includes.empty()) return std::nullopt;
  return precompile(request);
}

// ---- one file

CommandResult Driver::execute(Command command) {
  if (options_.verbose) say("#$ " + quote(command.argv));
  CommandResult result;
  if (options_.dry_run) {
    result.started = true;
    return result;
  }
  return emucc::run(command);
}

Outcome Driver::compile(const Input& input, const std::string& object) {
  if (input.language == Language::cuda) return compile_cuda(input, object);
  const auto header = input.language == Language::cxx ? precompiled(input) : std::nullopt;
  Command command;
  command.argv = preprocess_command(input);
  if (header) append(command.argv, {"-include", header->header()});
  append(command.argv, dependency_flags(input, object));
  append(command.argv,
         {"-pipe", "-x", input.language == Language::c ? "c" : "c++", "-c", input.path, "-o", object});
  CommandResult result = execute(command);
  if (!result.started)
    return {false, tools_.compiler + " could not be started: " + result.start_error + "\n"};
  return {result.ok(), std::move(result.messages)};
}

Outcome Driver::compile_cuda(const Input& input, const std::string& object) {
  const auto header = precompiled(input);
  Command command;
  command.argv = preprocess_command(input);
  append(command.argv, {"-E"});
  if (header)
    append(command.argv, {"-fpch-preprocess", "-include", header->header()});
  else
    append(command.argv, {"-include", "cuda_runtime.h"});
  append(command.argv, dependency_flags(input, object));
  append(command.argv, {"-x", "c++", input.path});
  command.capture_output = true;
  CommandResult result = execute(command);
  if (!result.started)
    return {false, tools_.compiler + " could not be started: " + result.start_error + "\n"};
  if (!result.ok()) return {false, std::move(result.messages)};
  return translate_and_compile(input, object, result.output, std::move(result.messages));
}

Outcome Driver::translate_and_compile(const Input& input, const std::string& object,
                                      const std::string& preprocessed, std::string messages) {
  TranslateOptions how;
  how.host = tools_.kind;
  how.relocatable = options_.relocatable;
  how.kernel_parameters = tools_.kernel_parameters;
  how.lex.user_system_folders = options_.system_folders;
  const Translation translation = translate(preprocessed, how);
  if (options_.keep)
    std::ofstream(fs::path(input.path).stem().string() + ".emucc.ii", std::ios::binary) << translation.text;
  for (const auto& error : translation.errors) messages += describe(error);
  if (!translation.errors.empty()) return {false, std::move(messages)};
  Command command;
  command.argv = compile_command(input, object);
  command.input = translation.text;
  CommandResult result = execute(command);
  if (!result.started)
    return {false, messages + tools_.compiler + " could not be started: " + result.start_error + "\n"};
  return {result.ok(), messages + result.messages};
}

/// A message as compilers print it, with the line and a caret.
std::string Driver::describe(const Diagnostic& error) const {
  const char* bold = color_ ? "\033[1m" : "";
  const char* red = color_ ? "\033[1;31m" : "";
  const char* off = color_ ? "\033[0m" : "";
  std::string text = bold + error.file + ":" + std::to_string(error.line) + ":";
  if (error.column > 0) text += std::to_string(error.column) + ":";
  text += std::string(off) + " " + red + "error: " + off + error.message + "\n";
  const auto source = load_file(error.file);
  if (!source) return text;
  std::size_t at = 0;
  for (std::uint32_t line = 1; line < error.line && at != source->npos; ++line)
    at = source->find('\n', at) == source->npos ? source->npos : source->find('\n', at) + 1;
  if (at == source->npos) return text;
  const std::string line = source->substr(at, source->find('\n', at) - at);
  text += "  " + line + "\n";
  if (error.column == 0) return text;
  std::string blanks;
  for (std::size_t i = 0; i + 1 < error.column && i < line.size(); ++i)
    blanks += line[i] == '\t' ? '\t' : ' ';
  return text + "  " + blanks + red + "^" + off + "\n";
}

/// Compiles with one thread for each core. Messages come in the order of the inputs.
bool Driver::compile_all(const std::vector<std::pair<Input, std::string>>& jobs) {
  std::vector<Outcome> outcomes(jobs.size());
  std::atomic<std::size_t> next{0};
  auto work = [&] {
    for (std::size_t i = next++; i < jobs.size() && !interrupted(); i = next++) {
      outcomes[i] = compile(jobs[i].first, jobs[i].second);
    }
  };
  const std::size_t cores = options_.threads > 0 ? static_cast<std::size_t>(options_.threads)
                                                 : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < std::min(cores, jobs.size()); ++i) helpers.emplace_back(work);
  work();
  for (auto& helper : helpers) helper.join();
  bool ok = !interrupted();
  for (const auto& outcome : outcomes) {
    if (!interrupted()) std::fputs(outcome.messages.c_str(), stderr);
    ok = ok && outcome.ok;
  }
  return ok;
}

// ---- what the command line asks for

int Driver::finish(const CommandResult& result, const char* what) const {
  if (!interrupted()) std::fputs(result.messages.c_str(), stderr);
  if (!result.started && !interrupted())
    std::fprintf(stderr, "emucc: error: %s could not be started: %s\n", what, result.start_error.c_str());
  return result.ok() ? 0 : 1;
}

int Driver::preprocess() {
  for (const auto& input : options_.inputs) {
    if (input.language == Language::object)
      throw UsageError("'" + input.path + "' can't be preprocessed: it is no source");
    Command command;
    command.argv = preprocess_command(input);
    if (options_.action == Action::preprocess) command.argv.push_back("-E");
    if (input.language == Language::cuda) append(command.argv, {"-include", "cuda_runtime.h"});
    append(command.argv, dependency_flags(input, default_object(input)));
    append(command.argv, {"-x", input.language == Language::c ? "c" : "c++", input.path});
    if (!options_.output.empty()) append(command.argv, {"-o", options_.output});
    if (const int status = finish(execute(command), "the host compiler"); status != 0) return status;
  }
  return 0;
}

int Driver::compile_only() {
  std::vector<std::pair<Input, std::string>> jobs;
  for (const auto& input : options_.inputs) {
    if (input.language == Language::object) continue;  // nvcc too leaves objects alone here
    const std::string object = options_.output.empty() ? default_object(input) : options_.output;
    check_output(object, options_.inputs);
    jobs.emplace_back(input, object);
  }
  if (jobs.size() > 1 && !options_.output.empty())
    throw UsageError("-o names one file, but " + std::to_string(jobs.size()) +
                     " files are compiled with -c: leave -o out");
  return compile_all(jobs) ? 0 : 1;
}

void Driver::library_flags(std::vector<std::string>& command) const {
  static constexpr std::array<std::string_view, 7> ours = {"cudart",  "cudart_static", "cudadevrt",   "cuda",
                                                           "culibos", "nvToolsExt",    "nvtx3interop"};
  static constexpr std::array<std::string_view, 11> missing = {"cublas",   "cublasLt",  "cufft", "curand",
                                                               "cusparse", "cusolver",  "cudnn", "nccl",
                                                               "nvrtc",    "nvidia-ml", "cupti"};
  for (const auto& library : options_.libraries) {
    std::string name = library;
    if (name.size() > 7 && name.rfind("_static") == name.size() - 7) name.resize(name.size() - 7);
    std::error_code failure;
    if (std::find(ours.begin(), ours.end(), library) != ours.end()) continue;
    const bool present = fs::exists(fs::path(tools_.runtime).parent_path() / ("lib" + name + ".a"), failure);
    if (!present && std::find(missing.begin(), missing.end(), name) != missing.end()) {
      throw UsageError("the emulation has no library '" + library + "': it holds the CUDA runtime alone");
    }
    command.push_back("-l" + library);
  }
}

int Driver::archive(const std::vector<std::string>& objects, const std::string& output) {
  std::error_code ignored;
  fs::remove(output, ignored);
  Command command;
  command.argv = {"ar", "rcs", output};
  append(command.argv, objects);
  return finish(execute(command), "ar");
}

int Driver::link() {
  const bool library = options_.action == Action::library;
  std::string output = options_.output;
  if (output.empty()) output = library ? "a.a" : options_.action == Action::shared ? "a.so" : "a.out";
  check_output(output, options_.inputs);
  std::vector<std::string> libraries;
  library_flags(libraries);
  std::error_code failure;
  if (!library && !fs::exists(tools_.runtime, failure)) {
    throw UsageError("emucc's runtime library " + tools_.runtime +
                     " is missing: install the kit again, or build it with cmake --build");
  }

  std::optional<TemporaryFolder> folder;
  std::vector<std::pair<Input, std::string>> jobs;
  std::vector<std::string> objects;
  for (const auto& input : options_.inputs) {
    if (input.language == Language::object) {
      objects.push_back(input.path);
      continue;
    }
    if (!folder) folder.emplace();
    objects.push_back(folder->path() + "/" + std::to_string(jobs.size()) + "-" +
                      fs::path(input.path).stem().string() + ".o");
    jobs.emplace_back(input, objects.back());
  }
  if (!compile_all(jobs)) return 1;
  if (library) return archive(objects, output);

  Command command;
  command.argv = {tools_.compiler};
  if (options_.action == Action::shared) command.argv.push_back("-shared");
  append(command.argv, objects);
  append(command.argv, options_.linker);
  append(command.argv, libraries);
  append(command.argv, {"-L" + fs::path(tools_.runtime).parent_path().string(), tools_.runtime, "-pthread",
                        "-ldl", "-o", output});
  return finish(execute(command), "the linker");
}

int Driver::run() {
  if (options_.verbose) {
    for (const auto& note : options_.notes) say("emucc: note: " + note);
  }
  for (const auto& input : options_.inputs) check_input(input.path);
  switch (options_.action) {
    case Action::preprocess:
    case Action::dependencies:
      return preprocess();
    case Action::compile:
      return compile_only();
    case Action::device_link: {
      const std::string output = options_.output.empty() ? "a_dlink.o" : options_.output;
      check_output(output, options_.inputs);
      Command command;
      command.argv = {tools_.compiler, "-x", "c++", "-c", "/dev/null", "-o", output};
      return finish(execute(command), "the host compiler");
    }
    default:
      return link();
  }
}

}  // namespace

int drive(const Options& options) {
  if (options.action == Action::help) {
    std::fputs(help_text().c_str(), stdout);
    return 0;
  }
  if (options.action == Action::version) {
    const Toolchain tools = find_toolchain(options);
    std::printf(
        "emucc: CUDA C++ for this machine's CPU (CUDA Lab Kit %s)\nCuda compilation tools, release 13.0, "
        "V13.0.0 (emulated)\nHost compiler: %s\n",
        EMUCC_VERSION, tools.version.c_str());
    return 0;
  }
  if (options.inputs.empty())
    throw UsageError("no input files: write emucc file.cu -o program, or emucc --help");
  return Driver(options).run();
}

}  // namespace emucc
