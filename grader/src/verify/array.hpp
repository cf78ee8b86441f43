/// @file
/// An array of any number type in memory, which verification and patterns read as double.
#pragma once
#include <variant>

#include "lab/npy.hpp"
#include "model/lab.hpp"

namespace grader {

/// Stores the elements in their own type (4096 × 4096 floats take 64 MiB, not 128) and returns them as double. All
/// values except 64-bit integers beyond 2^53 convert without loss. visit() gives the elements in their own type.
class Array {
 public:
  template <class T>
  Array(std::vector<std::size_t> shape, std::vector<T> data)
      : shape_(std::move(shape)), data_(std::move(data)) {}

  /// @throws lab::NpyError under the same conditions as lab::read_npy()
  static Array read(const fs::path& file, lab::NpyLinks links = lab::NpyLinks::follow);

  const std::vector<std::size_t>& shape() const { return shape_; }
  std::size_t size() const;
  std::string dtype() const;  ///< "<f4"
  bool is_integer() const;

  /// The 2-D view that patterns use: the last dimension gives the columns, and all other dimensions together give the
  /// rows.
  std::size_t rows() const { return columns() == 0 ? 0 : size() / columns(); }
  std::size_t columns() const { return shape_.empty() ? 1 : shape_.back(); }

  /// The element at a position in memory.
  double operator[](std::size_t i) const;
  double at(std::size_t row, std::size_t column) const { return (*this)[row * columns() + column]; }

  /// Writes the elements of one row as double. @param to an array of columns() elements
  void copy_row(std::size_t row, double* to) const;

  /// The shortest text that reads back as the same value; "nan", "inf".
  std::string text(std::size_t i) const;

  /// The text of a value after conversion to this array's type.
  std::string text_of(double value) const;

  /// A value rounded to this array's type.
  double rounded(double value) const;

  /// Whether the element is the mark of fresh device memory (words 0x7fffdead).
  bool unwritten(std::size_t i) const;

  /// Whether the element is the content of a local variable that was never set. emucc compiles each local variable so
  /// that it begins with words 0xfefefefe, which are -1.69e38 as a float: adding usual terms does not change that
  /// value. Never true for results of a GPU.
  bool from_unset_variable(std::size_t i) const;

  /// Whether the element was computed from shared memory that no thread had filled. The emulation fills shared memory
  /// with its own NaN (words 0x7fffbead), which arithmetic preserves. Never true for results of a GPU.
  bool from_unfilled_shared(std::size_t i) const;

  /// The coordinates of the element at a position in memory.
  std::vector<std::size_t> coordinates(std::size_t i) const;

  /// The elements in their own type. @throws std::bad_variant_access when T is not their type
  template <class T>
  const std::vector<T>& elements() const {
    return std::get<std::vector<T>>(data_);
  }

  /// Calls f with the vector of elements. @return the result of f
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), data_);
  }

 private:
  using Data = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
                            std::vector<std::uint32_t>, std::vector<std::int64_t>, std::vector<std::uint64_t>,
                            std::vector<std::int16_t>, std::vector<std::uint16_t>, std::vector<std::int8_t>,
                            std::vector<std::uint8_t>, std::vector<lab::NpyHalf>>;
  std::vector<std::size_t> shape_;
  Data data_;
};

/// Whether a value is wrong. NaN is always wrong, infinity is wrong unless the right value is the same infinity, and
/// -0 equals 0.
bool outside(double value, double right_value, const Tolerance& tolerance);

/// Converts IEEE binary16 to float, exactly.
float half_to_float(std::uint16_t bits);

}  // namespace grader
