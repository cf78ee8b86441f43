/// @file
/// NVIDIA's compute-sanitizer: how its four tools are called, and their reports as findings.
///
/// A report is text, one record for each place, behind a prefix of nine equals signs:
///
///     ========= Invalid __global__ write of size 4 bytes
///     =========     at scale(float *, int)+0x70 in scale.cu:25
///     =========     by thread (232,0,0) in block (3,0,0)
///     =========     Access at 0x7f5c92600fa0 is out of bounds
///     =========     and is 0 bytes after the nearest allocation at 0x7f5c92600000 of size 4000 bytes
///     =========     Saved host backtrace up to driver entry point at kernel launch time
///     =========         Host Frame: main [0x8a2e] in scale
///
/// Older versions write `at 0x70 in scale.cu:25:scale(float *, int)`. Records whose first line is not known
/// are kept as findings of the rule "other", so that nothing is lost when a version words things anew.
#pragma once
#include <array>

#include "build/toolchain.hpp"
#include "check/findings.hpp"

namespace grader {

/// One of its tools and what it is asked for.
struct SanitizerTool {
  const char* name;
  const char* options;  ///< one word, or empty
};
constexpr std::array<SanitizerTool, 4> sanitizer_tools = {
    {{"memcheck", "--leak-check=full"}, {"racecheck", ""}, {"initcheck", ""}, {"synccheck", ""}}};

/// The command to put before a program. @param report file that it writes, relative to the work folder
/// @throws Error (environment) when there is no compute-sanitizer on this machine
std::vector<std::string> sanitizer_command(const Toolchain& toolchain, const SanitizerTool& tool,
                                           const std::string& report);

/// Where the kit's own managed memory lies, as a program says with LAB_OWN_MEMORY=1 (lab/todo.hpp).
std::vector<std::uint64_t> own_memory(const std::string& errors);

/// Findings of a report, those of the same rule and lines merged.
/// @param own addresses of memory that is the kit's: what lies around one is no leak of the program's
std::vector<Finding> parse_sanitizer(const std::string& report, const std::vector<std::uint64_t>& own = {});

/// The findings of a report, fitted to the submission. None when the tool wrote none.
/// @throws Error (environment) when the tool says that it can't work on this machine
std::optional<std::vector<Finding>> read_sanitizer_report(const std::optional<std::string>& report,
                                                          const Submission& submission,
                                                          const std::vector<std::uint64_t>& own = {});

}  // namespace grader
