// Locks use flock(2), so the operating system releases a lock when its holder exits, for whatever reason.
// Only the holder writes its name and process number into the file, and waiting graders report them.
#include "process/devices.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "base/columns.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

fs::path folder_of_locks() {
  if (const char* const named = std::getenv("GRADER_DEVICE_LOCKS"); named != nullptr && *named != '\0')
    return named;
  return access("/run/lock", W_OK) == 0 ? "/run/lock" : "/tmp";
}

fs::path lock_file(const std::string& device) {
  std::string name = device;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  return folder_of_locks() / ("cuda-lab-kit-gpu-" + name + ".lock");
}

/// Opens a lock's file. In folders such as /tmp, O_CREAT fails for another user's file
/// (fs.protected_regular), so the function first tries to open the file without O_CREAT.
/// @return a closed descriptor on failure; errno has the reason
Descriptor open_lock(const fs::path& file) {
  constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  for (int tries = 0; tries < 3; ++tries) {
    Descriptor lock(open(file.c_str(), flags));
    if (!lock.open() && errno == ENOENT) {
      lock = Descriptor(open(file.c_str(), flags | O_CREAT | O_EXCL, 0666));
      if (lock.open()) fchmod(lock.get(), 0666);  // whatever the umask is, since all users lock the file
    }
    struct stat status {};
    if (lock.open() && fstat(lock.get(), &status) == 0 && S_ISREG(status.st_mode)) return lock;
    if (lock.open() || errno != EEXIST) break;
  }
  return Descriptor();
}

void write_holder(int lock) {
  const passwd* const user = getpwuid(geteuid());
  const std::string text =
      fmt::format("{}, process {}\n", user != nullptr ? user->pw_name : std::to_string(geteuid()), getpid());
  [[maybe_unused]] const bool written =
      ftruncate(lock, 0) == 0 && pwrite(lock, text.data(), text.size(), 0) > 0;
}

std::string holder_of(const fs::path& file) {
  const Descriptor lock(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  char text[128] = "";
  const ssize_t got = lock.open() ? pread(lock.get(), text, sizeof text - 1, 0) : 0;
  const std::string line(text, got > 0 ? static_cast<std::size_t>(got) : 0);
  const std::string first = printable(line.substr(0, line.find('\n')));
  return first.empty() ? "" : fmt::format(" ({})", first);
}

/// The device in words. The UUIDs of NVIDIA begin with "GPU".
std::string words_for(const std::string& device) {
  return device.starts_with("GPU") ? device : "GPU " + device;
}

}  // namespace

void DeviceTurn::outlive_exec() const {
  if (lock_.open()) fcntl(lock_.get(), F_SETFD, 0);
}

std::unique_ptr<DeviceTurn> LockedDevices::take(const std::vector<std::string>& devices) {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    for (const std::string& device : devices) {
      const fs::path file = lock_file(device);
      Descriptor lock = open_lock(file);
      if (!lock.open()) {
        say_(
            fmt::format("note: {} is used without a lock, since {} can't be opened ({}): other runs may "
                        "disturb its times.",
                        words_for(device), file.string(), std::strerror(errno)));
        return std::make_unique<DeviceTurn>(device);
      }
      if (flock(lock.get(), LOCK_EX | LOCK_NB) == 0) {
        write_holder(lock.get());
        return std::make_unique<DeviceTurn>(device, std::move(lock));
      }
    }
    if (std::chrono::steady_clock::now() - begin >= patience_ && !reported_.exchange(true))
      say_(devices.size() == 1
               ? fmt::format("{} is in use by another grading{}; waiting for it.", words_for(devices.front()),
                             holder_of(lock_file(devices.front())))
               : fmt::format("All {} GPUs are in use by other gradings; waiting for one of them.",
                             devices.size()));
    if (interrupted()) throw Error(ErrorKind::environment, "Interrupted while waiting for a GPU.");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace grader
