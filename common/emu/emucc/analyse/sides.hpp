/// @file
/// Which side runs a function's body, and of which templates that is certain.
#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_set>

#include "parse/syntax.hpp"

namespace emucc {

enum class Side : std::uint8_t { host, device, both };

Side side_of(const Words& words);

/// The name of what a launch calls whose `<<<` begins at `launch`.
std::size_t launched_name(const Syntax& syntax, std::size_t launch);

/// `[` at `at` starts a lambda that is marked __device__ or __host__: the `{` of its body; else npos.
std::size_t marked_lambda(const Syntax& syntax, std::size_t at);

/// nvcc refuses in a template what an instance of it does, and an instance there may never be. A kernel that the file
/// launches has one.
class Instances {
 public:
  explicit Instances(const Syntax& syntax);

  /// Is the function compiled as it is written? Not said of members of class templates.
  bool has(const Declaration& function) const;

 private:
  const Syntax& syntax_;
  std::unordered_set<std::string_view> launched_;
};

}  // namespace emucc
