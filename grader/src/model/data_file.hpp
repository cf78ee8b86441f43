/// @file
/// The files of a lab's inputs and output, and what is in them. A name of `[data]` in lab.toml is that of an
/// array, which stands in NAME.npy, or NAME.bin or, if it is text, NAME.txt: a file of the lab's own format.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/filesystem.hpp"

namespace grader {

/// How a file that is no .npy holds an array: a header, then float32, little-endian.
struct FileLayout {
  std::size_t header = 0;  ///< bytes before the elements; they must be those of the expected file
  std::size_t rows = 1;    ///< the elements are a (rows, n) array; one row: (n)
  /// Names of the rows where they are arrays that only share a file, such as real and imaginary parts: what is
  /// wrong is then explained for each by itself. Empty: they are the rows of one array.
  std::vector<std::string> arrays;
  /// Byte of the header where a little-endian uint32 says how many elements a row has; none: no byte says it.
  std::optional<std::size_t> count_at = {};
};

/// Whether a name is that of a file of the lab's own format.
bool is_own_format(const std::string& name);

/// A name without the ending of such a file.
std::string without_ending(const std::string& name);

/// The file that a name stands for.
std::string data_file(const std::string& name);

/// Whether a file is a NumPy array, which says its own type and shape.
bool is_npy(const fs::path& file);

/// Where a program leaves its result: on standard output, in an array, or in a file of the lab's own format.
class Output {
 public:
  Output() = default;                                             ///< standard output
  static Output array(std::string name);                          ///< NAME.npy
  static Output own_format(std::string name, FileLayout layout);  ///< a name with the ending of such a file

  /// Lines on standard output: the program writes no file.
  bool is_printed() const { return name_.empty(); }
  /// As lab.toml has it: "P", "Q.bin" or "stdout".
  const std::string& name() const;
  /// Of a file of the lab's own format, and of nothing else.
  const std::optional<FileLayout>& layout() const { return layout_; }
  /// The file with the expected result, and that of the program: "P.npy", "Q.bin"; of what is printed,
  /// "expected.txt" with the expected lines.
  std::string file() const;

 private:
  std::string name_;
  std::optional<FileLayout> layout_;
};

}  // namespace grader
