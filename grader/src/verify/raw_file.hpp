/// @file
/// Reads arrays in files of a lab's own format: a header, followed by float32 elements (see FileLayout). Files may be
/// hostile, as in verify.hpp.
#pragma once
#include "verify/array.hpp"

namespace grader {

/// The content of such a file.
struct RawFile {
  std::string header;  ///< layout.header bytes
  Array array;         ///< (layout.rows(), n), or (n) for one row
};

/// @param bytes the required size; no value: any size
/// @throws lab::NpyError when the file is missing or not regular, has another size, or has a partial row. Its message
///         is one sentence that begins with the file's name
RawFile read_raw(const fs::path& file, const FileLayout& layout, lab::NpyLinks links,
                 std::optional<std::uintmax_t> bytes = {});

}  // namespace grader
