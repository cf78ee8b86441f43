/// @file
/// The additions of `emucc --check`, `--record` and `--counters` to the host compiler's and the linker's command
/// lines. With them, the program reports every access of its kernels to the checker (common/emu/check) or to the
/// counters (common/emu/counters). `--watchable` code reports to whichever tool the program is linked with, or to
/// none.
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

/// Sets options that the tools need, whatever the other options: a fixed optimisation level, so that findings and
/// counts do not depend on it, and no splitting of kernels.
/// @throws UsageError if the tools aren't available
void prepare_check(Options& options, HostKind host);

/// Flags for a source in `language`.
/// @param runs_on_device kernels run some of the source's code. Host code compiles in half the time without the flags
/// for device code
std::vector<std::string> check_compile_flags(const Options& options, HostKind host, Language language,
                                             bool runs_on_device);

/// The archives of the requested tools. Missing archives are built now if this kit can build them.
/// @throws UsageError if the kit was built without these tools
std::vector<std::string> tool_archives(const Options& options, const Toolchain& tools);

/// The arguments that come before the runtime library at the link.
/// @throws UsageError if the kit was built without the tools' library
std::vector<std::string> check_link_flags(const Options& options, const Toolchain& tools);

/// The archive that watchable code is linked with if no tool is linked.
std::string unwatched_archive(const Toolchain& tools);

/// A source that is linked with the program: emucc's settings, the program that makes a page of a record, and the
/// checker's facts about the host compiler. Empty if there are none.
std::string check_settings(const Options& options, const Toolchain& tools);

}  // namespace emucc
