/// @file
/// Checks a dump of moving points (common/lab/include/lab/frames.hpp has its format), and packs it for a page
/// that plays it.
///
/// The packed form is a byte stream, which zlib compresses. It begins with four float32 for each obstacle.
/// For each frame, these follow:
///
///     1 byte          prediction of its coordinates: 0: zero, 1: the previous frame, 2: a straight line through the
///                     two previous frames
///     3 · points      low bytes of the differences from it: 0, -1, 1, -2, … as 0, 1, 2, 3, …, modulo 2^16
///     3 · points      high bytes
///
/// If points move at nearly constant speed, nearly all bytes are equal.
#pragma once
#include <cstdint>
#include <lab/frames.hpp>
#include <string>

#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

struct Film {
  lab::FramesHead head;  ///< the dump's head, with the film's own frames and seconds
  bool flat = false;     ///< whether z never changes, as for points in a plane
  double fastest = 1;    ///< 99th percentile of the distance from frame to frame, in the box's units
  std::string packed;    ///< the packed form
};

/// The most bytes of coordinates that a browser can store.
constexpr double most_film_bytes = 256 << 20;

/// @param every takes the first frame, and each `every`-th frame after it
/// @throws Error (usage) when the file is not a complete dump of this version, or too large
Film read_film(const fs::path& dump, int every);

/// The positions of the points in one frame: x, y and z of each point, from 0 to 1 in the film's box.
/// @param head the head of the same dump @throws Error (usage) when the dump has no such frame
std::vector<float> read_frame(const fs::path& dump, const lab::FramesHead& head, std::uint32_t number);

}  // namespace grader
