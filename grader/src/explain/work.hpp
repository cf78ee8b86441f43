/// @file
/// What a launch did, as the emulation counted it, in plain numbers. limits.hpp predicts times from them.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "counter_names.hpp"

namespace grader {

/// An enumerator for each counter (common/emu/counters/counter_names.hpp).
enum class Counter : unsigned {
#define GRADER_COUNTER(name) name,
  CUEMU_COUNTERS(GRADER_COUNTER)
#undef GRADER_COUNTER
};
inline constexpr std::size_t counter_count = std::size(cuemu::counters::counter_names);

struct Counts {
  std::array<double, counter_count> values{};
  double& operator[](Counter counter) { return values[static_cast<unsigned>(counter)]; }
  double operator[](Counter counter) const { return values[static_cast<unsigned>(counter)]; }
  Counts& operator+=(const Counts& other);
  Counts& operator-=(const Counts& other);
  Counts& operator*=(double factor);
};

/// Arithmetic instructions of warps, by the pipe that runs them.
struct Mix {
  double fp32 = 0;     ///< a multiplication and an addition after it count as one
  double fp64 = 0;     ///< likewise
  double integer = 0;  ///< integer arithmetic and comparisons
  double special = 0;  ///< reciprocals, square roots, sines: the special function unit
  double flops = 0;    ///< floating-point operations; a multiply-add counts as two
  Mix& operator+=(const Mix& other);
  Mix operator*(double factor) const;
};

struct WorkLine {
  std::string file, text;
  int line = 0;
  int accesses = 1;  ///< number of accesses in the line's code
  Counts counts;     ///< counts over all its executions
};

/// Launches of one kernel with the same grid and block.
struct KernelWork {
  std::string kernel;
  double launches = 1;
  double blocks = 1;          ///< blocks of a launch
  double counted_blocks = 1;  ///< blocks of all launches that `counts`, `mix` and `lines` cover
  int threads = 32;           ///< threads of a block
  std::uint64_t shared = 0;   ///< shared memory of a block, bytes
  int registers = 32;         ///< registers of a thread
  double loaded_bytes = 0;    ///< bytes of the allocations from which a launch loads
  double stored_bytes = 0;
  Counts counts;
  Mix mix;
  std::vector<WorkLine> lines;

  int warps_of_block() const { return (threads + 31) / 32; }
  double warps() const { return blocks * warps_of_block(); }  ///< warps of a launch
  /// The number of a launch's blocks divided by the number of counted blocks. Counts times this factor are
  /// those of the whole launch.
  double scale() const { return blocks / counted_blocks; }
  bool is_sampled() const { return counted_blocks < blocks * launches; }  ///< whether some blocks did not run
};

}  // namespace grader
