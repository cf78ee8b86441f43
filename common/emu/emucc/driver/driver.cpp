#include "driver/driver.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "driver/driver_detail.hpp"
#include "driver/hook_calls.hpp"
#include "driver/messages.hpp"

namespace emucc {

namespace fs = std::filesystem;

namespace {

/// A folder for the objects between compiling and linking. The destructor removes the folder with its
/// contents.
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

// ---- checks of the user's files

/// True if a regular file has a zero byte near its beginning. Binaries and UTF-16 texts have one; sources
/// have none.
bool begins_with_a_null(const std::string& path) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) return false;
  char bytes[4096];
  std::ifstream file(path, std::ios::binary);
  file.read(bytes, sizeof bytes);
  return std::find(bytes, bytes + file.gcount(), '\0') != bytes + file.gcount();
}

void check_input(const Input& input) {
  const std::string& path = input.path;
  std::error_code failure;
  const auto status = fs::status(path, failure);
  if (!fs::exists(status)) throw UsageError("there is no file '" + path + "'");
  if (fs::is_directory(status))
    throw UsageError("'" + path + "' is a folder, but a source or object file was expected");
  if (access(path.c_str(), R_OK) != 0)
    throw UsageError("'" + path + "' can't be read (" + std::strerror(errno) + ")");
  if (input.language != Language::unknown) {
    if (input.language != Language::object && begins_with_a_null(path))
      throw UsageError(
          "'" + path +
          "' is no text: was it saved as UTF-16? Save it as UTF-8, or say that it is an object by "
          "naming it .o");
    return;
  }
  const std::string ending = fs::path(path).extension();
  if (ending == ".ptx" || ending == ".cubin" || ending == ".fatbin")
    throw UsageError("'" + path + "' holds code for a GPU, which the emulation can't run: give its source");
  throw UsageError("'" + path +
                   "' is not a source, object or library by its name: say what it is with -x cu, or name it "
                   ".cu, .cpp, .c, .o or .a");
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

}  // namespace

// ---- the actions of the command line

int Driver::finish(const CommandResult& result, const char* what) const {
  if (!interrupted()) std::fputs(result.messages.c_str(), stderr);
  if (!result.started && !interrupted())
    std::fprintf(stderr, "emucc: error: %s could not be started: %s\n", what, result.start_error.c_str());
  return result.ok() ? 0 : 1;
}

int Driver::preprocess() {
  for (const auto& input : options_.inputs) {
    if (input.language == Language::object)
      throw UsageError("'" + input.path + "' can't be preprocessed: it is not a source file");
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
    if (input.language == Language::object) continue;  // nvcc ignores objects here, too
    const std::string object = options_.output.empty()
                                   ? (fs::path(options_.output_folder) / default_object(input)).string()
                                   : options_.output;
    check_output(object, options_.inputs);
    jobs.emplace_back(input, object);
  }
  if (jobs.size() > 1 && !options_.output.empty())
    throw UsageError("-o names one file, but " + std::to_string(jobs.size()) +
                     " files are compiled with -c: leave -o out");
  return compile_all(jobs) ? 0 : 1;
}

int Driver::archive(const std::vector<std::string>& objects, const std::string& output) {
  std::error_code ignored;
  fs::remove(output, ignored);
  Command command;
  command.argv = {"ar", "rcs", output};
  append(command.argv, objects);
  return finish(execute(command), "ar");
}

/// Returns the name of the linker's output, chosen as nvcc chooses it.
std::string Driver::linked_file() const {
  if (!options_.output.empty()) return options_.output;
  return options_.action == Action::library ? "a.a" : options_.action == Action::shared ? "a.so" : "a.out";
}

int Driver::link() {
  const bool library = options_.action == Action::library;
  const std::string output = linked_file();
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

  const bool without_tool = options_.watchable && !has_tool(options_);
  if (without_tool && !folder) folder.emplace();
  const std::string settings = has_tool(options_) ? check_settings(options_, tools_) : "";
  const auto quick = without_tool ? without_hook_calls(objects, folder->path()) : objects;
  const bool by_gold = gold_may_link(output);
  if (by_gold || quick != objects) {
    Command command = link_command(quick, libraries, settings, output);
    if (by_gold) command.argv.insert(command.argv.begin() + 1, "-fuse-ld=gold");
    const CommandResult result = execute(command);
    if ((result.ok() && result.messages.empty()) || interrupted()) return result.ok() ? 0 : 1;
  }
  CommandResult result = execute(link_command(objects, libraries, settings, output));
  if (const std::string option = missing_instrument(result.messages); !result.ok() && !option.empty())
    result.messages = "emucc: error: an object was compiled with " + option + ": link with the same option\n";
  return finish(result, "the linker");
}

/// Returns the objects for the linker: changed objects (hook_calls.hpp) as files in `folder`, and the others
/// as they are.
std::vector<std::string> Driver::without_hook_calls(const std::vector<std::string>& objects,
                                                    const std::string& folder) const {
  std::vector<std::string> all = objects;
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto bytes = load_file(all[i]);
    if (options_.dry_run || !bytes || remove_hook_calls(*bytes) == 0) continue;
    const std::string copy = folder + "/quick-" + std::to_string(i) + ".o";
    if (std::ofstream(copy, std::ios::binary) << *bytes) all[i] = copy;
  }
  return all;
}

