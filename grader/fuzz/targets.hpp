/// @file
/// Every reader of the kit whose input comes from another person or program. Each is a function of the bytes
/// alone.
#pragma once
#include <string_view>
#include <vector>

namespace grader::fuzz {

struct Target {
  const char* name;  ///< the target's folder in corpus/
  /// Reads the bytes and discards the result. It may refuse them, but must not crash, hang, or take unbounded
  /// memory.
  void (*read)(std::string_view bytes);
};

const std::vector<Target>& targets();

/// Runs one target. If it calls std::exit, with which labs refuse a file, this counts as a refusal.
void run(const Target& target, std::string_view bytes);

}  // namespace grader::fuzz
