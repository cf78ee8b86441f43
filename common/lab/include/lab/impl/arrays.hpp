/// @file
/// Implements arrays.hpp.
#pragma once
#include "../arrays.hpp"

namespace lab {
namespace detail {

LAB_INLINE void bad_input(const std::string& name, const char* problem) {
  usage_error("Input " + name + ": " + problem);
}

LAB_INLINE void bad_output(const char* problem) {
  usage_error(std::string("Output: ") + problem);
}

LAB_INLINE void expect_shape(const std::string& path, const std::string& name,
                             const std::vector<std::size_t>& found,
                             const std::vector<std::size_t>& expected) {
  if (found == expected) return;
  usage_error("Input " + name + ": " + path + " has the shape " + npy_shape_words(found) + ", but " +
              npy_shape_words(expected) + " was expected.");
}

}  // namespace detail
}  // namespace lab
