#include "verify/raw_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace grader {
namespace {

[[noreturn]] void fail(const fs::path& file, const std::string& problem) {
  throw lab::NpyError(file.string() + ": " + problem);
}

/// The content of a regular file. O_NONBLOCK keeps open() from blocking on a pipe without a writer, before fstat()
/// detects the pipe.
std::string read_bytes(const fs::path& file, lab::NpyLinks links, std::optional<std::uintmax_t> bytes) {
  const int no_follow = links == lab::NpyLinks::refuse ? O_NOFOLLOW : 0;
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | no_follow);
  if (descriptor < 0) fail(file, std::string("can't be opened: ") + std::strerror(errno));
  struct Closing {
    int descriptor;
    ~Closing() { ::close(descriptor); }
  } const closing{descriptor};
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    fail(file, "expected a file, found a folder, a pipe or a device");
  const auto size = static_cast<std::uintmax_t>(status.st_size);
  if (bytes && size != *bytes) fail(file, fmt::format("expected {} bytes, found {}", *bytes, size));
  std::string text(size, '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t got = ::read(descriptor, text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail(file, "can't be read to its end");
    done += static_cast<std::size_t>(got);
  }
  return text;
}

}  // namespace

RawFile read_raw(const fs::path& file, const FileLayout& layout, lab::NpyLinks links,
                 std::optional<std::uintmax_t> bytes) {
  const std::string text = read_bytes(file, links, bytes);
  const std::size_t row_bytes = layout.rows() * sizeof(float);
  if (text.size() < layout.header || (text.size() - layout.header) % row_bytes != 0)
    fail(file, fmt::format("expected {} bytes and whole rows of float32 after them, {} rows, found {} bytes",
                           layout.header, layout.rows(), text.size()));
  std::vector<float> data((text.size() - layout.header) / sizeof(float));
  if (!data.empty()) std::memcpy(data.data(), text.data() + layout.header, data.size() * sizeof(float));
  std::vector<std::size_t> shape = {data.size() / layout.rows()};
  if (layout.rows() > 1) shape.insert(shape.begin(), layout.rows());
  return {text.substr(0, layout.header), Array(std::move(shape), std::move(data))};
}

}  // namespace grader
