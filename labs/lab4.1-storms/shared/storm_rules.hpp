/// @file
/// Storms of particles for the lab on energy storms: their rules, their files, and generated storms. storm_peaks.hpp
/// computes the right layers and maxima.
///
/// A layer is a line of `size` cells, all 0 at first. A storm is a list of particles, each with the cell
/// that it hits and a value. Each storm in turn changes the layer that the previous storms have left:
///
///     bombard   each particle adds energy / sqrt(d) to each cell within reach, d = |position - cell| + 1
///     relax     each cell but the two ends becomes the mean of itself and its neighbours, as they were
///     maximum   the greatest cell that is greater than both neighbours, without the two ends; the first of
///               equal cells; "0 0" if no such cell is above 0
///
/// There are two sets of rules (see Rules). The files are text: the number of particles, then a line `position value`
/// for each particle.
///
/// Trasgo group, University of Valladolid: "Teaching parallel programming with peachy assignments", EduHPC
/// 2018. Every fault of a file ends the program with one sentence (exit code 2). Host code only.
#pragma once
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <lab/exit.hpp>
#include <lab/memory.hpp>
#include <lab/random.hpp>

namespace lab {

/// A particle as a file holds it.
struct Impact {
  int position;  ///< the cell that it hits, at most most_distance from 0; may lie outside the layer
  int value;     ///< may be 0 or negative
};

using Storm = std::vector<Impact>;

/// Positions and values are between -most_distance and most_distance, so that a distance fits an int.
constexpr int most_distance = 1000000000;
/// Upper limit of a layer's cells.
constexpr int most_cells = 1 << 30;

/// The meaning of a particle's value, and its reach.
enum class Rules {
  classroom,  ///< energy = value / 1000; it reaches cells up to d = value² (where energy / sqrt(d) is 0.001)
  eduhpc,     ///< energy = value * 1000 / size; it reaches all cells
};

/// Parses "classroom" or "eduhpc". @return false if the text is neither
inline bool parse_rules(const std::string& text, Rules& rules) {
  rules = text == "eduhpc" ? Rules::eduhpc : Rules::classroom;
  return text == "eduhpc" || text == "classroom";
}

/// The greatest d = |position - cell| + 1 at which a particle adds anything.
inline int reach_of(int value, Rules rules) {
  constexpr std::int64_t everywhere = 2147483647;
  if (rules == Rules::eduhpc) return value == 0 ? 0 : static_cast<int>(everywhere);
  return static_cast<int>(std::min(std::int64_t{value} * value, everywhere));
}

namespace detail {

[[noreturn, gnu::cold]] inline void storm_fail(const std::string& path, const std::string& problem) {
  usage_error("Storm file " + path + " " + problem);
}

/// The text of a regular file.
LAB_COLD inline std::string storm_text(const std::string& path) {
  struct stat status;
  std::FILE* const file = ::stat(path.c_str(), &status) == 0 ? std::fopen(path.c_str(), "rb") : nullptr;
  if (file == nullptr)
    storm_fail(path, std::string("can't be opened: ") + std::strerror(errno) + ". Check the path.");
  if (!S_ISREG(status.st_mode)) {
    std::fclose(file);
    storm_fail(path, "is a folder, a pipe or a device: give a text file.");
  }
  std::string text = host_array<char>(static_cast<std::size_t>(status.st_size), path).empty()
                         ? std::string()
                         : std::string(static_cast<std::size_t>(status.st_size), '\0');
  const std::size_t got = text.empty() ? 0 : std::fread(&text[0], 1, text.size(), file);
  std::fclose(file);
  if (got != text.size()) storm_fail(path, "can't be read to its end. Copy it again.");
  return text;
}

/// Iterates over the lines of a storm file that are not blank.
class StormLines {
 public:
  StormLines(const std::string& path, const std::string& text) : path_(path), text_(text) {}

  /// The next line's whole numbers. @return false at the end of the file
  LAB_COLD bool next(std::vector<std::int64_t>& numbers) {
    while (at_ < text_.size()) {
      ++line_;
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      const std::string line = text_.substr(at_, end - at_);
      at_ = end + 1;
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      read(line, numbers);
      return true;
    }
    return false;
  }

  int line() const { return line_; }

  [[noreturn, gnu::cold]] void fail(const std::string& problem) const {
    storm_fail(path_, "line " + std::to_string(line_) + ": " + problem);
  }

