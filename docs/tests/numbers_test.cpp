// Compares numbers in the handouts and guides with the measured tables that they come from
// (docs/results/*.csv). If a table is measured again and a number no longer fits, the sentence must change. Another
// test checks that the instructors' answers contain one answer to each question of each handout.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "kit_tree.hpp"

namespace {

/// A number in a sentence, and its cell in a table. The sentence occurs once in the page and may have any line breaks.
/// In `sentence`, an "@" marks the number that follows it.
struct Number {
  const char* page;
  const char* sentence;
  const char* lab;
  const char* table;
  std::vector<std::string> row;  ///< the row's key: values of the first axes, as many as are needed
  const char* column;
  double scale = 1;      ///< from the table's SI units to the sentence's units
  double within = 0.03;  ///< relative difference between two measurements; 0: equal except for rounding
};

constexpr const char* lab12 = "labs/lab1.2-reduction/README.md";
constexpr const char* lab31 = "labs/lab3.1-matrixmul/README.md";
constexpr const char* lab32 = "labs/lab3.2-mriQ/README.md";
constexpr const char* lab42 = "labs/lab4.2-triangular/README.md";
constexpr const char* lab51 = "labs/lab5.1-nbody/README.md";
constexpr const char* results = "docs/results.md";
constexpr const char* techniques = "docs/techniques.md";
constexpr const char* minimum = "docs/crosswalk-minimum.md";
constexpr const char* storms = "docs/crosswalk-storms.md";
constexpr const char* bodies = "docs/crosswalk-bodies.md";
constexpr const char* triangles = "docs/crosswalk-triangles.md";
constexpr const char* full_scan = "--scan=128^3x147258";

const std::vector<Number> numbers = {
    {lab12,
     "`warp_serialize` is @209 for scheme 1b",
     "lab1.2",
     "schemes",
     {"--scheme=1b"},
     "warp_serialize",
     1,
     0},
    {lab12,
     "`divergent_branch` is @0 for all schemes",
     "lab1.2",
     "schemes",
     {"--scheme=1a"},
     "divergent",
     1,
     0},
    {lab12,
     "`divergent_branch` is @0 for all schemes",
     "lab1.2",
     "schemes",
     {"--scheme=1b"},
     "divergent",
     1,
     0},
    {lab12,
     "`divergent_branch` is @0 for all schemes",
     "lab1.2",
     "schemes",
     {"--scheme=2"},
     "divergent",
     1,
     0},
    {lab12,
     "`divergent_branch` is @0 for all schemes",
     "lab1.2",
     "schemes",
     {"--scheme=3"},
     "divergent",
     1,
     0},
    {lab31, "best of the five parameters takes @10.6 ms", "lab3.1", "best", {}, "execution", 1e3},
    {lab31,
     "best of the five parameters | @4.496 |",
     "lab3.1",
     "expert-peers",
     {"3072", "--version=lab"},
     "own:cublas",
     1e3,
     0},
    {lab31,
     "has step 7 at @1.145 and",
     "lab3.1",
     "expert-peers",
     {"3072", "--version=fp32"},
     "own:cublas",
     1e3,
     0},
    {lab12, "4.512 µs | @1.568 µs", "lab1.2", "schemes", {"--scheme=2"}, "gpu", 1e6},
    {lab31, "both in: @18.7 ms", "lab2.1", "sizes", {"4096"}, "to_device", 1e3, 0},
    {lab31, "out: @5.5 ms", "lab2.1", "sizes", {"4096"}, "to_host", 1e3, 0},
    {lab31,
     "at 1.145 and @2.687 ms",
     "lab3.1",
     "expert-peers",
     {"4096", "--version=fp32"},
     "own:cublas",
     1e3,
     0},
    {lab31,
     "and cuBLAS at @1.280 and 2.675",
     "lab3.1",
     "expert-peers",
     {"3072", "--version=fp32"},
     "peer:cublas",
     1e3,
     0},
    {lab31,
     "that comes with CUDA, @2.68 ms",
     "lab3.1",
     "expert-peers",
     {"4096", "--version=fp32"},
     "peer:cublas",
     1e3},
    {lab31,
     "| cuBLAS, float | @2.68 |",
     "lab3.1",
     "expert-peers",
     {"4096", "--version=fp32"},
     "peer:cublas",
     1e3},
    {lab31,
     "`matrixmul_fp32.cu` | @2.69 |",
     "lab3.1",
     "expert-peers",
     {"4096", "--version=fp32"},
     "own:cublas",
     1e3},
    {lab31,
     "`matrixmul_fp32.cu` | 2.69 | @1.00 |",
     "lab3.1",
     "expert-peers",
     {"4096", "--version=fp32"},
     "speed:cublas"},
    {lab31,
     "with the splitting | @1.15 |",
     "lab3.1",
     "expert-peers",
     {"4096", "--version=tensor"},
     "own:cublas",
     1e3},
    {lab31,
     "with the splitting | 1.15 | @2.34 |",
     "lab3.1",
     "expert-peers",
     {"4096", "--version=tensor"},
     "speed:cublas"},
    {lab31,
     "with the splitting | @0.617 |",
     "lab3.1",
     "expert-peers",
     {"4096", "--version=hopper"},
     "own:cublas",
     1e3},
    {lab31,
     "with the splitting | 0.617 | @4.33 |",
     "lab3.1",
     "expert-peers",
     {"4096", "--version=hopper"},
     "speed:cublas"},
    {lab32,
     "in constant memory, takes @0.227 s",
     "lab3.2",
     "expert-peers",
     {full_scan, "--version=lab"},
     "peer:constant-tiles"},
    {lab32, "about 13, 2 | @0.175 s", "lab3.2", "samples", {"147258"}, "execution"},
    {lab32, "2.4, 0.06 | @0.032 s", "lab3.2", "expert-peers", {full_scan, "--version=expert"}, "execution"},
    {lab42,
     "bounding box of 32 × 8 threads writes @0.85 TB/s",
     "lab4.2",
     "expert",
     {"--map=bb32x8", "32768"},
     "rate",
     1e-12},
    {lab42,
     "the expert's version writes @4.2.",
     "lab4.2",
     "expert",
     {"--map=expert", "32768"},
     "rate",
     1e-12},
    {lab51,
     "takes @1.04 ms as `following`",
     "lab5.1",
     "sizes",
     {"8192", "20", "--version=following"},
     "time",
     1e3},
    {lab51, "and @0.165 ms as `pairs`", "lab5.1", "sizes", {"8192", "20", "--version=pairs"}, "time", 1e3},
    {lab51,
     "takes @8.58 ms as `following`",
     "lab5.1",
     "sizes",
     {"65536", "20", "--version=following"},
     "time",
     1e3},
    {lab51, "and @10.09 ms as `pairs`", "lab5.1", "sizes", {"65536", "20", "--version=pairs"}, "time", 1e3},
    {results, "4096×4096 takes @26.4 ms", "lab1.1", "sizes", {"4096"}, "execution", 1e3},
    {results,
     "they make that of lab1.1 @1.56 times as fast",
     "lab2.1",
     "sizes-peers",
     {"4096"},
     "speed:naive"},
    {results, "all 192 combinations takes @10.6 ms", "lab3.1", "best", {}, "execution", 1e3},
    {results, "147,258 samples): @174.5 ms", "lab3.2", "samples", {"147258"}, "execution", 1e3},
    {results,
     "handout's parameters, @31.8 ms",
     "lab3.2",
     "expert-peers",
     {full_scan, "--version=expert"},
     "execution",
     1e3},
    {results,
     "as public versions have them, takes @227 ms",
     "lab3.2",
     "expert-peers",
     {full_scan, "--version=lab"},
     "peer:constant-tiles",
     1e3},
    {results, "take @21.8 ms as v1", "lab4.1", "versions", {"--version=v1", "512"}, "time", 1e3},
    {results, "@17.1 as v3 and", "lab4.1", "versions", {"--version=v3", "256"}, "time", 1e3},
    {results, "and @9.3 as v4, each", "lab4.1", "versions", {"--version=v4", "512"}, "time", 1e3},
    {results, "expert's version takes @0.785 ms", "lab4.1", "test_07", {"--version=expert"}, "time", 1e3, 0},
    {results, "takes 0.785 ms (@24.0 as v4)", "lab4.1", "test_07", {"--version=v4"}, "time", 1e3, 0},
    {results, "cells it takes @1.05 ms", "lab4.1", "test_08", {"--version=expert"}, "time", 1e3, 0},
    {results, "cells it takes 1.05 ms (@8.55 as v4)", "lab4.1", "test_08", {"--version=v4"}, "time", 1e3, 0},
    {results,
     "at 3.9, @1.29 times",
     "lab2.2",
     "expert-peers",
     {"16000000", "--version=expert"},
     "speed:cub",
     1},
    {results,
     "rectangle box takes @5.04 ms with blocks of 8",
     "lab4.2",
     "maps",
     {"--map=rb", "8", "32768"},
     "mean",
     1e3},
    {results,
     "and @1.264 with blocks of 16. That",
     "lab4.2",
     "maps",
     {"--map=rb", "16", "32768"},
     "mean",
     1e3},
    {results,
     "of 8,192 balls takes @165 µs with a thread for each pair",
     "lab5.1",
     "sizes",
     {"8192", "20", "--version=pairs"},
     "time",
     1e6},
    {results, "of as many balls takes @45 µs", "lab5.1", "grid", {"8192"}, "time", 1e6},
    {results, "and @80 times as fast as one with a grid too", "lab5.1", "grid", {"8192"}, "fair"},
    {results, "at 65,536 balls @513 times", "lab5.1", "grid", {"65536"}, "fair"},
    {techniques, "| 0 | @29 |", "lab3.1", "unrolling", {"0"}, "registers", 1, 0},
    {techniques, "| 2 | @31 |", "lab3.1", "unrolling", {"2"}, "registers", 1, 0},
    {techniques, "| 4 | @32 |", "lab3.1", "unrolling", {"4"}, "registers", 1, 0},
    {techniques, "| 16 | @32 |", "lab3.1", "unrolling", {"16"}, "registers", 1, 0},
    {minimum,
     "| reading the file | 46 s | @20.54 s",
     "lab1.3",
     "sizes",
     {"--matrices=50000000", "--version=report"},
     "reading",
     1,
     0},
    {minimum,
     "| minimum by CUDA | 0.6 s | @1.594 ms",
     "lab1.3",
     "sizes",
     {"--matrices=50000000", "--version=report"},
     "gpu",
     1e3,
     0},
    {minimum,
     "| minimum on one core | 3 s | @377.9 ms",
     "lab1.3",
     "sizes",
     {"--matrices=50000000", "--version=report"},
     "sequential",
     1e3,
     0},
    {minimum,
     "A reader for all cores takes @429.6 ms",
     "lab1.3",
     "sizes",
     {"--matrices=50000000", "--version=expert"},
     "reading",
     1e3,
     0},
    {storms,
     "| v1 | 1 min 35 s | 1 | @21.81 ms",
     "lab4.1",
     "versions",
     {"--version=v1", "512"},
     "time",
     1e3,
     0},
    {storms,
     "| v3 | below 1 min | over 1.58 | @17.07 ms",
     "lab4.1",
     "versions",
     {"--version=v3", "256"},
     "time",
     1e3,
     0},
    {storms,
     "blocks of 256 | 2.19 | @9.333 ms",
     "lab4.1",
     "versions",
     {"--version=v4", "512"},
     "time",
     1e3,
     0},
    {bodies,
     "| mutation | 5.6815 | 1.6877 | 1.224 s ±3.0 % | @539.5 ms",
     "lab5.2",
     "phases",
     {"4096", "1024", "4", "--version=individual"},
     "mutation",
     1e3,
     0},
    {bodies,
     "256: @36.38 µs a step",
     "lab5.1",
     "threads",
     {"256", "4096", "2000", "--version=pairs"},
     "time",
     1e6,
     0},
    {bodies,
     "36.38 µs a step; @46.23 µs",
     "lab5.1",
     "threads",
     {"128", "4096", "2000", "--version=pairs"},
     "time",
     1e6,
     0},
    {bodies, "@4.935 ms a step with printf", "lab5.1", "dump", {"--print-to=balls.txt"}, "time", 1e3, 0},
    {bodies,
     "`following` takes @8.577 ms",
     "lab5.1",
     "sizes",
     {"65536", "20", "--version=following"},
     "time",
     1e3,
     0},
    {triangles, "dp 387.2 µs, bb @635.1 µs", "lab4.2", "maps", {"--map=bb", "16", "16384"}, "mean", 1e6, 0},
    {triangles, "@1.858 ms with a shift", "lab4.2", "shifts", {"1", "32768"}, "mean", 1e3, 0},
    {triangles,
     "the expert's version takes @507.8 µs",
     "lab4.2",
     "expert",
     {"--map=expert", "32768"},
     "median",
     1e6,
     0},
    {"docs/theory/speedup.md",
     "| 16,000,000 | 14.16 ms ±19 % | @91.52 µs",
     "lab2.2",
     "sizes",
     {"16000000"},
     "gpu",
     1e6,
     0},
    {"docs/theory/amdahl.md",
     "v3 takes @17.07 ms with blocks of 256",
     "lab4.1",
     "versions",
     {"--version=v3", "256"},
     "time",
     1e3,
     0},
    {"docs/theory/gustafson.md",
     "| 2 | 4,096 | @2.729 ms",
     "lab5.2",
     "devices",
     {"--devices=2"},
     "time",
     1e3,
     0},
    {"docs/theory/roofline.md",
     "(1.1, `sizes`) | @26.4 ms",
     "lab1.1",
     "sizes",
     {"4096"},
     "execution",
     1e3,
     0},
    {"docs/theory/roofline.md",
     "(3.1, `expert`, fp32) | @2.687 ms",
     "lab3.1",
     "expert-peers",
     {"4096", "--version=fp32"},
     "own:cublas",
     1e3,
     0},
    {"docs/theory/spread.md",
     "In `versions` the row of v1 with 512 has a speed-up of @743.5",
     "lab4.1",
     "versions",
     {"--version=v1", "512"},
     "speedup",
     1,
     0},
};

std::string read(const std::string& path) {
  return kit_tree::read(kit_tree::root / path);
}

/// Replaces each run of blanks and line ends by one blank.
std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

double median_of(const std::string& samples) {
  std::istringstream in(samples);
  std::vector<double> values;
  for (double value; in >> value;) values.push_back(value);
  std::sort(values.begin(), values.end());
  if (values.empty()) return std::nan("");
  return (values[values.size() / 2] + values[(values.size() - 1) / 2]) / 2;
}

/// The median of a cell. If there is no such cell, the test fails and the result is NaN. A column's head is its id,
/// then its unit.
double measured(const Number& number) {
  std::vector<std::string> heads;
  for (const std::string& line :
       kit_tree::lines_of(read(std::string("docs/results/") + number.lab + "-" + number.table + ".csv"))) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (heads.empty()) {
      heads = cells;
      continue;
    }
    bool same = cells.size() == heads.size();
    for (std::size_t i = 0; same && i < number.row.size(); ++i) {
      const std::string& key = number.row[i];
      same = cells[i] == (key.starts_with("--") ? key.substr(2) : key);
    }
    for (std::size_t i = 0; same && i < heads.size(); ++i)
      if (heads[i].substr(0, heads[i].find(" (")) == number.column) return median_of(cells[i]);
  }
  ADD_FAILURE() << number.lab << " has no cell " << number.table << ", " << number.column;
  return std::nan("");
}

