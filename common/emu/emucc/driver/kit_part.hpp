/// @file
/// Archives of the emulation that programs are linked with on request: the checker, the counters, and the
/// archives of extras (extra_library.hpp). A kit that ./bootstrap built builds each of them at its first use.
#pragma once
#include <filesystem>
#include <string>

namespace emucc {

struct KitPart {
  const char* target;  ///< of the build; its archive is lib<target>.a
  const char* title;   ///< "the checker"
  const char* wanted;  ///< the option that needs it: "--check"
  const char* needs;   ///< requirements of its build, as the end of a sentence; empty: as emucc
};

constexpr KitPart checker_part = {"cuemu_check", "the checker", "--check",
                                  "install elfutils' libdw-dev and "};
constexpr KitPart counters_part = {"cuemu_counters", "the counters", "--counters",
                                   "install elfutils' libdw-dev and "};

/// Returns the path of the part's archive, which is beside the runtime library. If the archive is missing and
/// this kit can build it, prints a sentence on standard error and builds it. Concurrent processes build it
/// only once.
/// @param dry_run nothing is built, and the archive may be missing
/// @throws UsageError that gives the next step, if the archive isn't available
std::string archive_of(const KitPart& part, const std::filesystem::path& runtime, bool dry_run);

}  // namespace emucc
