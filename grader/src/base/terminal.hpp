/// @file
/// Terminal features: colour, width and a progress line. All output for people uses these functions.
#pragma once
#include <cstddef>
#include <string>

namespace grader {

/// The escape sequences of colours, which are empty if colour is off, and the width of the terminal.
struct Style {
  bool colour = false;
  int width = 80;
  std::string good(const std::string& text) const;    ///< green
  std::string bad(const std::string& text) const;     ///< red
  std::string warn(const std::string& text) const;    ///< yellow
  std::string strong(const std::string& text) const;  ///< bold
  std::string faint(const std::string& text) const;   ///< dim

  /// Enables colour only if the descriptor is a terminal, TERM is not "dumb" and NO_COLOR is unset or empty.
  static Style detect(int descriptor);
};

/// Breaks text at blanks, so that no line is wider than `width`. All lines but the first are indented by
/// `indent` blanks.
std::string wrap(const std::string& text, int width, int indent = 0);

/// One character of UTF-8 text.
struct Character {
  char32_t value = 0;
  std::size_t bytes = 1;
  bool valid = true;  ///< false: a byte that is not UTF-8, or belongs to an overlong or invalid character
};
Character decode_character(const std::string& utf8, std::size_t at);

/// Number of columns that UTF-8 text takes.
int display_width(const std::string& utf8);

/// A line on standard error that shows the current activity. It appears only on a terminal, and only after
/// one second.
class ProgressLine {
 public:
  explicit ProgressLine(bool enabled);
  ~ProgressLine();
  void update(const std::string& step, int done, int of);
  void clear();

 private:
  struct Impl;
  Impl* impl_;
};

/// An SI value in words: "1.234 ms", "3.2 GB/s", "64 MiB".
std::string human_time(double seconds);
std::string human_bytes(double bytes);
std::string human_rate(double bytes_per_second);

}  // namespace grader
