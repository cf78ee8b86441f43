/// @file
/// Runs NVIDIA's compute-sanitizer: makes the command lines for its four tools, and reads findings from their
/// reports.
///
/// A report is text with one record for each place. Each line has a prefix of nine equals signs:
///
///     ========= Invalid __global__ write of size 4 bytes
///     =========     at scale(float *, int)+0x70 in scale.cu:25
///     =========     by thread (232,0,0) in block (3,0,0)
///     =========     Access at 0x7f5c92600fa0 is out of bounds
///     =========     and is 0 bytes after the nearest allocation at 0x7f5c92600000 of size 4000 bytes
///     =========     Saved host backtrace up to driver entry point at kernel launch time
///     =========         Host Frame: main [0x8a2e] in scale
///
/// Older versions write `at 0x70 in scale.cu:25:scale(float *, int)`. Records with an unknown first line become
/// findings of the rule "other", so that nothing is lost when a version changes its wording.
#pragma once
#include <array>

#include "build/toolchain.hpp"
#include "check/findings.hpp"

namespace grader {

/// A tool of compute-sanitizer, and its options.
struct SanitizerTool {
  const char* name;
  const char* options;  ///< one word, or empty
};
constexpr std::array<SanitizerTool, 4> sanitizer_tools = {
    {{"memcheck", "--leak-check=full"}, {"racecheck", ""}, {"initcheck", ""}, {"synccheck", ""}}};

/// The words before a program's command line. @param report the file that the tool writes, relative to the
/// work folder
/// @throws Error (environment) when this machine has no compute-sanitizer
std::vector<std::string> sanitizer_command(const Toolchain& toolchain, const SanitizerTool& tool,
                                           const std::string& report);

/// The addresses of the kit's own managed memory, which a program prints if LAB_OWN_MEMORY=1 (lab/todo.hpp).
std::vector<std::uint64_t> own_memory(const std::string& errors);

/// The findings of a report. Findings with the same rule and lines are merged.
/// @param own addresses of the kit's memory; an allocation that contains one is not the program's leak
std::vector<Finding> parse_sanitizer(const std::string& report, const std::vector<std::uint64_t>& own = {});

/// The findings of a report, mapped to the submission. No value if there is no report.
/// @throws Error (environment) when the tool reports that it can't work on this machine
std::optional<std::vector<Finding>> read_sanitizer_report(const std::optional<std::string>& report,
                                                          const Submission& submission,
                                                          const std::vector<std::uint64_t>& own = {});

}  // namespace grader
