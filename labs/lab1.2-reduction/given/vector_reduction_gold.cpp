// vector_reduction_gold.cpp: checks the GPU's sum, and reads data.txt. Plain C++ for the CPU; there
// is nothing to do here.
//
// The CPU adds in double. Its sum is compared for equality when that is fair: whole numbers whose magnitudes
// add up to at most 2^24 have exact sums in float, in every order. For other numbers each addition of the GPU
// may round, so the sums may differ by the error of that number of roundings (lab/sums.hpp).
#include <lab/sums.hpp>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "vector_reduction.h"

namespace {

// The line of a text that holds the character at `offset`; the first is 1.
std::size_t lineOf(const std::string& text, std::size_t offset) {
  return 1 +
         static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(offset), '\n'));
}

// The whole text of a file. Ends the program if the file can't be read.
std::string readText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file.is_open() || std::filesystem::is_directory(path)) {
    lab::usage_error("Input data: can't read " + path + ". Expected a text file with numbers.");
  }
  return text.str();
}

// One word of the file as a float. Ends the program if the word is not a number.
float numberOf(const std::string& word, const std::string& path, std::size_t line) {
  char* end = nullptr;
  const float number = std::strtof(word.c_str(), &end);
  if (*end != '\0' || !std::isfinite(number)) {
    std::string shown;
    for (const char c : word.substr(0, 40)) shown += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    lab::usage_error("Input data: line " + std::to_string(line) + " of " + path +
                     ": expected a number that a float can hold, but found '" + shown + "'.");
  }
  return number;
}

}  // namespace

std::vector<float> readNumbers(std::string_view name, std::size_t n) {
  const std::string path(name);
  const std::string text = readText(path);
  const auto blank = [&](std::size_t i) { return std::isspace(static_cast<unsigned char>(text[i])) != 0; };
  std::vector<float> numbers;
  for (std::size_t i = 0; i < text.size();) {
    if (blank(i)) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && !blank(end)) ++end;
    numbers.push_back(numberOf(text.substr(i, end - i), path, lineOf(text, i)));
    i = end;
  }
  if (numbers.size() != n) {
    lab::usage_error(
        "Input data: " + path + " has " + std::to_string(numbers.size()) + " numbers, but " +
        std::to_string(n) + " were expected" +
        (numbers.empty() ? "." : "; --length " + std::to_string(numbers.size()) + " takes them."));
  }
  return numbers;
}

bool checkSum(float device_sum, const std::vector<float>& data, std::string_view source) {
  const lab::Sum host = lab::sum_of(data.data(), data.size());
  // Additions that a number goes through: those of its thread, then one for each level of the tree.
  const double depth = static_cast<double>(data.size()) / NUM_ELEMENTS + std::log2(NUM_ELEMENTS);
  const bool passed = std::fabs(device_sum - host.value) <= host.allowed(depth);  // false for NaN
  std::printf("Test %s\n", passed ? "PASSED" : "FAILED");
  std::printf("device: %f  host: %f  Input vector: %s.\n", device_sum, host.value,
              std::string(source).c_str());
  return passed;
}
