/// @file
/// Every reader of the kit whose input comes from another person or program, each as a function of the bytes alone.
#pragma once
#include <string_view>
#include <vector>

namespace grader::fuzz {

struct Target {
  const char* name;  ///< its folder below corpus/
  /// Reads the bytes and discards the result. A refusal is valid; a crash, a hang and unbounded memory are not.
  void (*read)(std::string_view bytes);
};

const std::vector<Target>& targets();

/// Runs one target; std::exit, by which labs refuse a file, counts as a refusal.
void run(const Target& target, std::string_view bytes);

}  // namespace grader::fuzz
