/// @file
/// Files of moving points: simulations write them, and viewers play them. Host code only, except quantised().
///
/// A file of frames is little-endian. It consists of a head of 64 bytes, the obstacles, and the frames:
///
///     offset  type         what
///          0  char[8]      "LABFRAME"
///          8  uint32       version of the format, 1
///         12  uint32       points of a frame, at least 1
///         16  uint32       frames, at least 1
///         20  uint32       groups: consecutive points form this many groups, all equally large (islands)
///         24  float32[3]   low: the corner of the box that coordinates are relative to
///         36  float32[3]   high: the opposite corner, greater in x, y and z
///         48  float32      radius of a point, 0 for none
///         52  float32      seconds of the simulation between two frames
///         56  uint32       obstacles
///         60  uint32       what else is drawn, a sum: 1 the box's walls; 2 the first obstacle is the points' goal,
///                          drawn in red
///         64  float32[4]   for each obstacle: x, y, z and radius of a sphere
///       then  uint16[3]    for each frame, for each point of it: x, y, z
///
/// A stored coordinate q means low + q / 65535 · (high - low). It has 16 bits, so its error is at most 1/131070 of the
/// box's side, 7.6e-6. Points outside the box are moved to its walls. 8,192 points × 1,024 frames are 50,331,712 bytes.
/// A point's speed follows from its places in successive frames.
///
/// A file is shorter than its head states if it is still being written, or if its writer was interrupted. Readers
/// accept such a file as a truncated dump. Every other fault ends the program with one sentence (exit code 2).
#pragma once
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "exit.hpp"
#include "memory.hpp"

namespace lab {

/// The head of a file of frames.
struct FramesHead {
  std::uint32_t points = 0, frames = 0, groups = 1;
  float low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
  float radius = 0;
  float seconds = 0;
  bool walls = false;
  bool goal = false;             ///< the first obstacle is the points' goal
  std::vector<float> obstacles;  ///< (obstacles, 4): x, y, z, radius

  std::size_t frame_bytes() const { return 6 * static_cast<std::size_t>(points); }
  std::size_t head_bytes() const { return 64 + obstacles.size() * sizeof(float); }
  double file_bytes() const {
    return static_cast<double>(head_bytes()) + static_cast<double>(frame_bytes()) * frames;
  }
};

/// Version of the format that this header reads and writes.
constexpr std::uint32_t frames_version = 1;

#ifdef __CUDACC__
#define LAB_FRAMES_BOTH __host__ __device__
#else
#define LAB_FRAMES_BOTH
#endif

/// Converts a coordinate to 16 bits. Host and device compute the same value, because there is no sum that a compiler
/// could fuse with the product.
/// @param scale 65535 / (high - low)
LAB_FRAMES_BOTH inline std::uint16_t quantised(float coordinate, float low, float scale) {
  const float q = (coordinate - low) * scale;
  if (!(q > 0)) return 0;
  return q >= 65535 ? 65535 : static_cast<std::uint16_t>(lrintf(q));
}

namespace detail {

[[noreturn, gnu::cold]] inline void frames_fail(const std::string& path, const std::string& problem) {
  usage_error("Dump " + path + " " + problem);
}

/// "12 of 1024".
inline std::string of_frames(std::size_t done, std::size_t all) {
  return std::to_string(done) + " of " + std::to_string(all);
}

}  // namespace detail

/// Writes a file of frames, frame by frame.
class FramesWriter {
 public:
  /// Checks that the disk has room for all frames, and creates the file.
  LAB_COLD FramesWriter(const std::string& path, const FramesHead& head) : path_(path), head_(head) {
    struct stat status;
    if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
      detail::frames_fail(path, "is a folder: name a file in it.");
    // The file is opened and locked before it is emptied. So a dump that another program is still writing remains
    // intact.
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
      detail::frames_fail(path, std::string("can't be written: ") + std::strerror(errno) +
                                    ". Name a file in a folder that you may write.");
    regular_ = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    if (regular_ && ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      detail::frames_fail(path,
                          "is being written by another program: name another file, or wait for its end.");
    file_ = ::fdopen(file, "wb");
    if (file_ == nullptr || (regular_ && ::ftruncate(file, 0) != 0)) fail_write();
    struct statvfs disk;
    if (regular_ && ::fstatvfs(::fileno(file_), &disk) == 0) {
      const double room = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
      if (room < head.file_bytes())
        give_up("needs " + bytes_text(head.file_bytes()) + ", and its disk has room for " + bytes_text(room) +
                ". Dump fewer frames (--dump-ratio), or name a file on another disk.");
    }
    unsigned char bytes[64] = {'L', 'A', 'B', 'F', 'R', 'A', 'M', 'E'};
    const std::uint32_t numbers[4] = {frames_version, head.points, head.frames, head.groups};
    std::memcpy(bytes + 8, numbers, sizeof numbers);
    std::memcpy(bytes + 24, head.low, sizeof head.low);
    std::memcpy(bytes + 36, head.high, sizeof head.high);
    std::memcpy(bytes + 48, &head.radius, 4);
    std::memcpy(bytes + 52, &head.seconds, 4);
    const std::uint32_t last[2] = {static_cast<std::uint32_t>(head.obstacles.size() / 4),
                                   (head.walls ? 1u : 0u) | (head.goal ? 2u : 0u)};
    std::memcpy(bytes + 56, last, sizeof last);
    write(bytes, sizeof bytes);
    write(head.obstacles.data(), head.obstacles.size() * sizeof(float));
  }
  ~FramesWriter() {
    if (file_ != nullptr) std::fclose(file_);
  }
  FramesWriter(const FramesWriter&) = delete;
  FramesWriter& operator=(const FramesWriter&) = delete;

  /// Appends a frame. @param coordinates (points, 3)
  void add(const std::uint16_t* coordinates) {
    write(coordinates, head_.frame_bytes());
    ++written_;
  }

  /// Closes the file. Corrects the head if there are more or fewer frames than expected.
  /// @pre at least one frame was added
  LAB_COLD void finish() {
    if (regular_ && written_ != head_.frames) {
      const auto frames = static_cast<std::uint32_t>(written_);
      if (std::fseek(file_, 16, SEEK_SET) != 0 || std::fwrite(&frames, 1, 4, file_) != 4) fail_write();
    }
    std::FILE* const file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0) fail_write();
  }

