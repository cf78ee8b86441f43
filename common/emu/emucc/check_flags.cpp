#include "check_flags.hpp"

#include <filesystem>
#include <initializer_list>

namespace emucc {

namespace fs = std::filesystem;

void prepare_check(Options& options) {
  if (!options.check) return;
  options.fission = false;
  options.debug = false;
  options.optimisation = "1";
}

std::vector<std::string> check_compile_flags(HostKind host, Language language) {
  // Lines and names of the host's part are wanted too: where memory was allocated, what was launched.
  std::vector<std::string> flags = {"-g"};
  const auto add = [&flags](std::initializer_list<const char*> more) {
    flags.insert(flags.end(), more.begin(), more.end());
  };
  if (host == HostKind::clang) add({"-gdwarf-aranges"});
  if (language != Language::cuda) return flags;
  // The instrumentation alone: its runtime library is never linked, the checker takes its place.
  add({"-fsanitize=thread", "-DCUEMU_CHECK=1"});
  if (host == HostKind::gcc)
    add({"--param", "tsan-distinguish-volatile=1", "-fsanitize=bounds", "-Wno-tsan"});
  else
    add({"-mllvm", "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-instrument-read-before-write=1",
         "-fsanitize=array-bounds"});
  return flags;
}

std::vector<std::string> check_link_flags(const Toolchain& tools) {
  const fs::path library = fs::path(tools.runtime).parent_path() / "libcuemu_check.a";
  std::error_code failure;
  if (!fs::exists(library, failure))
    throw UsageError("--check needs " + library.string() +
                     ", which is missing: install elfutils' libdw-dev and build the kit again");
  return {"-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset",
          "-Wl,--whole-archive",
          library.string(),
          "-Wl,--no-whole-archive",
          tools.runtime,
          "-ldw"};
}

std::string check_settings(const Options& options) {
  if (options.error_exitcode == 0) return "";
  return "extern \"C\" { extern const int cuemu_check_error_exitcode; const int cuemu_check_error_exitcode "
         "= " +
         std::to_string(options.error_exitcode) + "; }\n";
}

}  // namespace emucc
