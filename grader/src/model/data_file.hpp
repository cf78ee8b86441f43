/// @file
/// The files of a lab's inputs and output, and their formats. A name in `[data]` of lab.toml names an array in
/// NAME.npy, or a file of the lab's own format: NAME.bin or, for text, NAME.txt.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/filesystem.hpp"

namespace grader {

/// The layout of an array in a file that is not .npy: a header, followed by float32 elements in little-endian order.
struct FileLayout {
  std::size_t header = 0;  ///< bytes before the elements; they must equal those of the expected file
  /// The names of the arrays, which follow one another in the file, such as real and imaginary parts.
  /// Mismatches are explained for each array. If empty, the file holds one array.
  std::vector<std::string> arrays;
  /// The offset in the header of a little-endian uint32 with the number of elements in a row; no value if there is no
  /// such field.
  std::optional<std::size_t> count_at = {};

  std::size_t rows() const { return arrays.empty() ? 1 : arrays.size(); }  ///< of n elements each
};

/// Whether a name in lab.toml names a file in the lab's own format.
bool is_own_format(const std::string& name);

/// The name without the extension of that format.
std::string without_ending(const std::string& name);

/// The file's name for a name in lab.toml: "P.npy" for "P", "Q.bin" for "Q.bin".
std::string data_file(const std::string& name);

/// Whether a file is a NumPy array. The type and the shape of such an array are in its file.
bool is_npy(const fs::path& file);

/// Where a program writes its result: to standard output, to an array, or to a file of the lab's own format.
class Output {
 public:
  Output() = default;                                             ///< standard output
  static Output array(std::string name);                          ///< NAME.npy
  static Output own_format(std::string name, FileLayout layout);  ///< a name with that format's extension

  /// Whether the result is lines on standard output, and the program writes no file.
  bool is_printed() const { return name_.empty(); }
  /// The name as in lab.toml: "P", "Q.bin" or "stdout".
  const std::string& name() const;
  /// The layout; set only for a file of the lab's own format.
  const std::optional<FileLayout>& layout() const { return layout_; }
  /// The file name of both the expected result and the program's result: "P.npy", "Q.bin". For printed output it is
  /// "expected.txt", which contains the expected lines.
  std::string file() const;

 private:
  std::string name_;
  std::optional<FileLayout> layout_;
};

}  // namespace grader
