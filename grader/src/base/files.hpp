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
/// @param limit the most bytes that the file may have
/// @throws Error (usage) when the file is missing, not regular, unreadable or larger
std::string read_file(const fs::path& file, std::uintmax_t limit);

/// Writes a file atomically: writes a hidden temporary file in the same folder, and renames it to the file's
/// name. If writing fails (full disk, no permission) or the grader dies, the old file is unchanged. Creates
/// the folder if necessary.
/// @throws Error (environment)
void write_file(const fs::path& file, const std::string& bytes);

/// Creates a new folder `parent/<UTC date>T<time>-<label>`. If it exists, appends a number to the name, so
/// that two graders never share a folder.
/// @throws Error (environment)
fs::path make_unique_folder(const fs::path& parent, const std::string& label);

/// Copies a folder with its regular files and folders. Links are copied as links.
/// @throws Error (environment), after it has removed the partial copy
void copy_folder(const fs::path& from, const fs::path& to);

/// All files below a folder, sorted. Hidden entries (.x) are left out. Links are listed and not followed.
/// Empty if the folder does not exist. @throws Error (environment) when the folder can't be read
std::vector<fs::path> list_files(const fs::path& folder);

/// Whether a name begins with a dot, as temporary files of editors and of this kit do. Such files belong to
/// no lab.
bool is_hidden(const fs::path& path);

/// Holds an exclusive lock on a file during its lifetime. The constructor waits while another process holds
/// the lock, which is released when that process exits.
class FileLock {
 public:
  /// @throws Error (environment) when the file can't be created
  explicit FileLock(const fs::path& file) : FileLock(file, true) {}
  /// Locks the file without waiting. Null if another process holds the lock.
  static std::unique_ptr<FileLock> if_free(const fs::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  FileLock(const fs::path& file, bool waits);
  int descriptor_;
  bool held_ = false;
};

/// The line (counted from 1) of the first byte that is NUL or not valid UTF-8; 0 if there is none.
unsigned first_line_not_utf8(const std::string& text);

/// A path for users: relative to the current folder if the path is below that folder.
std::string shown(const fs::path& path);

}  // namespace grader
