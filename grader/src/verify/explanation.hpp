/// @file
/// Checks that a student's explanation rests on measurements: its numbers are compared with those of tables and
/// counters. Its reasoning is for a person to read.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// A number that an explanation may quote: from a table, or counted.
struct MeasuredNumber {
  double value = 0;
  std::string
      unit;  ///< "s", "B", "B/s", or "1" for a count or a share; compared in the scales people use: ms, KiB, %
};

/// The numbers of a text.
struct NamedNumbers {
  std::vector<std::string> measured;  ///< each once, as written: all digits agree with a measured number
  std::vector<std::string> unknown;   ///< the other numbers that could be measurements
};

/// @param parameters values that the student chose: every table holds them, so they prove nothing
NamedNumbers numbers_named(const std::string& text, const std::vector<MeasuredNumber>& measured,
                           const std::vector<double>& parameters);

/// The text after `line` in a program's output; empty without that line.
std::string text_behind(const std::string& printed, const std::string& line);

/// The number after "LINE:" in a program's output, from the last such line; none without a number. A time of
/// lab::print_time(), with (ms) after the label, is converted to seconds.
std::optional<double> printed_number(const std::string& printed, const std::string& line);

/// Empty when a text quotes at least `expected` different measured numbers, else one sentence.
std::string explanation_problem(const NamedNumbers& named, int expected);

}  // namespace grader
