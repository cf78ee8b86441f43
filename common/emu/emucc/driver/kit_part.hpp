/// @file
/// Archives of the emulation that programs are linked with when they ask for it: the checker, the counters, the libraries
/// (cuBLAS, cuFFT). Where ./bootstrap built the kit each is built when it is first wanted.
#pragma once
#include <filesystem>
#include <string>

namespace emucc {

struct KitPart {
  const char* target;  ///< of the build; its archive is lib<target>.a
  const char* title;   ///< "the checker"
  const char* wanted;  ///< what asks for it: "--check"
  const char*
      needs;  ///< what the build takes for it, as the end of a sentence; empty: nothing more than emucc
};

constexpr KitPart checker_part = {"cuemu_check", "the checker", "--check",
                                  "install elfutils' libdw-dev and "};
constexpr KitPart counters_part = {"cuemu_counters", "the counters", "--counters",
                                   "install elfutils' libdw-dev and "};
constexpr KitPart libraries_part = {"cuemu_libraries", "cuBLAS and cuFFT", "-lcublas, -lcublasLt and -lcufft",
                                    ""};

/// The part's archive, beside the runtime library. It is built now where it is missing and this kit can: a sentence on standard
/// error says so. Several processes at once build it once.
/// @param dry_run nothing is built, nothing need be there
/// @throws UsageError when it can't be had, with the next step
std::string archive_of(const KitPart& part, const std::filesystem::path& runtime, bool dry_run);

}  // namespace emucc
