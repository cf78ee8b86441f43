/// @file
/// Everything of the kit that reads bytes which somebody else wrote, each as a function of those bytes alone.
#pragma once
#include <string_view>
#include <vector>

namespace grader::fuzz {

struct Target {
  const char* name;  ///< of its folder below corpus/
  /// Reads the bytes and forgets what they say. What the reader refuses is well; a crash, a hang and memory without end are not.
  void (*read)(std::string_view bytes);
};

const std::vector<Target>& targets();

/// Runs one target; a program's end by std::exit, with which labs refuse a file, is a refusal.
void run(const Target& target, std::string_view bytes);

}  // namespace grader::fuzz
