#include "view/film.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/descriptor.hpp"
#include "base/files.hpp"
#include "base/terminal.hpp"

namespace grader {
namespace {

[[noreturn]] void refuse(const fs::path& dump, const std::string& problem, const std::string& next = {}) {
  throw Error(ErrorKind::usage, fmt::format("Dump {} {}", shown(dump), problem), next);
}

/// Reads a dump from its beginning to its end.
class DumpFile {
 public:
  explicit DumpFile(const fs::path& dump) : dump_(dump) {
    struct stat status {};
    // With O_NONBLOCK, open() does not wait for the other end of a pipe.
    file_ = Descriptor(::open(dump.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!file_.open() || ::fstat(file_.get(), &status) != 0)
      refuse(dump, fmt::format("can't be opened: {}.", std::strerror(errno)),
             "Check its path; of a lab: grader view lab5.1");
    if (!S_ISREG(status.st_mode))
      refuse(dump, "is a folder, a pipe or a device.", "Give a file, or a lab: grader view lab5.1");
    size_ = static_cast<double>(status.st_size);
  }
  double size() const { return size_; }
  /// Reads bytes at an offset. At the end of the file it reads fewer.
  std::size_t read(void* to, std::size_t bytes, double from) {
    std::size_t done = 0;
    while (done < bytes) {
      const ssize_t count = ::pread(file_.get(), static_cast<char*>(to) + done, bytes - done,
                                    static_cast<off_t>(from) + static_cast<off_t>(done));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      done += static_cast<std::size_t>(count);
    }
    return done;
  }
  void read_all(void* to, std::size_t bytes, double from) {
    if (read(to, bytes, from) != bytes) refuse(dump_, "can't be read to its end.", "Copy it again.");
  }

 private:
  fs::path dump_;
  Descriptor file_;
  double size_ = 0;
};

/// Compresses with zlib into a string.
class Packer {
 public:
  Packer() {
    if (deflateInit(&stream_, level) != Z_OK)
      throw Error(ErrorKind::environment, "There is no memory to pack the film.");
  }
  ~Packer() { deflateEnd(&stream_); }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  void add(const void* bytes, std::size_t count) {
    pack(const_cast<Bytef*>(static_cast<const Bytef*>(bytes)), count, Z_NO_FLUSH);
  }
  std::string finish() {
    pack(nullptr, 0, Z_FINISH);
    return std::move(out_);
  }

 private:
  static constexpr int level = 4;  // 9 makes films a few percent smaller, and takes ten times as long

  void pack(Bytef* bytes, std::size_t count, int flush) {
    stream_.next_in = bytes;
    stream_.avail_in = static_cast<uInt>(count);
    do {
      stream_.next_out = buffer_.data();
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&stream_, flush);
      out_.append(reinterpret_cast<const char*>(buffer_.data()), buffer_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::vector<Bytef> buffer_ = std::vector<Bytef>(1 << 18);
  std::string out_;
};

using Frame = std::vector<std::uint16_t>;

/// A coordinate's difference from its prediction, as an unsigned number that is small for small differences
/// of either sign.
std::uint16_t folded(std::uint16_t value, std::uint16_t predicted) {
  const auto difference = static_cast<std::uint16_t>(value - predicted);
  return static_cast<std::uint16_t>(difference << 1 ^ (difference >> 15 ? 0xffff : 0));
}

std::uint16_t predict(int kind, std::uint16_t one, std::uint16_t two) {
  return kind == 0 ? std::uint16_t{0} : kind == 1 ? one : static_cast<std::uint16_t>(2 * one - two);
}

/// @param one, two the two previous frames, if they exist
void pack_frame(Packer& packer, const Frame& frame, const Frame& one, const Frame& two, std::size_t before) {
  const int kinds = static_cast<int>(std::min<std::size_t>(before, 2)) + 1;
  std::array<std::uint64_t, 3> cost{};
  for (int kind = 0; kind < kinds; ++kind)
    for (std::size_t i = 0; i < frame.size(); ++i)
      cost[static_cast<std::size_t>(kind)] += folded(frame[i], predict(kind, one[i], two[i]));
  const auto kind =
      static_cast<unsigned char>(std::min_element(cost.begin(), cost.begin() + kinds) - cost.begin());
  std::vector<unsigned char> bytes(1 + 2 * frame.size());
  bytes[0] = kind;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const std::uint16_t value = folded(frame[i], predict(kind, one[i], two[i]));
    bytes[1 + i] = static_cast<unsigned char>(value & 0xff);
    bytes[1 + frame.size() + i] = static_cast<unsigned char>(value >> 8);
  }
  packer.add(bytes.data(), bytes.size());
}

/// A histogram of how far points move between consecutive frames, in 65535ths of the longest side.
class Distances {
 public:
  explicit Distances(const lab::FramesHead& head) {
    for (int axis = 0; axis < 3; ++axis)
      longest_ = std::max<double>(longest_, head.high[axis] - head.low[axis]);
    for (int axis = 0; axis < 3; ++axis) scale_[axis] = (head.high[axis] - head.low[axis]) / longest_;
  }
  void add(const Frame& from, const Frame& to) {
    for (std::size_t i = 0; i < from.size(); i += 3) {
      double sum = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double way = scale_[axis] * (to[i + axis] - from[i + axis]);
        sum += way * way;
      }
      ++counts_[static_cast<std::size_t>(std::sqrt(sum))];
      ++all_;
    }
  }
  /// The 99th percentile of the distances.
  double nearly_most() const {
    std::uint64_t below = 0;
    std::size_t way = 0;
    while (way + 1 < counts_.size() && (below += counts_[way]) * 100 < all_ * 99) ++way;
    return longest_ * static_cast<double>(way + 1) / 65535;
  }

