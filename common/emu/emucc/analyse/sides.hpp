/// @file
/// Finds the side that runs a function's body, and whether a template is certain to be compiled.
#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_set>

#include "parse/syntax.hpp"

namespace emucc {

enum class Side : std::uint8_t { host, device, both };

Side side_of(const Words& words);

/// Returns the position of the kernel's name in a launch whose `<<<` is at `launch`.
std::size_t launched_name(const Syntax& syntax, std::size_t launch);

/// If the `[` at `at` begins a lambda that is marked __device__ or __host__, returns the `{` of its body;
/// otherwise npos.
std::size_t marked_lambda(const Syntax& syntax, std::size_t at);

/// Finds the functions that nvcc compiles. nvcc compiles a template only for its instances, and an inline
/// function only if the function is used. nvcc reports no errors in functions that it never compiles.
class Compiled {
 public:
  explicit Compiled(const Syntax& syntax) : syntax_(syntax) {}

  /// Returns true if the function is compiled as written. A template counts if it is a kernel that the file
  /// launches. An inline function counts if its name occurs elsewhere, too. The result isn't valid for
  /// members of class templates.
  bool has(const Declaration& function, bool in_class) const;

 private:
  void collect() const;

  const Syntax& syntax_;
  mutable bool collected_ = false;                                        ///< few files need it
  mutable std::unordered_set<std::string_view> launched_, once_, often_;  ///< names
};

}  // namespace emucc
