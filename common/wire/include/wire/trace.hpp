/// @file
/// The steps of kernels' blocks, as records. The report `trace` is a list of these records, and `emucc --record` writes
/// them line by line. A block refers to arrays, places and launches by their numbers. The numbers follow the order of
/// the records, and a record precedes all references to it.
#pragma once
#include <string>
#include <vector>

#include "stop.hpp"

namespace kit_wire {

/// An array that a recorded block touches.
struct TraceArray {
  std::string array;  ///< name in the source: "d_P"; empty: unknown
  std::string name;   ///< name without the program's common affixes: "P"
  std::string type;   ///< type of a shared array; for other arrays, type of the pointer in the source
  bool shared = false, dynamic = false;
  std::uint64_t bytes = 0, element = 0;  ///< element 0: unknown
  std::vector<std::size_t> extents;      ///< as declared
  std::uint64_t at = 0;                  ///< its address, modulo 128
};
inline std::string trace_array_line(const TraceArray& array) {
  return Object()
      .add("kind", "array")
      .add("array", array.array)
      .add("name", array.name)
      .add("type", array.type)
      .add("shared", array.shared)
      .add("dynamic", array.dynamic)
      .add("bytes", array.bytes)
      .add("element", array.element)
      .json("extents", json_numbers(array.extents))
      .add("at", array.at)
      .text();
}

inline std::string trace_place_line(const Place& place) {
  return Object().add("kind", "place").add("file", place.file).add("line", place.line).text();
}

struct TraceLaunch {
  std::uint64_t number = 0;  ///< from 1
  std::string kernel;
  unsigned grid[3] = {0, 0, 0}, block[3] = {0, 0, 0};
};
inline std::string trace_launch_line(const TraceLaunch& launch) {
  return Object()
      .add("kind", "launch")
      .add("launch", launch.number)
      .add("kernel", launch.kernel)
      .add("grid", launch.grid)
      .add("block", launch.block)
      .text();
}

/// Returns a record that gives the number of launches so far, including those without a record.
inline std::string trace_launches_line(std::uint64_t count) {
  return Object().add("kind", "launches").add("count", count).text();
}

/// The record of a block is long, so its beginning, its phases and its end are written one after another.
/// @param launch number of its launch's record, from 0
inline std::string trace_block_begin(std::size_t launch, const unsigned (&block)[3]) {
  std::string text = Object().add("kind", "block").add("of", launch).add("block", block).text();
  text.pop_back();
  return text + ",\"phases\":[";
}
struct TraceWait {
  std::size_t place = 0;
  std::string threads;  ///< JSON: ranges of linear indices, "[0,31,64,95]"
};
/// @param end "barrier", "cluster", "grid", "end", "deadlock", "stopped" or "cut"
inline std::string trace_phase_begin(bool is_first, std::string_view end,
                                     const std::vector<TraceWait>& waiting) {
  const auto json = [](const TraceWait& wait) {
    return Object().add("place", wait.place).json("threads", wait.threads).text();
  };
  std::string text = Object().add("end", end).json("waiting", json_array(waiting, json)).text();
  text.pop_back();
  return (is_first ? "" : ",") + text + ",\"steps\":[";
}
inline constexpr const char* trace_phase_end = "]}";
/// @param cut the rest of the block is omitted
inline std::string trace_block_end(bool cut) {
  return cut ? "],\"cut\":true}" : "],\"cut\":false}";
}

/// Returns the first line of a recording, which names the program.
inline std::string program_line(const std::string& name, const std::vector<std::string>& arguments) {
  return Object()
      .add("kind", "program")
      .add("version", format)
      .add("program", name)
      .json("arguments", json_array(arguments, json_string))
      .text();
}

/// Returns the record of a source file to which other records refer.
inline std::string source_line(const std::string& file, const std::string& text) {
  return Object().add("kind", "source").add("file", file).add("text", text).text();
}

/// @param status exit status of the program; negative: the program ended by the signal with that number
inline std::string program_end_line(int status) {
  return status >= 0 ? Object().add("kind", "end").add("status", status).text()
                     : Object().add("kind", "signal").add("signal", -status).text();
}

}  // namespace kit_wire
