/// @file
/// Reads and writes arrays in .npy files for a lab's program. Every fault of a file ends the program with one sentence
/// and exit code 2. npy.hpp implements the format. Host code only.
#pragma once
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "exit.hpp"
#include "npy.hpp"

namespace lab {

namespace detail {
/// Ends the program (exit code 2) with one sentence about an input or the output.
[[noreturn, gnu::cold]] void bad_input(const std::string& name, const char* problem);
[[noreturn, gnu::cold]] void bad_output(const char* problem);
/// Ends the program if an input does not have the expected shape.
LAB_COLD void expect_shape(const std::string& path, const std::string& name,
                           const std::vector<std::size_t>& found, const std::vector<std::size_t>& expected);
}  // namespace detail

/// Reads an array of known shape. Ends the program (exit code 2) if the file does not contain such an array.
/// @tparam T the element type that the program uses; double also reads files of float32, since this is exact
/// @param name   name of the array, for the message
/// @return elements in row-major order
template <typename T>
LAB_COLD std::vector<T> load(const std::string& path, const std::string& name,
                             const std::vector<std::size_t>& shape) {
  try {
    NpyArray<T> array;
    if constexpr (std::is_same_v<T, double>) {
      if (read_npy_header(path).dtype == npy_dtype<float>()) {
        NpyArray<float> narrow = read_npy<float>(path);
        array.shape = narrow.shape;
        array.data.assign(narrow.data.begin(), narrow.data.end());
      } else {
        array = read_npy<double>(path);
      }
    } else {
      array = read_npy<T>(path);
    }
    detail::expect_shape(path, name, array.shape, shape);
    return std::move(array.data);
  } catch (const NpyError& error) {
    detail::bad_input(name, error.what());
  }
}

/// Writes an array. Ends the program (exit code 2) if writing fails: no such folder, no permission, disk full.
/// @pre data has as many elements as the shape requires
template <typename T>
LAB_COLD void save(const std::string& path, const std::vector<std::size_t>& shape,
                   const std::vector<T>& data) {
  try {
    write_npy(path, shape, data.data());
  } catch (const NpyError& error) {
    detail::bad_output(error.what());
  }
}

}  // namespace lab

#ifndef LAB_LIBRARY
#include "impl/arrays.hpp"
#endif
