/// @file
/// The side that runs a function's body, and whether a template is certain to be compiled.
#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_set>

#include "parse/syntax.hpp"

namespace emucc {

enum class Side : std::uint8_t { host, device, both };

Side side_of(const Words& words);

/// The name of the kernel in a launch whose `<<<` begins at `launch`.
std::size_t launched_name(const Syntax& syntax, std::size_t launch);

/// If `[` at `at` starts a lambda marked __device__ or __host__, the `{` of its body; else npos.
std::size_t marked_lambda(const Syntax& syntax, std::size_t at);

/// Knows which functions nvcc compiles. nvcc compiles a template's instances, and an inline function only if it is
/// used. It doesn't report errors in functions that it never compiles.
class Compiled {
 public:
  explicit Compiled(const Syntax& syntax) : syntax_(syntax) {}

  /// True if the function is compiled as written. A template qualifies if it is a kernel that the file launches. An
  /// inline function qualifies if its name occurs elsewhere, too. The result isn't valid for members of class
  /// templates.
  bool has(const Declaration& function, bool in_class) const;

 private:
  void collect() const;

  const Syntax& syntax_;
  mutable bool collected_ = false;                                        ///< few files need it
  mutable std::unordered_set<std::string_view> launched_, once_, often_;  ///< names
};

}  // namespace emucc
