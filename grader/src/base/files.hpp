/// @file
/// Reads and writes small files safely: reads have a limit, writes are atomic.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// Reads a whole regular file.
/// @param limit largest size in bytes
/// @throws Error (usage) when it is missing, no regular file, unreadable or larger
std::string read_file(const fs::path& file, std::uintmax_t limit);

/// Writes a file atomically: to a hidden temporary beside it, which is renamed over it. On failure (full disk, no
/// permission), or when the grader dies, the old file is unchanged. Creates its folder.
/// @throws Error (environment)
void write_file(const fs::path& file, const std::string& bytes);

/// Creates a new folder `parent/<UTC date>T<time>-<label>`, with a number appended if it exists: two graders never
/// share one.
/// @throws Error (environment)
fs::path make_unique_folder(const fs::path& parent, const std::string& label);

/// Copies a folder's regular files and folders; links are copied as links. @throws Error (environment); the partial
/// copy is removed then
void copy_folder(const fs::path& from, const fs::path& to);

/// All files below a folder, sorted; hidden entries (.x) are left out, links are listed and not followed.
/// Empty when there is no such folder. @throws Error (environment) when it can't be read
std::vector<fs::path> list_files(const fs::path& folder);

/// Whether a name begins with a dot: temporaries of editors and of this kit, which belong to nothing.
bool is_hidden(const fs::path& path);

/// Holds an exclusive lock on a file for its lifetime; waits for another holder. The lock is released when the
/// process exits.
class FileLock {
 public:
  /// @throws Error (environment) when the file can't be created
  explicit FileLock(const fs::path& file) : FileLock(file, true) {}
  /// The same without a wait: null while another process holds it.
  static std::unique_ptr<FileLock> if_free(const fs::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  FileLock(const fs::path& file, bool waits);
  int descriptor_;
  bool held_ = false;
};

/// Line (counted from 1) of the first byte that is NUL or no valid UTF-8; 0: none.
unsigned first_line_not_utf8(const std::string& text);

/// A path for users: relative to the current folder if it lies below it.
std::string shown(const fs::path& path);

}  // namespace grader
