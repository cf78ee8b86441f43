/// @file
/// Arrays in files of a lab's own format: a header, then float32 (see FileLayout). Files may be hostile, as
/// those that verify.hpp reads.
#pragma once
#include "verify/array.hpp"

namespace grader {

/// What such a file holds.
struct RawFile {
  std::string header;  ///< layout.header bytes
  Array array;         ///< (layout.rows, n), or (n) for one row
};

/// @param bytes that the file must have; none: as many as it has
/// @throws lab::NpyError in one sentence that begins with the file's name: no such file, no regular file, another
///         size, or no whole rows
RawFile read_raw(const fs::path& file, const FileLayout& layout, lab::NpyLinks links,
                 std::optional<std::uintmax_t> bytes = {});

}  // namespace grader
