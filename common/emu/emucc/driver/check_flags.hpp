/// @file
/// `emucc --check`, `--record` and `--counters`: what they add to the host compiler's and the linker's command lines, so
/// that the program tells the checker (common/emu/check) or the counters (common/emu/counters) of every
/// access of its kernels.
#pragma once
#include <string>
#include <vector>

#include "driver/options.hpp"
#include "driver/toolchain.hpp"

namespace emucc {

/// Is the program built with one of them?
inline bool watched(const Options& options) {
  return options.check || options.counters;
}

/// Settings that they need, whatever else was asked for: one optimisation, so that findings and counts do not
/// depend on it, and every thread by itself.
/// @throws UsageError where they can't be had
void prepare_check(Options& options, HostKind host);

/// Flags for a source in `language`.
/// @param runs_on_device is any of its code run by kernels? The host's part of a program is compiled in half the time without
///     what looks at device code alone
std::vector<std::string> check_compile_flags(const Options& options, HostKind host, Language language,
                                             bool runs_on_device);

/// The archives of the tools that were asked for. They are built now where they are missing and this kit can.
/// @throws UsageError where the kit was built without them
std::vector<std::string> tool_archives(const Options& options, const Toolchain& tools);

/// What stands before the runtime library at the link.
/// @throws UsageError where the kit was built without their library
std::vector<std::string> check_link_flags(const Options& options, const Toolchain& tools);

/// A source that is linked with the program: settings that were given to emucc, who makes a page of a record, and what the
/// checker has to know of the host compiler. Empty where there is nothing to say.
std::string check_settings(const Options& options, const Toolchain& tools);

}  // namespace emucc