 private:
  LAB_COLD void read(const std::string& line, std::vector<std::int64_t>& numbers) const {
    numbers.clear();
    const char* at = line.c_str();
    const char* const end = at + line.size();
    for (;;) {
      while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
      if (at == end) return;
      char* behind = nullptr;
      errno = 0;
      numbers.push_back(std::strtoll(at, &behind, 10));
      const bool ends = behind == end || *behind == ' ' || *behind == '\t' || *behind == '\r';
      if (behind == at || !ends || errno == ERANGE || numbers.size() > 2)
        fail("expected one whole number, how many particles, or two, a position and a value, but found '" +
             line.substr(0, std::min<std::size_t>(line.find_last_not_of('\r') + 1, 40)) + "'.");
      at = behind;
    }
  }

  const std::string& path_;
  const std::string& text_;
  std::size_t at_ = 0;
  int line_ = 0;
};

}  // namespace detail

/// Reads the storms of a file: one storm, as in public files, or several in succession.
LAB_COLD inline std::vector<Storm> read_storms(const std::string& path) {
  const std::string text = detail::storm_text(path);
  detail::StormLines lines(path, text);
  std::vector<Storm> storms;
  std::vector<std::int64_t> numbers;
  while (lines.next(numbers)) {
    const int head = lines.line();
    if (numbers.size() != 1 && storms.empty())
      lines.fail("expected the number of particles, one number, but found two.");
    if (numbers.size() != 1)
      lines.fail(
          "found one more particle than the " + std::to_string(storms.back().size()) +
          " that the storm's first line says; or is the number of particles of the next storm missing?");
    const std::int64_t count = numbers[0];
    if (count < 0)
      lines.fail("the number of particles must be at least 0, but is " + std::to_string(count) + ".");
    // Each particle takes at least four characters, so a larger count must not reserve more memory.
    const auto room = static_cast<std::int64_t>(text.size() / 4 + 1);
    Storm storm;
    storm.reserve(static_cast<std::size_t>(std::min(count, room)));
    for (std::int64_t i = 0; i < count; ++i) {
      if (!lines.next(numbers))
        detail::storm_fail(path, "ends after " + std::to_string(i) + " of the " + std::to_string(count) +
                                     " particles that line " + std::to_string(head) +
                                     " says. Are lines missing, or is the number too large?");
      if (numbers.size() != 2)
        lines.fail("expected particle " + std::to_string(i + 1) + " of " + std::to_string(count) +
                   ", a position and a value, but found one number.");
      for (const std::int64_t number : numbers) {
        if (number < -most_distance || number > most_distance)
          lines.fail("positions and values must be between -" + std::to_string(most_distance) + " and " +
                     std::to_string(most_distance) + ", but found " + std::to_string(number) + ".");
      }
      storm.push_back({static_cast<int>(numbers[0]), static_cast<int>(numbers[1])});
    }
    storms.push_back(std::move(storm));
  }
  if (storms.empty())
    detail::storm_fail(path, "is empty: expected the number of particles in its first line.");
  return storms;
}

/// Writes storms one after the other.
LAB_COLD inline void write_storms(const std::string& path, const std::vector<Storm>& storms) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  bool good = file != nullptr;
  for (const Storm& storm : storms) {
    good = good && std::fprintf(file, "%zu\n", storm.size()) > 0;
    for (const Impact& one : storm) good = good && std::fprintf(file, "%d %d\n", one.position, one.value) > 0;
  }
  if (file != nullptr) good = std::fclose(file) == 0 && good;
  if (!good)
    usage_error("Output " + path + " can't be written: " + std::strerror(errno) +
                ". Name a file in a folder that you may write, on a disk with room.");
}

/// Generated storms: `storms` storms of equal numbers of particles, or one of the named sets.
struct StormShape {
  int storms = 0, particles = 0;
  std::string name;  ///< empty: drawn at random
};

