#include "driver/toolchain.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "driver/process.hpp"
#include "lex/align.hpp"

namespace emucc {
namespace {

namespace fs = std::filesystem;

/// Reads a compiler's kind and version. @return empty if the compiler is suitable; otherwise a sentence that
/// says why it is not
std::string examine(const std::string& path, Toolchain& found) {
  Command command;
  command.argv = {path, "--version"};
  command.capture_output = true;
  const CommandResult result = run(command);
  if (!result.ok()) return "'" + path + "' does not answer to --version";
  found.compiler = path;
  found.version = result.output.substr(0, result.output.find('\n'));
  found.kind = found.version.find("clang") != std::string::npos ? HostKind::clang : HostKind::gcc;
  // The version is the last number with a point, as in "g++ (Debian 12.2.0-14) 12.2.0", or the number after
  // "version", as in "Debian clang version 14.0.6".
  std::string tail = found.version;
  if (const std::size_t at = tail.find("version "); at != tail.npos)
    tail = tail.substr(at + 8);
  else if (const std::size_t bracket = tail.rfind(") "); bracket != tail.npos)
    tail = tail.substr(bracket + 2);
  const int major = std::atoi(tail.c_str());
  const int least = found.kind == HostKind::gcc ? 12 : 14;
  if (major >= least) return {};
  return "'" + path + "' is " + found.version + ", but the emulation needs g++ 12 or clang++ 14 or newer";
}

Toolchain find_compiler(const Options& options) {
  Toolchain found;
  std::string wanted = options.host_compiler;
  std::string origin = "-ccbin names";
  if (wanted.empty()) {
    if (const char* name = std::getenv("CUEMU_HOST_CXX"); name != nullptr && *name != 0) {
      wanted = name;
      origin = "CUEMU_HOST_CXX names";
    }
  }
  if (!wanted.empty()) {
    std::error_code ignored;
    if (fs::is_directory(wanted, ignored)) wanted += "/g++";  // -ccbin accepts a folder too
    const std::string name = fs::path(wanted).filename();
    if (name == "gcc" || name.rfind("gcc-", 0) == 0)
      wanted = wanted.substr(0, wanted.size() - name.size()) + "g++" + name.substr(3);
    if (name == "clang" || name.rfind("clang-", 0) == 0)
      wanted = wanted.substr(0, wanted.size() - name.size()) + "clang++" + name.substr(5);
    const std::string path = find_program(wanted);
    if (path.empty())
      throw UsageError(origin + " the host compiler '" + wanted + "', but there is no such program");
    const std::string lack = examine(path, found);
    if (!lack.empty()) throw UsageError(origin + " a host compiler that won't do: " + lack);
    return found;
  }
  std::string lack;
  for (const char* name : {"g++", "g++-14", "g++-13", "g++-12", "clang++", "clang++-19", "clang++-18",
                           "clang++-17", "clang++-16", "clang++-15", "clang++-14"}) {
    const std::string path = find_program(name);
    if (path.empty()) continue;
    const std::string why_not = examine(path, found);
    if (why_not.empty()) return found;
    if (lack.empty()) lack = why_not;
  }
  if (lack.empty()) lack = "there is no C++ compiler here";
  throw UsageError(lack + ": install one with 'sudo apt-get install g++', or name one with -ccbin");
}

}  // namespace

std::string macro_definition(const std::string& header_text, const std::string& name) {
  const std::string start = "#define " + name + " ";
  std::size_t at = header_text.find(start);
  if (at == header_text.npos) return {};
  std::string text;
  for (at += start.size(); at < header_text.size() && header_text[at] != '\n'; ++at) {
    const bool continued =
        header_text[at] == '\\' && at + 1 < header_text.size() && header_text[at + 1] == '\n';
    if (continued) ++at;
    const char c = continued ? ' ' : header_text[at];
    if (c != ' ' || (!text.empty() && text.back() != ' ')) text += c;
  }
  return text;
}

Toolchain find_toolchain(const Options& options) {
  Toolchain found = find_compiler(options);
  std::error_code failure;
  const fs::path self = fs::read_symlink("/proc/self/exe", failure);
  const fs::path prefix = self.parent_path().parent_path();
  found.include_folder = prefix / "include" / "emu";
  found.runtime = prefix / "lib" / "libcuemu.a";
  found.toolkit = prefix / "cuda";
  found.viewer = self.parent_path() / "grader";
  const std::string launch_header = found.include_folder + "/cuemu/launch.hpp";
  const auto text = load_file(launch_header);
  if (text) found.kernel_parameters = macro_definition(*text, "CUEMU_KERNEL_PARAMS");
  if (found.kernel_parameters.empty()) {
    throw UsageError("emucc's own headers are not beside it (" + launch_header +
                     " is missing or damaged): install the kit again, or build it with cmake --build");
  }
  return found;
}

std::vector<std::string> cuda_macros(const Options& options) {
  const std::string arch = std::to_string(options.architecture);
  std::vector<std::string> macros = {"-D__CUDACC__=1",
                                     "-D__NVCC__=1",
                                     "-D__CUEMU__=1",
                                     "-D__CUDACC_VER_MAJOR__=13",
                                     "-D__CUDACC_VER_MINOR__=0",
                                     "-D__CUDACC_VER_BUILD__=0",
                                     "-D__CUDACC_EXTENDED_LAMBDA__=1",
                                     "-D__CUDACC_RELAXED_CONSTEXPR__=1",
                                     "-D__CUDA_ARCH__=" + arch,
                                     "-D__CUDA_ARCH_LIST__=" + arch};
  // nvcc defines this macro only for sm_90a. The emulation has all instructions of that target.
  if (options.architecture == 900) macros.push_back("-D__CUDA_ARCH_FEAT_SM90_ALL=1");
  if (options.relocatable) macros.push_back("-D__CUDACC_RDC__=1");
  return macros;
}

std::vector<std::string> base_flags(const Options& options, HostKind host) {
  // These are the rules of device code: functions don't set errno, floating-point operations don't trap, and
  // pointers of any types may alias.
  std::vector<std::string> flags = {"-fno-math-errno", "-fno-trapping-math", "-fno-strict-aliasing"};
  // A large frame must not skip a fiber's guard page. (clang has this flag for all targets only since version
  // 19.)
#if !defined(__x86_64__)
  if (host == HostKind::gcc)
#endif
    flags.push_back("-fstack-clash-protection");
  std::string level = options.optimisation;
  if (level.empty()) level = options.debug ? "0" : "2";
  if (level == "2" && host == HostKind::gcc) {
    // These optimisations speed up kernels. The others of -O2 take a third of g++'s time, and kernels run no
    // faster with them.
    for (const char* flag : {"-O1", "-ftree-vectorize", "-finline-small-functions", "-findirect-inlining"})
      flags.push_back(flag);
  } else {
    flags.push_back("-O" + level);
  }
  return flags;
}

}  // namespace emucc
