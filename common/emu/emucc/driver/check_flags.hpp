/// @file
/// `emucc --check`, `--record` and `--counters`: the additions to the host compiler's and the linker's command lines
/// by which the program reports every access of its kernels to the checker (common/emu/check) or the counters
/// (common/emu/counters). `--watchable` code reports to whichever of them it is linked with, or to none.
#pragma once
#include <string>
#include <vector>

#include "driver/options.hpp"
#include "driver/toolchain.hpp"

namespace emucc {

/// True if code reports to tools.
inline bool watched(const Options& options) {
  return options.check || options.counters || options.watchable;
}
/// True if a tool is linked.
inline bool has_tool(const Options& options) {
  return options.check || options.counters;
}

/// Settings that they need, whatever the other options: a fixed optimisation level, so that findings and counts do
/// not depend on it, and no splitting of kernels.
/// @throws UsageError where they aren't available
void prepare_check(Options& options, HostKind host);

/// Flags for a source in `language`.
/// @param runs_on_device kernels run some of its code. Without the flags for device code, a program's host part
/// compiles in half the time
std::vector<std::string> check_compile_flags(const Options& options, HostKind host, Language language,
                                             bool runs_on_device);

/// The archives of the requested tools. Missing ones are built now if this kit can build them.
/// @throws UsageError where the kit was built without them
std::vector<std::string> tool_archives(const Options& options, const Toolchain& tools);

/// The arguments before the runtime library at the link.
/// @throws UsageError where the kit was built without their library
std::vector<std::string> check_link_flags(const Options& options, const Toolchain& tools);

/// The archive that watchable code is linked with where no tool is.
std::string unwatched_archive(const Toolchain& tools);

/// A source that is linked with the program: emucc's settings, the program that makes a page of a record, and the
/// checker's facts about the host compiler. Empty if there are none.
std::string check_settings(const Options& options, const Toolchain& tools);

}  // namespace emucc