namespace detail {

/// A set of storms with a name.
struct NamedStorms {
  const char* name;
  std::vector<Storm> storms;
};

/// Small sets: the public assignment's sets, and a set for each special case.
LAB_COLD inline const std::vector<NamedStorms>& named_storms() {
  static const Storm w1 = {{4, 100}, {8, 60}, {10, 150}, {14, 200}, {21, 100}, {22, 20}, {26, 200}, {29, 10}};
  static const Storm w2 = {{3, 70}, {6, 30}, {12, 10}, {14, 20}, {16, 30}, {25, 100}, {28, 80}};
  static const Storm w3 = {{4, 80}, {8, 10}, {10, 100}, {15, 20}, {27, 10}};
  static const Storm w4 = {{2, 620}, {4, 3}, {5, 10}, {9, 2}, {26, 30}, {28, 30}, {32, 530}, {33, 20}};
  static const std::vector<NamedStorms> sets = {
      {"handout", {w1, w2, w3}},
      {"test_01", {w1, w2, w3, w4}},
      {"test_03", {{{9, 90}, {10, 100}, {11, 90}, {16, 110}}}},
      {"test_04", {{{10, 110}, {15, 90}, {16, 100}, {17, 90}}}},
      {"test_05", {{{8, 90}, {9, 100}, {10, 90}, {16, 110}}}},
      {"test_06", {{{9, 110}, {15, 90}, {16, 100}, {17, 90}}}},
      {"test_08", {{{10, 10}}, {{658423, 10}}, {{923034, 1}}}},
      {"plateau", {{{9, 100}, {10, 100}}}},
      {"negative", {{{5, -100}, {14, -60}}}},
      {"border", {{{0, 100}}, {{19, 100}}}},
      {"outside", {{{-3, 500}, {40, 800}}, {{7, 90}}}},
      {"zero", {{{10, 0}}}},
      {"empty", {{{10, 100}}, {}, {}}},
      {"tie", {{{5, 100}, {14, 100}}}},
      {"mixed", {{{5, 100}, {6, -100}, {12, 30}}}},
      {"smallest", {{{1, 100}}}},
  };
  return sets;
}

}  // namespace detail

/// "4x5000" is 4 storms of 5000 particles each, at random; "test_01" … one of the named sets.
/// @return false if the text is something else, or requests more than 1024 storms or 2^24 particles
LAB_COLD inline bool parse_storms(const std::string& text, StormShape& shape) {
  shape = {};
  for (const detail::NamedStorms& set : detail::named_storms()) {
    if (text == set.name) shape.name = text;
  }
  if (!shape.name.empty()) return true;
  const auto number = [](const std::string& digits, int least, int most, int& value) {
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos)
      return false;
    value = std::atoi(digits.c_str());
    return value >= least && value <= most;
  };
  const std::size_t x = text.find('x');
  return x != std::string::npos && number(text.substr(0, x), 1, 1024, shape.storms) &&
         number(text.substr(x + 1), 0, 1 << 24, shape.particles);
}

/// The texts that parse_storms() reads, for messages.
LAB_COLD inline std::string storm_shapes() {
  std::string all = "like 4x5000 (storms, particles of each)";
  for (const detail::NamedStorms& set : detail::named_storms()) all += std::string(", ") + set.name;
  return all;
}

namespace detail {

/// Whether the particle's last cell is the same for e >= 0.001f in float, as in public programs, and for d <= value².
inline bool same_cut(int value) {
  const float energy = static_cast<float>(value) / 1000,
              last = static_cast<float>(value) * static_cast<float>(value);
  return energy / std::sqrt(last) >= 0.001f;
}

}  // namespace detail

/// Storms of this shape for a layer of `size` cells. Random particles hit the layer anywhere; one particle in sixteen
/// hits up to a quarter of the layer's length beyond its ends. Values are from 6 to 399, except values for which
/// rounding decides whether the last cell within reach receives energy.
LAB_COLD inline std::vector<Storm> draw_storms(Random& random, const StormShape& shape, int size) {
  for (const detail::NamedStorms& set : detail::named_storms()) {
    if (shape.name == set.name) return set.storms;
  }
  std::vector<Storm> storms(static_cast<std::size_t>(shape.storms));
  for (Storm& storm : storms) {
    storm.reserve(static_cast<std::size_t>(shape.particles));
    while (storm.size() < static_cast<std::size_t>(shape.particles)) {
      const int beyond = random.integer(0, 15) == 0 ? size / 4 : 0;
      const auto position = static_cast<int>(random.integer(-beyond, size - 1 + beyond));
      const auto value = static_cast<int>(random.integer(6, 399));
      if (detail::same_cut(value)) storm.push_back({position, value});
    }
  }
  return storms;
}

}  // namespace lab
