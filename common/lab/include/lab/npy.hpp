/// @file
/// Reads and writes NumPy array files (.npy),
/// the format in which labs, oracles and the grader exchange arrays.
///
/// It reads versions 1.0, 2.0 and 3.0, and writes version 1.0, byte for byte as NumPy does. It accepts only
/// little-endian numbers in C order (the last index varies fastest), because kernels index arrays in this order. For
/// every other file, and for every damaged file, it throws an NpyError. The error's sentence names the file, the
/// expected content and the content found. The files may be hostile: a header with any values, or a path that names a
/// pipe, a folder or a device, causes neither harm nor a hang.
///
/// Its functions are marked cold, so that the compiler optimises them for size: the disk limits their speed.
///
/// Host code only, in C++17; it depends only on the C++ standard library and POSIX.
#pragma once
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "inline.hpp"

namespace lab {

/// The fault of an array file, in one sentence that begins with the file's name.
class NpyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The bits of an IEEE binary16 number (dtype "<f2"), for programs that convert such numbers themselves.
struct NpyHalf {
  std::uint16_t bits;
};

/// Whether the last component of a path may be a symbolic link. A grader refuses links, because a link in place of an
/// output could point to the file that contains the answer.
enum class NpyLinks { follow, refuse };

/// The header before the data.
struct NpyHeader {
  std::string dtype;               ///< "<f4", "<f8", "<f2", "<i2" … "<i8", "<u2" … "<u8", "|i1" or "|u1"
  std::vector<std::size_t> shape;  ///< empty for a single number
  bool fortran_order = false;      ///< the first index varies fastest
  std::size_t data_offset = 0;     ///< bytes before the first element

  std::size_t item_size = 0;  ///< bytes of one element
  std::size_t count = 0;      ///< number of elements; count * item_size does not overflow
};

/// An array with its shape; the last index varies fastest.
template <class T>
struct NpyArray {
  std::vector<std::size_t> shape;
  std::vector<T> data;  ///< product of `shape` elements

  std::size_t size() const { return data.size(); }
};

/// Returns the dtype that NumPy gives T: npy_dtype<float>() is "<f4".
template <class T>
[[gnu::cold]] std::string npy_dtype() {
  if constexpr (std::is_same<T, NpyHalf>::value) {
    return "<f2";
  } else {
    static_assert(std::is_arithmetic<T>::value && !std::is_same<T, bool>::value && sizeof(T) <= 8,
                  "arrays hold integers of 1, 2, 4 or 8 bytes, float, double or NpyHalf");
    const char kind = std::is_floating_point<T>::value ? 'f' : std::is_signed<T>::value ? 'i' : 'u';
    return std::string(sizeof(T) == 1 ? "|" : "<") + kind + static_cast<char>('0' + sizeof(T));
  }
}

/// Returns the dtype in words: "<f4" → "float32 (<f4)"; an unknown dtype is returned unchanged.
[[gnu::cold]] std::string npy_dtype_words(const std::string& dtype);

/// Returns the shape as Python writes it: {3, 4} → "(3, 4)", {3} → "(3,)", {} → "()".
[[gnu::cold]] std::string npy_shape_words(const std::vector<std::size_t>& shape);

namespace detail {

/// A file descriptor that is closed at the end of its scope.
class NpyFile {
 public:
  explicit NpyFile(int descriptor) : descriptor_(descriptor) {}
  NpyFile(const NpyFile&) = delete;
  NpyFile& operator=(const NpyFile&) = delete;
  ~NpyFile() { close(); }

  int get() const { return descriptor_; }
  int close() {
    const int result = descriptor_ < 0 ? 0 : ::close(descriptor_);
    descriptor_ = -1;
    return result;
  }

 private:
  int descriptor_;
};

/// An array file whose header is valid and whose data have the length that the header states. Every fault throws an
/// NpyError.
class NpyReader {
 public:
  /// @param path must live as long as the reader
  [[gnu::cold]] NpyReader(const std::string& path, NpyLinks links);

  const NpyHeader& header() const { return header_; }
  /// Throws an NpyError unless the file contains this type and this rank (-1: any), in C order.
  [[gnu::cold]] void expect(const std::string& dtype, int rank) const;
  [[noreturn, gnu::cold]] void fail_for_memory() const;
  /// Reads all elements.
  [[gnu::cold]] void read(void* to) const;

 private:
  const std::string& path_;
  NpyFile file_;
  NpyHeader header_;
};

/// Implements write_npy() for elements of any type.
[[gnu::cold]] void npy_save(const std::string& path, const std::string& dtype,
                            const std::vector<std::size_t>& shape, const void* data);
/// Throws an NpyError if the number of elements is not the product of the shape's lengths.
[[gnu::cold]] void npy_expect_count(const std::string& path, const std::vector<std::size_t>& shape,
                                    std::size_t found);

}  // namespace detail

/// Reads an array file's header, and checks that the data are complete.
/// @throws NpyError if the file doesn't exist, isn't an array file, is damaged, truncated or too long, or contains
///         elements other than little-endian numbers. Fortran order is reported in the header and throws no error.
NpyHeader read_npy_header(const std::string& path, NpyLinks links = NpyLinks::follow);

/// Reads a whole array.
/// @param rank required number of dimensions; -1: any
/// @throws NpyError as read_npy_header() does, and if the file contains another type than T, another rank, or Fortran
///         order
template <class T>
[[gnu::cold]] NpyArray<T> read_npy(const std::string& path, int rank = -1,
                                   NpyLinks links = NpyLinks::follow) {
  const detail::NpyReader file(path, links);
  file.expect(npy_dtype<T>(), rank);
  NpyArray<T> array;
  try {
    array.data.resize(file.header().count);
  } catch (const std::exception&) {
    file.fail_for_memory();
  }
  file.read(array.data.data());
  array.shape = file.header().shape;
  return array;
}

/// Writes an array, and replaces an existing file. Removes the file if it can't be written completely.
/// @param shape lengths; the last index varies fastest; empty for a single number
/// @param data  product of `shape` elements in host memory
/// @throws NpyError if the file can't be created or the disk is full
template <class T>
[[gnu::cold]] void write_npy(const std::string& path, const std::vector<std::size_t>& shape, const T* data) {
  detail::npy_save(path, npy_dtype<T>(), shape, data);
}

/// Writes a vector. @throws NpyError also if the vector doesn't have as many elements as the shape requires
template <class T>
[[gnu::cold]] void write_npy(const std::string& path, const std::vector<std::size_t>& shape,
                             const std::vector<T>& data) {
  detail::npy_expect_count(path, shape, data.size());
  write_npy(path, shape, data.data());
}

/// Writes an array with the shape that it contains.
template <class T>
[[gnu::cold]] void write_npy(const std::string& path, const NpyArray<T>& array) {
  write_npy(path, array.shape, array.data);
}

}  // namespace lab

#ifndef LAB_LIBRARY
#include "impl/npy.hpp"
#endif
