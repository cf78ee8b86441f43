// Uses POSIX calls instead of streams, since only write, fsync and close report a full disk.
#include "base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <vector>

#include "base/descriptor.hpp"
#include "base/utc.hpp"

namespace grader {
namespace {

/// The user's remedy for an error number.
std::string remedy(const fs::path& file, int error) {
  if (error == ENOSPC || error == EDQUOT) return "Free some disk space and try again.";
  if (error == EACCES || error == EPERM || error == EROFS)
    return fmt::format("Give yourself permission to write there: ls -ld {}", shown(file.parent_path()));
  return {};
}

[[noreturn]] void fail_to_write(const fs::path& file, int error) {
  const std::string reason = std::error_code(error, std::generic_category()).message();
  throw Error(ErrorKind::environment, fmt::format("{} can't be written: {}.", shown(file), reason),
              remedy(file, error));
}

void make_folders(const fs::path& folder) {
  if (folder.empty()) return;  // the file is in the current folder
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) fail_to_write(folder, failed.value());
}

/// @return 0, or the error number
int write_all(int descriptor, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t written = ::write(descriptor, bytes.data() + at, bytes.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    at += static_cast<std::size_t>(written);
  }
  return ::fsync(descriptor) == 0 ? 0 : errno;
}

/// The number of bytes of the UTF-8 character at `at`; 0 if there is none.
std::size_t utf8_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto tail = [&](std::size_t i) { return byte(i) >> 6 == 2; };
  const unsigned lead = byte(at), next = byte(at + 1);
  if (lead == 0) return 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(at + 1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool overlong = lead == 0xE0 && next < 0xA0, surrogate = lead == 0xED && next > 0x9F;
    return tail(at + 1) && tail(at + 2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool overlong = lead == 0xF0 && next < 0x90, too_large = lead == 0xF4 && next > 0x8F;
    return tail(at + 1) && tail(at + 2) && tail(at + 3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string read_file(const fs::path& file, std::uintmax_t limit) {
  const auto fail = [&](const std::string& why) -> Error {
    return Error(ErrorKind::usage, fmt::format("{} {}.", shown(file), why));
  };
  // With O_NONBLOCK, opening a named pipe does not wait for its writer.
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!in.open()) {
    const int error = errno;
    if (error == ENOENT) throw fail("does not exist");
    throw fail("can't be read: " + std::error_code(error, std::generic_category()).message());
  }
  struct stat status {};
  if (::fstat(in.get(), &status) != 0 || !S_ISREG(status.st_mode))
    throw fail(S_ISDIR(status.st_mode) ? "is a folder; expected a file" : "is not a regular file");

  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(in.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw fail("can't be read: " + std::error_code(errno, std::generic_category()).message());
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > limit)
      throw fail(fmt::format("is larger than {} KiB, the most that is read", limit / 1024));
  }
}

void write_file(const fs::path& file, const std::string& bytes) {
  make_folders(file.parent_path());
  std::string pattern = (file.parent_path() / fmt::format(".{}.XXXXXX", file.filename().string())).string();
  Descriptor out(::mkostemp(pattern.data(), O_CLOEXEC));
  if (!out.open()) fail_to_write(file, errno);
  const auto give_up = [&](int error) {
    ::unlink(pattern.c_str());
    fail_to_write(file, error);
  };
  // mkstemp makes files that only the owner may read, so the new file gets the old file's mode, or the default for
  // new files.
  struct stat old {};
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool replaces = ::stat(file.c_str(), &old) == 0;
  if (replaces && S_ISDIR(old.st_mode)) give_up(EISDIR);
  if (::fchmod(out.get(), replaces ? old.st_mode & 07777 : 0666 & ~mask) != 0) give_up(errno);
  if (const int error = write_all(out.get(), bytes); error != 0) give_up(error);
  if (out.close() != 0) give_up(errno);
  if (::rename(pattern.c_str(), file.c_str()) != 0) give_up(errno);
}

fs::path make_unique_folder(const fs::path& parent, const std::string& label) {
  make_folders(parent);
  const std::string stamp = utc_text(std::time(nullptr), "%Y-%m-%dT%H%M%S");
  for (int i = 1;; ++i) {
    const fs::path folder =
        parent / (i == 1 ? fmt::format("{}-{}", stamp, label) : fmt::format("{}-{}-{}", stamp, label, i));
    if (::mkdir(folder.c_str(), 0777) == 0) return folder;  // atomic: one of two graders gets the folder
    if (errno != EEXIST) fail_to_write(folder, errno);
  }
}

void copy_folder(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::copy_symlinks, failed);
  if (!failed) return;
  std::error_code ignored;
  fs::remove_all(to, ignored);  // so that no partial copy remains
  throw Error(ErrorKind::environment,
              fmt::format("{} can't be copied to {}: {}.", shown(from), shown(to), failed.message()),
              remedy(to, failed.value()));
}

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

std::vector<fs::path> list_files(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (is_hidden(at->path())) {
      at.disable_recursion_pending();
    } else if (!at->is_directory() || at->is_symlink()) {
      found.push_back(at->path());
    }
  }
  if (failed && failed != std::errc::no_such_file_or_directory)
    throw Error(ErrorKind::environment,
                fmt::format("{} can't be read: {}.", shown(folder), failed.message()));
  std::sort(found.begin(), found.end());
  return found;
}

FileLock::FileLock(const fs::path& file, bool waits) {
  make_folders(file.parent_path());
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_to_write(file, errno);
  do {
    held_ = ::flock(descriptor_, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0;
  } while (!held_ && errno == EINTR);
}

std::unique_ptr<FileLock> FileLock::if_free(const fs::path& file) {
  std::unique_ptr<FileLock> lock(new FileLock(file, false));
  return lock->held_ ? std::move(lock) : nullptr;
}

FileLock::~FileLock() {
  ::close(descriptor_);
}

unsigned first_line_not_utf8(const std::string& text) {
  unsigned line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = utf8_length(text, at);
    if (bytes == 0) return line;
    if (text[at] == '\n') ++line;
    at += bytes;
  }
  return 0;
}

std::string shown(const fs::path& path) {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (failed || !path.is_absolute()) return path.string();
  const fs::path relative = path.lexically_normal().lexically_relative(here);
  if (relative.empty() || *relative.begin() == "..") return path.string();
  return relative.string();
}

}  // namespace grader
