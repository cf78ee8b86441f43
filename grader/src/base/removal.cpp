// Deep nesting is removed by moving: a nested folder is renamed to the top, and its entries are removed
// there.
#include "base/removal.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "base/descriptor.hpp"

namespace grader {
namespace {

struct Folder {
  Descriptor descriptor;
  /// Opens a folder that is not a link, and makes it writable.
  /// @return 0, or the error number
  int open(int parent, const char* name) {
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    descriptor = Descriptor(::openat(parent, name, flags));
    if (!descriptor.open() && errno == EACCES) {
      allow(parent, name);
      descriptor = Descriptor(::openat(parent, name, flags));
    }
    if (!descriptor.open()) return errno;
    struct stat status {};
    if (::fstat(descriptor.get(), &status) == 0 && (status.st_mode & 0700) != 0700)
      ::fchmod(descriptor.get(), 0700);
    return 0;
  }
  /// @pre the name is that of a folder, since chmod would change the target of a link
  static void allow(int parent, const char* name) {
    struct stat status {};
    if (::fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode))
      ::fchmodat(parent, name, 0700, 0);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    const int again = ::openat(descriptor.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* const entries = again < 0 ? nullptr : ::fdopendir(again);
    if (entries == nullptr) {
      if (again >= 0) ::close(again);
      return found;
    }
    while (const dirent* entry = ::readdir(entries)) {
      const bool own = std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0;
      if (!own) found.emplace_back(entry->d_name);
    }
    ::closedir(entries);
    return found;
  }
};

/// Removes a file, a link or an empty folder. @return 0, or the error number; ENOTEMPTY for other folders
int remove_one(int parent, const char* name) {
  if (::unlinkat(parent, name, 0) == 0 || errno == ENOENT) return 0;
  const int error = errno;
  if (error != EISDIR && error != EPERM) return error;
  if (::unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return 0;
  return errno == ENOTDIR ? error : ENOTEMPTY;  // also for a folder that can't be read
}

/// Moves a folder to the top, under an unused name. @return 0, or the error number
int move_up(int parent, const char* name, int top, std::size_t& count) {
  Folder::allow(parent, name);  // since its ".." entry changes
  for (;;) {
    const std::string fresh = ".deep-" + std::to_string(count++);
    if (::renameat(parent, name, top, fresh.c_str()) == 0) return 0;
    if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR) return errno;
  }
}

/// Empties a folder at the top. @return 0, or an error number
int empty(int top, const char* name, std::size_t& count) {
  Folder folder;
  if (const int error = folder.open(top, name); error != 0) return error;
  int first = 0;
  for (const std::string& entry : folder.names()) {
    int error = remove_one(folder.descriptor.get(), entry.c_str());
    if (error == ENOTEMPTY) error = move_up(folder.descriptor.get(), entry.c_str(), top, count);
    if (first == 0) first = error;
  }
  return first;
}

}  // namespace

std::error_code remove_tree(const fs::path& path) {
  const auto failed = [](int error) { return std::error_code(error, std::generic_category()); };
  const fs::path name = path.has_filename() ? path : path.parent_path();
  int error = remove_one(AT_FDCWD, name.c_str());
  if (error != ENOTEMPTY) return failed(error == ENOTDIR ? 0 : error);
  Folder top;
  if (const int closed = top.open(AT_FDCWD, name.c_str()); closed != 0) return failed(closed);
  std::size_t count = 0;
  for (std::vector<std::string> names = top.names(); !names.empty(); names = top.names()) {
    bool any = false;
    for (const std::string& entry : names) {
      error = remove_one(top.descriptor.get(), entry.c_str());
      if (error == ENOTEMPTY) {
        error = empty(top.descriptor.get(), entry.c_str(), count);
        if (const int left = remove_one(top.descriptor.get(), entry.c_str()); error == 0) error = left;
      }
      any = any || error == 0;
    }
    if (!any) return failed(error);
  }
  return failed(remove_one(AT_FDCWD, name.c_str()));
}

}  // namespace grader
