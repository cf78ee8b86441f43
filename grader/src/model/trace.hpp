/// @file
/// The work of a kernel's blocks, access by access, as plain data: the input of `grader view`.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "model/grading.hpp"

namespace grader {

struct TracedArray {
  std::string name;       ///< name for the user: "P", "tile_M"; empty: unknown
  std::string on_device;  ///< name in the source: "d_P"
  std::string type;       ///< for a shared array: "float[16][16]"
  bool shared = false;
  std::size_t bytes = 0;                ///< bytes of the whole array
  std::size_t element = 4;              ///< bytes of an element
  std::vector<std::size_t> shape;       ///< a single extent if no other shape is known
  unsigned at = 0;                      ///< its address, modulo 128
  bool output = false;                  ///< whether it is the lab's result
  std::vector<std::uint32_t> expected;  ///< for the result: indices of the right values in Trace::values
  std::vector<std::size_t> wrong;       ///< for the result: positions of its wrong elements
};

struct TracedPlace {
  std::string file;  ///< relative to the submission for its own files; empty: unknown
  unsigned line = 0;
  auto operator<=>(const TracedPlace&) const = default;
};

/// A simultaneous access by one or more lanes of a warp.
struct TracedStep {
  enum class Does { read, write, atomic, warp_meets, group_meets };
  std::uint32_t warp = 0, place = 0, array = 0;
  Does does = Does::read;
  std::uint32_t lanes = 0;          ///< a bit for each lane
  std::uint32_t bytes = 0;          ///< bytes of each lane's access
  std::vector<std::int64_t> where;  ///< for each lane: byte offset in the array, which may lie outside of it
  std::vector<std::uint32_t>
      values;  ///< for each lane, the indices of its elements' values, in order; empty: unknown
  bool accesses() const { return does <= Does::atomic; }
  /// Calls visit(thread, i, offset) for each lane: the thread's linear index in the block, the lane's index
  /// in `where`, and where[i].
  template <class Visit>
  void each_lane(Visit visit) const {
    std::size_t i = 0;
    for (std::uint32_t rest = lanes; rest != 0 && i < where.size(); rest &= rest - 1, ++i)
      visit(warp * 32 + static_cast<std::uint32_t>(std::countr_zero(rest)), i, where[i]);
  }
};

/// The threads of a block as ranges of linear indices. Both ends are included.
using ThreadRanges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct TracedWait {
  std::uint32_t place = 0;
  ThreadRanges threads;
};

/// The accesses from one barrier to the next.
struct TracedPhase {
  std::string
      end;  ///< why: "barrier", "cluster", "grid", "end", "deadlock", "stopped" or "cut" (by the recorder)
  std::vector<TracedWait> waiting;
  std::vector<TracedStep> steps;  ///< the steps of a warp are in order; steps of different warps are not
};

struct TracedBlock {
  std::vector<unsigned> block;
  bool cut = false;  ///< whether its end was cut off
  std::vector<TracedPhase> phases;
};

struct TracedLaunch {
  std::uint64_t number = 0;
  std::string kernel;
  std::vector<unsigned> grid_dim, block_dim;
  std::vector<TracedBlock> blocks;  ///< the blocks that ran first
  /// The threadIdx of the thread with this linear index.
  std::array<unsigned, 3> thread(std::uint32_t linear) const {
    return {linear % block_dim[0], linear / block_dim[0] % block_dim[1],
            linear / (block_dim[0] * block_dim[1])};
  }
  std::size_t threads() const { return std::size_t{block_dim[0]} * block_dim[1] * block_dim[2]; }
  std::uint64_t blocks_in_all() const { return std::uint64_t{grid_dim[0]} * grid_dim[1] * grid_dim[2]; }
};

struct TracedSource {
  std::string file, text;
};

struct Trace {
  std::string lab, title, case_id;  ///< empty if the program belongs to no lab
  std::string program;              ///< the program's name if it belongs to no lab
  bool solution = false;
  std::vector<std::string> args;
  std::string end;                  ///< the program's failure, if any
  std::optional<Verdict> verdict;   ///< verdict of a lab's case as in `grader check`; no value without a lab
  std::string message;              ///< the verdict in a sentence; empty: passed
  bool judged = true;               ///< whether the right result is known
  bool right = true;                ///< false if the result is known to be wrong
  std::vector<std::string> values;  ///< the values' texts; the first means that memory was never written
  std::vector<TracedArray> arrays;
  std::vector<TracedPlace> places;
  std::vector<TracedSource> sources;  ///< the sources in which steps of the trace are
  std::uint64_t launches_in_all = 0;
  std::vector<TracedLaunch> launches;
  std::vector<Finding> findings;
};

/// The cost of a warp's access, as a GPU counts it.
struct AccessCost {
  unsigned sectors = 0;     ///< sectors of 32 bytes in global memory
  unsigned lines = 0;       ///< lines of 128 bytes in global memory
  unsigned wavefronts = 0;  ///< cycles of the 32 banks of shared memory; 1 without conflicts
  unsigned least = 0;       ///< sectors or wavefronts of the best access to as many bytes
};
AccessCost cost_of(const TracedStep& step, const TracedArray& array);

/// An element that one thread writes and another thread reads or writes between the same two barriers of a
/// block.
struct TracedClash {
  std::uint32_t array = 0;
  std::size_t element = 0;              ///< position in the array
  std::uint32_t writer = 0, other = 0;  ///< linear indices of the threads
  std::uint32_t writer_place = 0, other_place = 0;
  bool other_writes = false;
};
/// The clashes in a phase. Only plain accesses count. Two accesses of the same warp are no clash, since other
/// means than barriers may order its lanes.
std::vector<TracedClash> clashes_in(const TracedPhase& phase, const Trace& trace);

/// Shrinks the trace to this many bytes of JSON. Each launch gets a share, which contains its first blocks
/// and the beginning of the next block.
void shrink(Trace& trace, std::size_t bytes);

/// Sentences about the parts that a trace leaves out.
std::vector<std::string> left_out_of(const Trace& trace);

}  // namespace grader