 private:
  void write(const void* data, std::size_t bytes) {
    if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail_write();
  }

  [[noreturn, gnu::cold]] void fail_write() {
    const std::string why = std::strerror(errno);
    give_up("can't be written: " + why + ", after " + detail::of_frames(written_, head_.frames) +
            " frames. All of them need " + bytes_text(head_.file_bytes()) +
            ": name a file on a disk with room, or dump fewer (--dump-ratio).");
  }

  /// Removes the file, so that its beginning is not mistaken for a complete dump.
  [[noreturn, gnu::cold]] void give_up(const std::string& problem) {
    if (regular_) std::remove(path_.c_str());
    detail::frames_fail(path_, problem);
  }

  std::string path_;
  FramesHead head_;
  std::FILE* file_ = nullptr;
  bool regular_ = false;
  std::size_t written_ = 0;
};

/// The contents of a file of frames.
struct Frames {
  FramesHead head;
  std::vector<std::uint16_t> coordinates;  ///< (frames, points, 3)
};

/// Describes the fault in the beginning of a file of frames ("is cut short: …"); empty if there is none.
/// @param bytes, count the file's first bytes, at most 64  @param size of the file  @param head gets all but obstacles
inline std::string frames_problem(const unsigned char* bytes, std::size_t count, double size,
                                  FramesHead& head) {
  if (size == 0) return "is empty. Dump again.";
  if (count < 8 || std::memcmp(bytes, "LABFRAME", 8) != 0)
    return "is no dump of moving points: it does not begin with LABFRAME. Is it the right file?";
  if (count < 64)
    return "is cut short: it has " + std::to_string(count) +
           " bytes, and its head alone has 64. Dump or copy it again.";
  std::uint32_t numbers[4], last[2];
  std::memcpy(numbers, bytes + 8, sizeof numbers);
  std::memcpy(head.low, bytes + 24, sizeof head.low);
  std::memcpy(head.high, bytes + 36, sizeof head.high);
  std::memcpy(&head.radius, bytes + 48, 4);
  std::memcpy(&head.seconds, bytes + 52, 4);
  std::memcpy(last, bytes + 56, sizeof last);
  if (numbers[0] != frames_version)
    return "is a dump of version " + std::to_string(numbers[0]) + ", and this kit reads version " +
           std::to_string(frames_version) + ". Dump again with this kit.";
  head.points = numbers[1];
  head.frames = numbers[2];
  head.groups = numbers[3];
  head.walls = (last[1] & 1) != 0;
  head.goal = (last[1] & 2) != 0;
  bool good = head.points > 0 && head.frames > 0 && head.groups > 0 && head.points % head.groups == 0 &&
              std::isfinite(head.radius) && head.radius >= 0 && std::isfinite(head.seconds) &&
              head.seconds >= 0 && (last[0] > 0 || !head.goal);
  for (int axis = 0; axis < 3; ++axis)
    good = good && std::isfinite(head.low[axis]) && std::isfinite(head.high[axis]) &&
           head.low[axis] < head.high[axis];
  if (!good || last[0] > 1000000)
    return "has a damaged head: its sizes make no sense. Dump or copy it again.";
  head.obstacles.assign(4 * static_cast<std::size_t>(last[0]), 0.0f);
  if (size < head.file_bytes()) {
    const double whole =
        std::floor((size - static_cast<double>(head.head_bytes())) / static_cast<double>(head.frame_bytes()));
    return "is cut short: it has " + std::to_string(static_cast<long long>(whole > 0 ? whole : 0)) + " of " +
           std::to_string(head.frames) +
           " frames. Was the program that wrote it stopped? Dump or copy it again.";
  }
  if (size > head.file_bytes()) return "continues after its last frame. Dump or copy it again.";
  return "";
}

/// Reads a file of frames.
LAB_COLD inline Frames read_frames(const std::string& path) {
  struct stat status;
  std::FILE* const file = ::stat(path.c_str(), &status) == 0 ? std::fopen(path.c_str(), "rb") : nullptr;
  if (file == nullptr)
    detail::frames_fail(path, std::string("can't be opened: ") + std::strerror(errno) + ". Check the path.");
  if (!S_ISREG(status.st_mode)) detail::frames_fail(path, "is a folder, a pipe or a device: give a file.");
  Frames frames;
  unsigned char bytes[64];
  const std::size_t count = std::fread(bytes, 1, sizeof bytes, file);
  const std::string problem = frames_problem(bytes, count, static_cast<double>(status.st_size), frames.head);
  if (!problem.empty()) detail::frames_fail(path, problem);
  std::vector<float>& obstacles = frames.head.obstacles;
  const std::size_t values = 3 * static_cast<std::size_t>(frames.head.points) * frames.head.frames;
  frames.coordinates = host_array<std::uint16_t>(values, path);
  const bool read = std::fread(obstacles.data(), sizeof(float), obstacles.size(), file) == obstacles.size() &&
                    std::fread(frames.coordinates.data(), 2, values, file) == values;
  std::fclose(file);
  if (!read) detail::frames_fail(path, "can't be read to its end. Copy it again.");
  return frames;
}

}  // namespace lab
