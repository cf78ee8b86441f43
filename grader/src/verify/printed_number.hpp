/// @file
/// Reads a number that a program prints beside its name.
#pragma once
#include <optional>
#include <string>

namespace grader {

/// The number after "LINE:" in the last such line of a program's output; no value if there is no number. A time that
/// lab::print_time() printed, with (ms) after the label, is converted to seconds.
std::optional<double> printed_number(const std::string& printed, const std::string& line);

}  // namespace grader
