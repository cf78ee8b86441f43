/// @file
/// A dump of moving points (common/lab/include/lab/frames.hpp has the format), checked and packed for a page that plays it.
///
/// Packed is a stream of bytes, compressed by zlib: for each obstacle four float32, then for each frame
///
///     1 byte          how its coordinates are foretold: 0 as 0, 1 as they were in the frame before, 2 by a straight path
///                     through the two frames before
///     3 · points      low bytes of what they differ by from that: 0, -1, 1, -2, … as 0, 1, 2, 3, …, modulo 2^16
///     3 · points      high bytes
///
/// Points that hardly change their speed become bytes that are nearly all alike.
#pragma once
#include <cstdint>
#include <lab/frames.hpp>
#include <string>

#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

struct Film {
  lab::FramesHead head;  ///< frames and seconds are those of the film
  bool flat = false;     ///< z never changes: points of a plane
  double fastest = 1;    ///< 99 of 100 points go no farther from a frame to the next one, in the box's units
  std::string packed;    ///< see above
};

/// Bytes of coordinates that a browser is expected to hold.
constexpr double most_film_bytes = 256 << 20;

/// @param every takes the first frame, and each that comes so many later
/// @throws Error (usage) when it is no whole dump of this version, or too large
Film read_film(const fs::path& dump, int every);

/// Where the points are in one frame: x, y and z of each, from 0 to 1 in the film's box.
/// @param head of the same dump  @throws Error (usage) where it has no such frame
std::vector<float> read_frame(const fs::path& dump, const lab::FramesHead& head, std::uint32_t number);

}  // namespace grader
