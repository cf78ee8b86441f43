/// @file
/// Reading and writing small files so that nothing is lost:
/// reads have a limit, writes are whole or do not happen.
#pragma once
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// Reads a regular file whole.
/// @param limit bytes that it may have at most
/// @throws Error (usage) when it is missing, no regular file, unreadable or larger
std::string read_file(const fs::path& file, std::uintmax_t limit);

/// Writes a file whole: to a hidden temporary beside it, then renamed over it. When that fails (full disk, no
/// permission) or the grader dies, the old file stands as it was. Its folder is created.
/// @throws Error (environment)
void write_file(const fs::path& file, const std::string& bytes);

/// Creates a new folder `parent/<UTC date>T<time>-<label>`, with a number behind it when it exists: two
/// graders never share one.
/// @throws Error (environment)
fs::path make_unique_folder(const fs::path& parent, const std::string& label);

/// Copies a folder's regular files and folders; links are copied as links. @throws Error (environment);
/// nothing is left of the copy then
void copy_folder(const fs::path& from, const fs::path& to);

/// All files below a folder, sorted; hidden entries (.x) are left out, links are listed and not followed.
/// Empty when there is no such folder. @throws Error (environment) when it can't be read
std::vector<fs::path> list_files(const fs::path& folder);

/// Whether a name begins with a dot: editors' and this kit's temporaries, which are part of nothing.
bool is_hidden(const fs::path& path);

/// Holds an exclusive lock on a file as long as it lives;
/// waits for another holder. The lock goes with the process.
class FileLock {
 public:
  /// @throws Error (environment) when the file can't be created
  explicit FileLock(const fs::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

/// Line (counted from 1) of the first byte that breaks UTF-8 or is NUL, or 0 when the text is UTF-8.
unsigned first_line_not_utf8(const std::string& text);

/// A path as users read it: relative to the current folder where it lies below it.
std::string shown(const fs::path& path);

}  // namespace grader
