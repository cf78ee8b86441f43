/// @file
/// The flags that `emucc --check`, `--record` and `--counters` add to the command lines of the host compiler
/// and the linker. With them, the program reports every access of its kernels to the checker
/// (common/emu/check) or to the counters (common/emu/counters). `--watchable` code reports to the tool that
/// the program is linked with, or to none.
#pragma once
#include <string>
#include <vector>

#include "driver/options.hpp"
#include "driver/toolchain.hpp"

namespace emucc {

/// True if the compiled code reports accesses to tools.
inline bool watched(const Options& options) {
  return options.check || options.counters || options.watchable;
}
/// True if a tool is linked with the program.
inline bool has_tool(const Options& options) {
  return options.check || options.counters;
}

/// Sets the options that the tools need, whatever the other options are. The optimisation level is fixed, so
/// that findings and counts do not depend on it. Kernels are not split.
/// @throws UsageError if the tools aren't available
void prepare_check(Options& options, HostKind host);

/// Returns the flags for a source in `language`.
/// @param runs_on_device whether kernels run some of the source's code. Without the flags for device code,
/// host code compiles in half the time
std::vector<std::string> check_compile_flags(const Options& options, HostKind host, Language language,
                                             bool runs_on_device);

/// Returns the archives of the requested tools. Missing archives are built now if this kit can build them.
/// @throws UsageError if the kit was built without these tools
std::vector<std::string> tool_archives(const Options& options, const Toolchain& tools);

/// Returns the arguments before the runtime library on the linker's command line.
/// @throws UsageError if the kit was built without the tools' library
std::vector<std::string> check_link_flags(const Options& options, const Toolchain& tools);

/// Returns the archive that watchable code is linked with if no tool is linked.
std::string unwatched_archive(const Toolchain& tools);

/// Returns a source that is linked with the program. It contains emucc's settings, the path of the program
/// that makes a page of a record, and the checker's facts about the host compiler. Empty if there are none.
std::string check_settings(const Options& options, const Toolchain& tools);

}  // namespace emucc