/// @param settings a source from check_settings(), which must exist until the command has run
Command Driver::link_command(const std::vector<std::string>& objects,
                             const std::vector<std::string>& libraries, const std::string& settings,
                             const std::string& output) const {
  Command command;
  command.argv = {tools_.compiler};
  command.large_pages = true;
  const auto tool_flags =
      has_tool(options_) ? check_link_flags(options_, tools_) : std::vector<std::string>();
  const fs::path archives = fs::path(tools_.runtime).parent_path();
  if (options_.action == Action::shared) {
    command.argv.push_back("-shared");
    append(command.argv, objects);
    append(command.argv, tool_flags);
  } else {
    // The variables of the runtime and the tools come before the program's variables in memory, since
    // programs overrun their variables more often than they underrun them.
    append(command.argv, {"-Wl,--whole-archive", (archives / "libcuemu_guard.a").string(), tools_.runtime,
                          "-Wl,--no-whole-archive"});
    append(command.argv, tool_flags);
    append(command.argv, objects);
  }
  append(command.argv, options_.linker);
  append(command.argv, libraries);
  if (has_tool(options_)) {
    command.input = settings;
    if (!command.input.empty()) append(command.argv, {"-x", "c++", "-", "-x", "none"});
  } else if (options_.watchable) {
    command.argv.push_back(unwatched_archive(tools_));
  }
  append(command.argv,
         {"-L" + archives.string(), toolkit_libraries(), tools_.runtime, "-pthread", "-ldl", "-o", output});
  return command;
}

/// Whether gold may link the program. Some distributions include the linker gold, which takes less than half
/// of the usual linker's time. It runs first if the user gave no linker options. If it fails or prints a
/// message, the usual linker links the unchanged objects and prints its own messages.
/// gold must not write to a device: on a full one, such as /dev/full, it writes without end. Nor may it link
/// a shared library: gold 1.16 may number local symbols one too high in relocations, so that each
/// thread-local variable of the runtime gets the address of the next one.
bool Driver::gold_may_link(const std::string& output) const {
  const auto names_a_folder = [](const std::string& word) { return word.rfind("-L", 0) == 0; };
  std::error_code failure;
  const fs::file_status status = fs::status(output, failure);
  return options_.action != Action::shared && (!fs::exists(status) || fs::is_regular_file(status)) &&
         std::all_of(options_.linker.begin(), options_.linker.end(), names_a_folder) &&
         !find_program("ld.gold").empty();
}

/// Carries out -run: replaces emucc's process by the program that it built.
int Driver::start() {
  const std::string program = linked_file();
  std::vector<std::string> argv = {fs::path(program).has_parent_path() ? program : "./" + program};
  append(argv, options_.run_arguments);
  if (options_.verbose) say("#$ " + quote(argv));
  if (options_.dry_run || interrupted()) return 0;
  throw UsageError("the program '" + program + "' can't be run: " + become(argv));
}

int Driver::make_headers() {
  bool all = true;
  for (const auto& input : options_.inputs) {
    if (input.language != Language::cuda && input.language != Language::cxx) continue;
    const auto header = precompiled(input);
    all = all && header && header->has_all;
  }
  if (all) std::puts("made");
  return 0;
}

int Driver::run() {
  if (options_.run && options_.action != Action::link)
    throw UsageError(
        "-run needs a program, which -c, -lib, -shared and their like don't make: leave one out");
  if (options_.verbose) {
    for (const auto& setting : toolkit_settings()) say("#$ " + setting);
    for (const auto& note : options_.notes) say("emucc: note: " + note);
  }
  for (const auto& input : options_.inputs) check_input(input);
  switch (options_.action) {
    case Action::preprocess:
    case Action::dependencies:
      return preprocess();
    case Action::headers:
      return make_headers();
    case Action::compile:
      return compile_only();
    case Action::device_link: {
      const std::string output = options_.output.empty() ? "a_dlink.o" : options_.output;
      check_output(output, options_.inputs);
      Command command;
      command.argv = {tools_.compiler, "-x", "c++", "-c", "/dev/null", "-o", output};
      return finish(execute(command), "the host compiler");
    }
    default: {
      const int status = link();
      return status == 0 && options_.run ? start() : status;
    }
  }
}

int drive(const Options& options) {
  if (options.action == Action::help) {
    std::fputs(help_text().c_str(), stdout);
    return 0;
  }
  if (options.action == Action::version) {
    const Toolchain tools = find_toolchain(options);
    std::printf(
        "emucc: CUDA C++ for this machine's CPU (CUDA Lab Kit %s), in the place of\n"
        "nvcc: NVIDIA (R) Cuda compiler driver\n"  // build systems recognise nvcc by these words
        "Cuda compilation tools, release 13.0, V13.0.0 (emulated)\nHost compiler: %s\n",
        EMUCC_VERSION, tools.version.c_str());
    return 0;
  }
  if (options.action == Action::architectures) {
    for (const int architecture : {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121})  // as nvcc 13's
      std::printf("%s%d\n", options.output.c_str(), architecture);
    return 0;
  }
  if (options.inputs.empty())
    throw UsageError("no input files: write emucc file.cu -o program, or emucc --help");
  return Driver(options).run();
}

}  // namespace emucc
