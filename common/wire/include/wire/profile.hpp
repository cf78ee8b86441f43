/// @file
/// The lines of a profile. A profile lists the work that one run did on the device. The functions return lines without
/// line breaks.
#pragma once
#include <cstdint>
#include <string>

#include "json.hpp"

namespace kit_wire {

struct Header {
  std::string source;  ///< "cupti" or "emulation"
  std::string device, driver;
  bool content = false;  ///< the profile has lines of kind content
};
inline std::string header_line(const Header& header) {
  Object object;
  object.add("kind", "header")
      .add("format", format)
      .add("source", header.source)
      .add("device", header.device)
      .add("driver", header.driver);
  if (header.content) object.add("content", true);
  return object.text();
}

struct Span {
  std::int64_t start_ns = 0, end_ns = 0;
};
namespace detail {
inline Object& add_span(Object& to, const Span& span) {
  return to.add("start_ns", span.start_ns)
      .add("duration_ns", span.end_ns > span.start_ns ? span.end_ns - span.start_ns : 0);
}
}  // namespace detail

struct KernelRun {
  std::string name;  ///< as in the source, without return type and parameters
  Span time;
  std::uint32_t grid[3] = {0, 0, 0}, block[3] = {0, 0, 0};
  std::uint64_t static_shared = 0, dynamic_shared = 0, registers = 0;
};
inline std::string kernel_line(const KernelRun& run) {
  Object object;
  object.add("kind", "kernel").add("name", run.name);
  return detail::add_span(object, run.time)
      .add("grid", run.grid)
      .add("block", run.block)
      .add("static_shared", run.static_shared)
      .add("dynamic_shared", run.dynamic_shared)
      .add("registers", run.registers)
      .text();
}

/// @param direction "h2d", "d2h", "d2d" or "h2h"
inline std::string copy_line(const char* direction, std::uint64_t bytes, const Span& time) {
  Object object;
  object.add("kind", "memcpy").add("direction", direction).add("bytes", bytes);
  return detail::add_span(object, time).text();
}
inline std::string fill_line(std::uint64_t bytes, const Span& time) {
  Object object;
  object.add("kind", "memset").add("bytes", bytes);
  return detail::add_span(object, time).text();
}

/// Returns the line of an allocation; a negative time is unknown and omitted. release_line() does the same for a
/// release.
inline std::string allocation_line(std::uint64_t address, std::uint64_t bytes, std::int64_t at_ns = -1) {
  Object object;
  object.add("kind", "alloc").add("address", address).add("bytes", bytes);
  if (at_ns >= 0) object.add("start_ns", at_ns);
  return object.text();
}
inline std::string release_line(std::uint64_t address, std::int64_t at_ns = -1) {
  Object object;
  object.add("kind", "free").add("address", address);
  if (at_ns >= 0) object.add("start_ns", at_ns);
  return object.text();
}

/// The content that a copy moved; if there are gaps between the rows on the host, only the content of one row.
struct MovedContent {
  const char* direction;  ///< "h2d" or "d2h"
  std::uint64_t bytes;
  std::uint64_t hash;  ///< content_hash()
  std::uint64_t head;  ///< the first 8 bytes
  bool shared;         ///< copied from memory that the host may write as well
};
inline std::string content_line(const MovedContent& content) {
  Object object;
  object.add("kind", "content")
      .add("direction", content.direction)
      .add("bytes", content.bytes)
      .add("hash", content.hash)
      .add("head", content.head);
  if (content.shared) object.add("shared", true);
  return object.text();
}

inline std::string timer_line(const std::string& name, std::int64_t duration_ns) {
  return Object().add("kind", "timer").add("name", name).add("duration_ns", duration_ns).text();
}
/// Returns a line with a message for people.
inline std::string note_line(const std::string& text) {
  return Object().add("kind", "note").add("text", text).text();
}
/// Returns a line that only states an event: "host_visible", "fork", "end".
inline std::string event_line(const char* kind) {
  return Object().add("kind", kind).text();
}

/// Returns a line with a tool's report. `json` must not contain a line break.
inline std::string report_line(const char* kind, const std::string& json) {
  return Object().add("kind", kind).json("report", json).text();
}

}  // namespace kit_wire
