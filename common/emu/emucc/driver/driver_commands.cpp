// Builds the command lines of the host compiler.
#include <algorithm>
#include <array>
#include <filesystem>

#include "analyse/missing.hpp"
#include "driver/driver_detail.hpp"
#include "driver/extra_library.hpp"
#include "driver/includes.hpp"
#include "driver/kit_part.hpp"

namespace emucc {

namespace fs = std::filesystem;

std::string default_object(const Input& input) {
  const std::string name = fs::path(input.path).stem().string() + ".o";
  // The host compiler must not take a file's name for an option (-x.o) or for a file of options (@x.o).
  return name[0] == '-' || name[0] == '@' ? "./" + name : name;
}

/// Drops -I folders of a CUDA toolkit, since its headers would replace the emulation's.
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
  // CMake gives the file of a library of the toolkit. All these libraries are part of the runtime, which is
  // linked anyway.
  const auto left_out = [&](const Input& input) {
    const fs::path file(input.path);
    const std::string stem = file.stem().string();
    std::error_code failure;
    if (stem.rfind("lib", 0) != 0 || file.extension() != ".a" ||
        !fs::equivalent(file.parent_path(), tools_.toolkit + "/lib64", failure))
      return false;
    options_.libraries.push_back(stem.substr(3));
    return true;
  };
  auto& inputs = options_.inputs;
  inputs.erase(std::remove_if(inputs.begin(), inputs.end(), left_out), inputs.end());
}

std::vector<std::string> Driver::language_flags(const Input& input, bool runs_on_device) const {
  std::vector<std::string> flags = {tools_.compiler};
  if (input.language != Language::c) {
    flags.push_back("-std=" + (options_.standard == "c++17" ? std::string("gnu++17") : options_.standard));
  }
  append(flags, base_flags(options_, tools_.kind));
  // nvcc checks printf's format against its arguments, but accepts an empty format.
  if (input.language == Language::cuda) append(flags, {"-Wformat", "-Wno-format-zero-length"});
  append(flags, options_.compiler);
  if (watched(options_))
    append(flags, check_compile_flags(options_, tools_.kind, input.language, runs_on_device));
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

/// Flags that make the compiler write a make rule beside the object, as nvcc does.
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
  // With this flag g++ also lists the headers in a precompiled header. They include system headers, so the
  // flag does not suit -MMD, which leaves these out. Without -MD, g++ crashes on the flag.
  if (tools_.kind == HostKind::gcc && std::find(flags.begin(), flags.end(), "-MD") != flags.end())
    flags.push_back("-fpch-deps");
  return flags;
}

std::vector<std::string> Driver::compile_command(const Input& input, const std::string& object,
                                                 bool runs_on_device) const {
  if (input.language == Language::cuda) tool_archives(options_, tools_);  // the link step then finds them
  auto command = language_flags(input, runs_on_device);
  // nvcc's host compiler never compiles the bodies of kernels, so warnings about kernels must not break a
  // build.
  for (const char* warning :
       {"sign-compare", "unused-variable", "unused-but-set-variable", "unused-parameter", "unused-value",
        "uninitialized", "parentheses", "unknown-pragmas", "array-bounds", "format", "format-extra-args"})
    command.push_back(std::string("-Wno-error=") + warning);
  if (tools_.kind == HostKind::gcc) command.push_back("-Wno-error=maybe-uninitialized");
  append(command, {"-pipe", "-Wno-psabi"});  // kernels have parameters of 64 bytes' alignment: tensor maps
  if (tools_.kind == HostKind::gcc)
    append(command, {"-fpreprocessed", "-x", "c++"});
  else
    append(command, {"-Wno-pass-failed", "-Wno-unknown-pragmas", "-x", "c++-cpp-output"});
  append(command, {"-c", "-", "-o", object});
  return command;
}

/// True for a header of the C library, the C++ library, POSIX or the emulation. False for the user's headers.
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

PrecompileRequest Driver::shared_headers(const Input& input) const {
  PrecompileRequest request;
  request.compiler = tools_.compiler;
  request.flags = language_flags(input);
  request.flags.erase(request.flags.begin());
  std::erase_if(request.flags, [](const std::string& flag) {
    return flag.rfind("-fdiagnostics-color", 0) == 0 || flag.rfind("-fdebug-prefix-map", 0) == 0 ||
           flag.rfind("-W", 0) == 0 || flag == "-w";
  });
  // The C library's headers depend on these macros. For all other macros, the compiler itself checks that the
  // headers don't depend on them.
  for (const auto& flag : options_.preprocessor) {
    if (flag.rfind("-D_", 0) == 0 || flag.rfind("-U", 0) == 0 || flag.rfind("-DNDEBUG", 0) == 0)
      request.flags.push_back(flag);
  }
  append(request.flags, {"-isystem", tools_.include_folder});
  if (input.language == Language::cuda) request.includes = {only_precompiled, "cuda_runtime.h"};
  return request;
}

