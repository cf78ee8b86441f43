/// @file
/// Checks that a student's explanation is based on measurements, by comparing its numbers with those of
/// tables and counters. Only a person can judge the reasoning.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// A number that an explanation may quote, from a table or a counter.
struct MeasuredNumber {
  double value = 0;
  std::string
      unit;  ///< "s", "B", "B/s", or "1" for a count or a share; compared in the scales people use: ms, KiB, %
};

/// The numbers that a text contains.
struct NamedNumbers {
  std::vector<std::string> measured;  ///< as written, without duplicates: they equal a measured number
  std::vector<std::string> unknown;   ///< the other numbers that could be measurements
};

/// @param parameters values that the student chose; every table contains them, so they are no proof of a measurement
NamedNumbers numbers_named(const std::string& text, const std::vector<MeasuredNumber>& measured,
                           const std::vector<double>& parameters);

/// The text after `line` in a program's output; empty if that line is missing.
std::string text_behind(const std::string& printed, const std::string& line);

/// The number after "LINE:" in the last such line of a program's output; no value if there is no number. A time that
/// lab::print_time() printed, with (ms) after the label, is converted to seconds.
std::optional<double> printed_number(const std::string& printed, const std::string& line);

/// One sentence if a text quotes fewer than `expected` different measured numbers; else empty.
std::string explanation_problem(const NamedNumbers& named, int expected);

}  // namespace grader