TEST(Numbers, AreThoseOfTheMeasuredTables) {
  for (const Number& number : numbers) {
    std::string sentence = number.sentence;
    const std::size_t mark = sentence.find('@');
    ASSERT_NE(mark, sentence.npos) << sentence;
    sentence.erase(mark, 1);
    EXPECT_EQ(times_in(in_one_line(read(number.page)), sentence), 1u) << number.page << ": " << sentence;
    char* end = nullptr;
    const double printed = std::strtod(sentence.c_str() + mark, &end);
    const std::string digits(sentence.c_str() + mark, static_cast<const char*>(end));
    const std::size_t point = digits.find('.');
    const double half_digit =
        0.5 * std::pow(10.0, point == digits.npos ? 0.0 : -static_cast<double>(digits.size() - point - 1));
    const double value = measured(number) * number.scale;
    EXPECT_NEAR(printed, value, half_digit * 1.000001 + number.within * std::fabs(value))
        << number.page << ": " << sentence << " (" << number.lab << ", table " << number.table << ")";
  }
}

/// Returns the numbers of the list below the first heading that begins with "## Questions".
std::vector<int> questions_in(const std::string& page) {
  std::vector<int> numbers_of_questions;
  std::istringstream lines(page);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("## ", 0) == 0) inside = line.rfind("## Questions", 0) == 0;
    const int number = std::atoi(line.c_str());
    if (inside && number > 0 && line.find(". ") < 3) numbers_of_questions.push_back(number);
  }
  return numbers_of_questions;
}

TEST(Answers, ThereIsOneToEachQuestion) {
  std::size_t labs = 0;
  for (const auto& lab : std::filesystem::directory_iterator(kit_tree::root / "labs")) {
    if (!lab.is_directory()) continue;
    const std::string name = lab.path().filename().string();
    const std::vector<int> asked = questions_in(read("labs/" + name + "/README.md"));
    EXPECT_FALSE(asked.empty()) << name;
    EXPECT_EQ(questions_in(read("solutions/" + name + "/ANSWERS.md")), asked) << name;
    ++labs;
  }
  EXPECT_GE(labs, 7u);
}

}  // namespace
