/// @file
/// An array of any number type in memory, read as double by verification and patterns.
#pragma once
#include <variant>

#include "lab/npy.hpp"
#include "model/lab.hpp"

namespace grader {

/// Holds the elements in their own type (4096 × 4096 floats are 64 MiB, not 128) and returns them as double. Every
/// dtype but 64-bit integers beyond 2^53 converts without loss; visit() gives the elements in their own type.
class Array {
 public:
  template <class T>
  Array(std::vector<std::size_t> shape, std::vector<T> data)
      : shape_(std::move(shape)), data_(std::move(data)) {}

  /// @throws lab::NpyError as lab::read_npy()
  static Array read(const fs::path& file, lab::NpyLinks links = lab::NpyLinks::follow);

  const std::vector<std::size_t>& shape() const { return shape_; }
  std::size_t size() const;
  std::string dtype() const;  ///< "<f4"
  bool is_integer() const;

  /// The 2-D view that patterns use: the last dimension is the columns; all others together are the rows.
  std::size_t rows() const { return columns() == 0 ? 0 : size() / columns(); }
  std::size_t columns() const { return shape_.empty() ? 1 : shape_.back(); }

  /// Element by its position in memory.
  double operator[](std::size_t i) const;
  double at(std::size_t row, std::size_t column) const { return (*this)[row * columns() + column]; }

  /// Writes the elements of one row as double. @param to array of columns() elements
  void copy_row(std::size_t row, double* to) const;

  /// The shortest text that reads back as the same value; "nan", "inf".
  std::string text(std::size_t i) const;

  /// The text of a value after conversion to this array's type.
  std::string text_of(double value) const;

  /// A value rounded to this array's type.
  double rounded(double value) const;

  /// Whether the element is the mark of fresh device memory (words 0x7fffdead).
  bool unwritten(std::size_t i) const;

  /// Whether the element is the content of a local variable that was never set. Emulation compiles each to begin with
  /// words 0xfefefefe, -1.69e38 as a float: a sum of usual terms does not change that. Never true for results of a GPU.
  bool from_unset_variable(std::size_t i) const;

  /// Whether the element was computed from shared memory that no thread had filled. Emulation fills it with its own
  /// NaN (words 0x7fffbead), which arithmetic preserves. Never true for results of a GPU.
  bool from_unfilled_shared(std::size_t i) const;

  /// Coordinates of the element at a position in memory.
  std::vector<std::size_t> coordinates(std::size_t i) const;

  /// The elements in their own type. @throws std::bad_variant_access when T is not that type
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

/// Whether a value is wrong. NaN always is, and infinity except for itself; -0 equals 0.
bool outside(double value, double right_value, const Tolerance& tolerance);

/// Converts IEEE binary16 to float, exactly.
float half_to_float(std::uint16_t bits);

}  // namespace grader