std::optional<PrecompiledHeader> Driver::precompiled(const Input& input) const {
  if (tools_.kind != HostKind::gcc || options_.dry_run) return std::nullopt;
  const bool cuda = input.language == Language::cuda;
  PrecompileRequest request = shared_headers(input);
  const std::size_t shared = request.includes.size();
  if (options_.shared_headers_now) {
    request.wishes_before = 0;
    return cuda ? precompile(request) : std::nullopt;
  }
  IncludeSearch search;
  for (std::size_t i = 0; i < options_.preprocessor.size(); ++i) {
    const std::string& flag = options_.preprocessor[i];
    if (flag.rfind("-I", 0) == 0) search.folders.push_back(flag.substr(2));
    if (flag == "-isystem" && i + 1 < options_.preprocessor.size())
      search.folders.push_back(options_.preprocessor[++i]);
  }
  search.is_precompilable = [this](const std::string& header) { return may_precompile(header); };
  for (auto& header : sure_includes(input.path, search)) {
    if (!cuda || header != "cuda_runtime.h") request.includes.push_back(std::move(header));
  }
  if (request.includes.empty()) return std::nullopt;
  if (!cuda || request.includes.size() == shared) return precompile(request);
  // The first headers are common to all CUDA sources, and are most of their includes. They are precompiled
  // soon; the whole set is precompiled only for a file that is compiled repeatedly.
  request.wishes_before = 8;
  if (auto all = precompile(request)) return all;
  request.includes.resize(shared);
  request.wishes_before = 3;
  auto first = precompile(request);
  if (first) first->has_all = false;
  return first;
}

/// Returns the lines about the toolkit that nvcc -v prints. CMake reads the folders of headers and libraries from it,
/// and the linker's command: the command that contains the words after LIBRARIES.
std::vector<std::string> Driver::toolkit_settings() const {
  const char* path = std::getenv("PATH");
  return {"_HERE_=" + tools_.toolkit + "/bin",
          "TOP=" + tools_.toolkit,
          "NVVMIR_LIBRARY_DIR=" + tools_.toolkit + "/nvvm/libdevice",
          "PATH=" + std::string(path != nullptr ? path : ""),
          "INCLUDES=" + quote({"-I" + tools_.toolkit + "/include"}),
          "LIBRARIES=" + quote({toolkit_libraries()})};
}

void Driver::library_flags(std::vector<std::string>& command) const {
  static constexpr std::array<std::string_view, 7> of_runtime = {
      "cudart", "cudart_static", "cudadevrt", "cuda", "culibos", "nvToolsExt", "nvtx3interop"};
  const std::vector<ExtraLibrary> extras = extra_libraries_beside(tools_.runtime);
  std::vector<std::string> archives;  // each once, after the libraries that need it
  for (const auto& library : options_.libraries) {
    std::string name = library;
    if (name.size() > 7 && name.rfind("_static") == name.size() - 7) name.resize(name.size() - 7);
    if (std::find(of_runtime.begin(), of_runtime.end(), library) != of_runtime.end()) continue;
    std::string archive, lack;
    for (const ExtraLibrary& extra : extras) {
      if (extra.name != name) continue;
      if (lack.empty()) lack = missing_package(extra);
      if (!archive.empty()) continue;
      const std::string wanted = "-l" + name;
      archive = archive_of({extra.target.c_str(), extra.title.c_str(), wanted.c_str(), ""}, tools_.runtime,
                           options_.dry_run);
    }
    if (!lack.empty() && !silent()) std::fprintf(stderr, "emucc: warning: %s\n", lack.c_str());
    if (!archive.empty()) {
      if (std::find(archives.begin(), archives.end(), archive) == archives.end()) archives.push_back(archive);
      continue;
    }
    std::error_code failure;
    const bool present = fs::exists(fs::path(tools_.runtime).parent_path() / ("lib" + name + ".a"), failure);
    if (const std::string part = missing_library(name); !present && !part.empty()) {
      // The compiler rejects a call of such a function, so an object that exists has none.
      if (!silent())
        std::fprintf(stderr, "emucc: warning: '%s' is left out: it belongs to %s\n", library.c_str(),
                     part.c_str());
      continue;
    }
    command.push_back("-l" + library);
  }
  command.insert(command.end(), archives.begin(), archives.end());
}

}  // namespace emucc
