/// @file
/// `emucc --check`: what it adds to the host compiler's and the linker's command lines, so that the program
/// tells the checker (common/emu/check) of every access of its kernels.
#pragma once
#include <string>
#include <vector>

#include "options.hpp"
#include "toolchain.hpp"

namespace emucc {

/// Settings that the check needs, whatever else was asked for: one optimisation, so that findings do not
/// depend on it, and every thread by itself.
void prepare_check(Options& options);

/// Flags for a source in `language`.
std::vector<std::string> check_compile_flags(HostKind host, Language language);

/// What stands before the runtime library at the link.
/// @throws UsageError where the kit was built without the checker
std::vector<std::string> check_link_flags(const Toolchain& tools);

/// A source that is linked with the program: settings that were given to emucc. Empty where there are none.
std::string check_settings(const Options& options);

}  // namespace emucc
