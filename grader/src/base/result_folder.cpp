#include "base/result_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace grader {
namespace {

/// Opens a path below a folder without following links. With O_NONBLOCK, opening a pipe does not wait for its
/// writer.
int open_beneath(int folder, const fs::path& name, int flags) {
  flags |= O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const int direct = static_cast<int>(::syscall(SYS_openat2, folder, name.c_str(), &how, sizeof how));
  if (direct >= 0 || (errno != ENOSYS && errno != EPERM)) return direct;
  // Linux before 5.6 lacks openat2, and some containers reject it. In both cases, the path is opened folder
  // by folder.
  int at = ::fcntl(folder, F_DUPFD_CLOEXEC, 0);
  for (auto part = name.begin(); at >= 0 && part != name.end(); ++part) {
    if (*part == "..") errno = EXDEV;
    const bool last = std::next(part) == name.end();
    const int next = *part == ".." ? -1
                                   : ::openat(at, part->c_str(),
                                              last ? flags : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int error = errno;
    ::close(at);
    errno = error;
    at = next;
  }
  return at;
}

/// Why a file is not accepted. Empty if it is.
std::string problem_of(int descriptor, std::uintmax_t largest) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return std::strerror(errno);
  if (S_ISDIR(status.st_mode)) return "it is a folder";
  if (!S_ISREG(status.st_mode)) return "it is a pipe or a device";
  if (status.st_nlink != 1) return "it has a second name (a hard link)";
  if (static_cast<std::uintmax_t>(status.st_size) > largest)
    return fmt::format("it has {} bytes, and may have {}", status.st_size, largest);
  return {};
}

/// Why a file could not be opened. Empty if it is missing.
std::string problem_of_opening(int error) {
  if (error == ENOENT) return {};
  if (error == ELOOP || error == ENOTDIR || error == EXDEV)
    return "a symbolic link is in its place or on the way to it";
  return std::strerror(error);
}

}  // namespace

ResultFolder::ResultFolder(const fs::path& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {
  if (!folder_.open())
    throw Error(ErrorKind::environment,
                fmt::format("The folder {} can't be opened: {}.", folder.string(), std::strerror(errno)));
}

ResultFolder::Taken ResultFolder::take(const fs::path& name, const fs::path& to,
                                       std::uintmax_t largest) const {
  const Descriptor file(open_beneath(folder_.get(), name, O_RDONLY));
  if (!file.open()) return {{}, problem_of_opening(errno)};
  if (std::string problem = problem_of(file.get(), largest); !problem.empty())
    return {{}, std::move(problem)};
  const Descriptor parent(name.has_parent_path()
                              ? open_beneath(folder_.get(), name.parent_path(), O_RDONLY | O_DIRECTORY)
                              : ::fcntl(folder_.get(), F_DUPFD_CLOEXEC, 0));
  const Descriptor own(::open(to.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::string last = name.filename();
  if (::renameat(parent.get(), last.c_str(), own.get(), last.c_str()) != 0) return {{}, std::strerror(errno)};
  // Only the grader can write to the new place, so the file that is checked is the one that was moved.
  struct stat looked_at {
  }, came{};
  if (::fstat(file.get(), &looked_at) != 0 ||
      ::fstatat(own.get(), last.c_str(), &came, AT_SYMLINK_NOFOLLOW) != 0 ||
      looked_at.st_ino != came.st_ino || looked_at.st_dev != came.st_dev)
    return {{}, "it changed while it was taken"};
  [[maybe_unused]] const int own_now =
      ::fchown(file.get(), ::geteuid(), ::getegid());  // the program may have run as another user
  ::fchmod(file.get(), 0644);                          // the caller reads it under its new name
  return {to / last, {}};
}

std::optional<std::string> ResultFolder::read(const fs::path& name, std::uintmax_t largest) const {
  const Descriptor file(open_beneath(folder_.get(), name, O_RDONLY));
  if (!file.open() || !problem_of(file.get(), largest).empty()) return std::nullopt;
  std::string text;
  char buffer[65536];
  for (ssize_t got; (got = ::read(file.get(), buffer, sizeof buffer)) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 || text.size() + static_cast<std::size_t>(got) > largest) return std::nullopt;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace grader
