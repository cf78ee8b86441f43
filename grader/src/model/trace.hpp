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
  std::string name;       ///< user-visible name: "P", "tile_M"; empty: unknown
  std::string on_device;  ///< name in the source: "d_P"
  std::string type;       ///< for a shared array: "float[16][16]"
  bool shared = false;
  std::size_t bytes = 0;                ///< of all
  std::size_t element = 4;              ///< bytes of an element
  std::vector<std::size_t> shape;       ///< one extent if no other is known
  unsigned at = 0;                      ///< its address, modulo 128
  bool output = false;                  ///< the lab's result
  std::vector<std::uint32_t> expected;  ///< for the result, by element: numbers of values; empty: unknown
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
  std::uint32_t lanes = 0;          ///< a bit for each
  std::uint32_t bytes = 0;          ///< of each access
  std::vector<std::int64_t> where;  ///< for each lane: byte offset in the array; may lie outside of it
  std::vector<std::uint32_t>
      values;  ///< for each lane its elements, in order: numbers of values; empty: unknown
  bool accesses() const { return does <= Does::atomic; }
  /// Calls visit(thread, i, offset) for each lane, with its linear index in the block, its index in `where`, and
  /// where[i].
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
      end;  ///< "barrier", "cluster", "grid", "end", "deadlock", "stopped", "cut": here the recording ends
  std::vector<TracedWait> waiting;
  std::vector<TracedStep> steps;  ///< the steps of one warp are in order; warps are unordered
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
  std::vector<TracedBlock> blocks;  ///< the first that ran
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
  std::string lab, title, case_id;  ///< for a lab
  std::string program;              ///< for any other program: its name
  bool solution = false;
  std::vector<std::string> args;
  std::string end;                  ///< the program's failure, if any
  std::optional<Verdict> verdict;   ///< of a lab's case, as of `grader check`; none: of no lab
  std::string message;              ///< the verdict in a sentence; empty: passed
  bool judged = true;               ///< the right result is known
  bool right = true;                ///< false if the result is known to be wrong
  std::vector<std::string> values;  ///< texts; the first means never written
  std::vector<TracedArray> arrays;
  std::vector<TracedPlace> places;
  std::vector<TracedSource> sources;  ///< those with places in the trace
  std::uint64_t launches_in_all = 0;
  std::vector<TracedLaunch> launches;
  std::vector<Finding> findings;
};

/// The cost of a warp's access, as a GPU counts it.
struct AccessCost {
  unsigned sectors = 0;     ///< of 32 bytes, in global memory
  unsigned lines = 0;       ///< of 128 bytes, in global memory
  unsigned wavefronts = 0;  ///< cycles of the 32 banks of shared memory; 1 without conflicts
  unsigned least = 0;       ///< sectors or wavefronts of the best access to the same number of bytes
};
AccessCost cost_of(const TracedStep& step, const TracedArray& array);

/// An element that one thread writes and another reads or writes between the same two barriers of a block.
struct TracedClash {
  std::uint32_t array = 0;
  std::size_t element = 0;              ///< its position
  std::uint32_t writer = 0, other = 0;  ///< threads, linear
  std::uint32_t writer_place = 0, other_place = 0;
  bool other_writes = false;
};
/// The clashes in a phase. Only plain accesses count, and no two of the same warp, whose lanes may be ordered by
/// other means.
std::vector<TracedClash> clashes_in(const TracedPhase& phase, const Trace& trace);

/// Shrinks the trace to this many bytes of JSON. Every launch has a share, which contains its first blocks and the
/// beginning of the next block.
void shrink(Trace& trace, std::size_t bytes);

/// The omissions of a trace, in sentences.
std::vector<std::string> left_out_of(const Trace& trace);

}  // namespace grader
