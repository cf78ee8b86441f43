/// @file
/// What the blocks of a kernel did, access by access, as plain data: what `grader view` draws.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/finding.hpp"

namespace grader {

struct TracedArray {
  std::string name;       ///< as people call it: "P", "tile_M"; empty: not known
  std::string on_device;  ///< as the source calls it: "d_P"
  std::string type;       ///< of a shared array: "float[16][16]"
  bool shared = false;
  std::size_t bytes = 0;                ///< of all
  std::size_t element = 4;              ///< bytes of an element
  std::vector<std::size_t> shape;       ///< one extent where no other is known
  unsigned at = 0;                      ///< its address, modulo 128
  bool output = false;                  ///< the lab's result
  std::vector<std::uint32_t> expected;  ///< of the result, by element: numbers of values; empty: not known
  std::vector<std::size_t> wrong;       ///< of the result: positions of its wrong elements
};

struct TracedPlace {
  std::string file;  ///< of the submission where it is one of its files; empty: not known
  unsigned line = 0;
  auto operator<=>(const TracedPlace&) const = default;
};

/// What some lanes of a warp do at once.
struct TracedStep {
  enum class Does { read, write, atomic, warp_meets, group_meets };
  std::uint32_t warp = 0, place = 0, array = 0;
  Does does = Does::read;
  std::uint32_t lanes = 0;  ///< a bit for each
  std::uint32_t bytes = 0;  ///< of each access
  std::vector<std::int64_t>
      where;  ///< for each lane: bytes from the array's beginning; may lie outside of it
  std::vector<std::uint32_t>
      values;  ///< for each lane its elements, in order: numbers of values; empty: not known
  bool accesses() const { return does <= Does::atomic; }
};

/// Threads of a block as ranges of linear indices, both ends included.
using ThreadRanges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct TracedWait {
  std::uint32_t place = 0;
  ThreadRanges threads;
};

/// From one barrier to the next.
struct TracedPhase {
  std::string
      end;  ///< "barrier", "cluster", "grid", "end", "deadlock", "stopped", "cut": here the recording ends
  std::vector<TracedWait> waiting;
  std::vector<TracedStep> steps;  ///< those of a warp in order; warps are not ordered
};

struct TracedBlock {
  std::vector<unsigned> block;
  bool cut = false;  ///< the end is left out
  std::vector<TracedPhase> phases;
};

struct TracedLaunch {
  std::uint64_t number = 0;
  std::string kernel;
  std::vector<unsigned> grid_dim, block_dim;
  std::vector<TracedBlock> blocks;  ///< the first that ran
  std::size_t threads() const { return std::size_t{block_dim[0]} * block_dim[1] * block_dim[2]; }
  std::uint64_t blocks_in_all() const { return std::uint64_t{grid_dim[0]} * grid_dim[1] * grid_dim[2]; }
};

struct TracedSource {
  std::string file, text;
};

struct Trace {
  std::string lab, title, case_id;  ///< of a lab's
  std::string program;              ///< of any other: its name
  bool solution = false;
  std::vector<std::string> args;
  std::string end;                  ///< how the program ended, where that was not well
  bool judged = true;               ///< it is known what the result should be
  bool right = true;                ///< false where the result is known to be wrong
  std::vector<std::string> values;  ///< texts; the first stands for what was never written
  std::vector<TracedArray> arrays;
  std::vector<TracedPlace> places;
  std::vector<TracedSource> sources;  ///< those in which places lie
  std::uint64_t launches_in_all = 0;
  std::vector<TracedLaunch> launches;
  std::vector<Finding> findings;
};

/// What a warp's access costs, as a GPU counts it.
struct AccessCost {
  unsigned sectors = 0;     ///< of 32 bytes, in global memory
  unsigned lines = 0;       ///< of 128 bytes, in global memory
  unsigned wavefronts = 0;  ///< turns that the 32 banks of shared memory need; 1 is without conflicts
  unsigned least = 0;       ///< sectors or wavefronts of the best access of as many bytes
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
/// Plain accesses alone, and no two of the same warp, whose lanes may be ordered otherwise.
std::vector<TracedClash> clashes_in(const TracedPhase& phase, const Trace& trace);

/// Leaves out what goes beyond so many bytes of JSON: every launch has its share, in which its first blocks stay, and of
/// the last of them the beginning.
void shrink(Trace& trace, std::size_t bytes);

/// What is not in it, in sentences.
std::vector<std::string> left_out_of(const Trace& trace);

}  // namespace grader
