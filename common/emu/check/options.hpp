// The options in CUEMU_CHECK: `CUEMU_CHECK=races,memory,error-exitcode=3,json=report.json`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace cuemu::check {

struct Finding;

/// An element of a global array whose writes are recorded (recorder.cpp).
struct RecordedElement {
  std::string array;      ///< empty: none
  std::size_t index = 0;  ///< in memory order
  std::size_t bytes = 0;  ///< the size of an element in bytes
};

struct Options {
  std::set<std::string> groups;  ///< empty: all
  std::string json, sarif;       ///< files to write; empty: none
  bool strict = false;           ///< writes of the same value are also races
  int error_exitcode = 0;        ///< the program's exit status if there are findings; 0: unchanged
  std::size_t limit = 20;        ///< the greatest number of findings in the text
  std::vector<std::string> suppressions;
  RecordedElement record;
  std::string record_json;                 ///< a file for the record; empty: none
  std::size_t trace = 0;                   ///< traced blocks of each launch (tracer.cpp)
  std::uint64_t trace_from = 1;            ///< the first traced launch
  std::string trace_json;                  ///< a file for the trace; empty: none
  std::uint32_t unset_bytes = 0xfefefefe;  ///< the compiler's fill value for local variables

  bool wants(const std::string& group) const { return groups.empty() || groups.count(group) != 0; }
  bool suppresses(const Finding& finding) const;
};

/// Returns the options, which are read once from the environment. An unknown option ends the program with a
/// message.
const Options& options();

/// Returns whether a pointer contains the initial content of local variables. If an index was added, only the
/// upper half contains it.
inline bool was_never_set(std::uintptr_t address) {
  return static_cast<std::uint32_t>(address >> 32) == options().unset_bytes;
}

}  // namespace cuemu::check