 private:
  double longest_ = 0;
  std::array<double, 3> scale_{};
  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(113512);  // √3 · 65535, rounded up
  std::uint64_t all_ = 0;
};

}  // namespace

Film read_film(const fs::path& dump, int every) {
  DumpFile file(dump);
  unsigned char begin[64];
  Film film;
  lab::FramesHead& head = film.head;
  const std::size_t count = file.read(begin, sizeof begin, 0);
  const std::string problem = lab::frames_problem(begin, count, file.size(), head);
  if (!problem.empty()) refuse(dump, problem);
  const double first = static_cast<double>(head.head_bytes()),
               frame_bytes = static_cast<double>(head.frame_bytes());
  file.read_all(head.obstacles.data(), head.obstacles.size() * sizeof(float), sizeof begin);
  for (const float value : head.obstacles)
    if (!std::isfinite(value)) refuse(dump, "has an obstacle that is nowhere.", "Dump again.");

  const auto step = static_cast<std::uint32_t>(std::max(every, 1));
  const std::uint32_t all = head.frames;
  head.frames = (head.frames - 1) / step + 1;
  head.seconds *= static_cast<float>(step);
  if (const double bytes = frame_bytes * head.frames; bytes > most_film_bytes) {
    const double suitable = step * std::ceil(bytes / most_film_bytes);
    const std::string holds = fmt::format("holds {} of frames, and a page {} at most.", human_bytes(bytes),
                                          human_bytes(most_film_bytes));
    if (suitable >= all || frame_bytes > most_film_bytes) refuse(dump, holds, "Dump fewer points.");
    refuse(dump, holds, fmt::format("grader view {} --every {:.0f}", shown(dump), suitable));
  }

  Packer packer;
  packer.add(head.obstacles.data(), head.obstacles.size() * sizeof(float));
  const std::size_t values = 3 * static_cast<std::size_t>(head.points);
  Frame frame(values), one(values), two(values);
  Distances distances(head);
  film.flat = head.points > 1;
  std::uint16_t depth = 0;
  for (std::uint32_t i = 0; i < head.frames; ++i) {
    file.read_all(frame.data(), head.frame_bytes(), first + frame_bytes * i * step);
    if (i == 0) depth = frame[2];
    for (std::size_t k = 2; k < values && film.flat; k += 3) film.flat = frame[k] == depth;
    if (i > 0) distances.add(one, frame);
    pack_frame(packer, frame, one, two, i);
    std::swap(two, one);
    std::swap(one, frame);
  }
  film.fastest = distances.nearly_most();
  film.packed = packer.finish();
  return film;
}

std::vector<float> read_frame(const fs::path& dump, const lab::FramesHead& head, std::uint32_t number) {
  if (number >= head.frames)
    refuse(dump, fmt::format("has {} frames, and no frame {}.", head.frames, number), "Choose another one.");
  DumpFile file(dump);
  Frame frame(3 * static_cast<std::size_t>(head.points));
  file.read_all(frame.data(), head.frame_bytes(),
                static_cast<double>(head.head_bytes()) + static_cast<double>(head.frame_bytes()) * number);
  std::vector<float> out;
  for (const std::uint16_t one : frame) out.push_back(static_cast<float>(one) / 65535);
  return out;
}

}  // namespace grader
