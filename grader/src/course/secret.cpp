#include "course/secret.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"

namespace grader {

void write_private_file(const fs::path& file, const std::string& text) {
  const Descriptor out(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (out.open() && fchmod(out.get(), 0600) == 0 &&
      write(out.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      fsync(out.get()) == 0)
    return;
  throw Error(ErrorKind::environment,
              fmt::format("{} can't be written: {}.", file.string(), std::strerror(errno)),
              "free some disk space, or point GRADER_HOME to a folder that you may write");
}

std::string kept_secret(const fs::path& file) {
  std::error_code failed;
  if (!fs::exists(file, failed)) {
    std::random_device random;
    std::string secret;
    for (int i = 0; i < 8; ++i) secret += fmt::format("{:08x}", random());
    // The file is written atomically, and only its owner can read it. If two graders start at once, both keep
    // the same file.
    fs::create_directories(file.parent_path(), failed);
    const fs::path fresh = fmt::format("{}.{}", file.string(), getpid());
    try {
      write_private_file(fresh, secret);
      fs::create_hard_link(fresh, file, failed);
    } catch (...) {
      fs::remove(fresh, failed);
      throw;
    }
    fs::remove(fresh, failed);
  }
  return read_file(file, 4096);
}

}  // namespace grader
