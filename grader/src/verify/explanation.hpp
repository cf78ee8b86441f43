/// @file
/// Does a student's explanation rest on what was measured? Its numbers are held against those of tables and counters. What
/// it says about them is for a person to read.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// A number that somebody may name: of a table, or counted.
struct MeasuredNumber {
  double value = 0;
  std::string
      unit;  ///< "s", "B", "B/s", or "1" for a count or a share; scaled as people write it: ms, KiB, %
};

/// The numbers of a text.
struct NamedNumbers {
  std::vector<std::string>
      measured;  ///< each once, as written: they agree with a measured one in all their digits
  std::vector<std::string> unknown;  ///< the others that could be measured ones
};

/// @param parameters values that the student chose: they are in every table and prove nothing
NamedNumbers numbers_named(const std::string& text, const std::vector<MeasuredNumber>& measured,
                           const std::vector<double>& parameters);

/// The text behind a line of what a program printed; empty without that line.
std::string text_behind(const std::string& printed, const std::string& line);

/// The number behind "LINE:" in what a program printed, the last such line; none when there is no number.
/// What lab::print_time() printed, with (ms) behind it, becomes seconds.
std::optional<double> printed_number(const std::string& printed, const std::string& line);

/// Empty when a text names so many different measured numbers, else one sentence.
std::string explanation_problem(const NamedNumbers& named, int expected);

}  // namespace grader
