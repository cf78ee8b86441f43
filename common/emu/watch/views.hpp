// Views of launches, blocks, memory and streams. Views contain the facts on which tools may rely, without the runtime's
// internal state. Some views are the public base of a structure of the runtime; tools can't change them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cuemu/launch.hpp"
#include "cuemu/thread.hpp"
#include "driver_types.h"

namespace cuemu {

/// Each tool's data on an object of the runtime, with the object's lifetime.
struct ToolData {
  std::shared_ptr<void> of[tool_slots];
  std::shared_ptr<void>& operator[](ToolSlot slot) { return of[static_cast<unsigned>(slot)]; }
  const std::shared_ptr<void>& operator[](ToolSlot slot) const { return of[static_cast<unsigned>(slot)]; }
};

/// A running grid.
struct LaunchView {
  Kernel* kernel = nullptr;  ///< its name is `kernel->info.name`
  dim3 grid{1, 1, 1};
  dim3 block{1, 1, 1};
  std::size_t dynamic_shared = 0;
  void* closure = nullptr;  ///< the kernel's arguments, `kernel->closure_bytes` of them
  std::uint64_t block_count = 1;
  bool is_child = false;     ///< a kernel has launched it
  bool cooperative = false;  ///< all its blocks run at the same time, and share the grid's barrier
};

/// A waiting CUDA thread.
struct WaitingThread {
  enum class For { block, lanes, group, grid, cluster } what = For::block;
  std::uint32_t thread = 0;  ///< linear index in its block
  std::uint32_t mask = 0;    ///< `lanes`: the lanes that it waits for
  SourceLine where;          ///< of its call; no file: unknown
};

/// Sets of a warp's lanes, with one bit for each lane.
struct LaneMasks {
  std::uint32_t populated;  ///< lanes that exist
  std::uint32_t returned;
  std::uint32_t active() const { return populated & ~returned; }
};

/// Number of unused bytes before and after the shared memory of a block.
inline constexpr std::size_t shared_guard_bytes = 64 * 1024;
/// A block's shared memory: variables of a known size, then the launch's dynamic part.
struct SharedRange {
  std::uintptr_t begin, dynamic_begin;
  std::size_t bytes;          ///< of both parts, rounded up
  std::size_t dynamic_bytes;  ///< bytes of the dynamic part, as the launch specified
};

/// A running block. Views may be kept and compared while the block lives.
class BlockView {
 public:
  explicit BlockView(Block& block) : block_(&block) {}

  bool operator==(const BlockView& other) const { return block_ == other.block_; }
  bool operator<(const BlockView& other) const { return std::less<>()(block_, other.block_); }

  const LaunchView& launch() const;
  const uint3& index() const { return block_->block_index; }
  const dim3& dim() const { return block_->block_dim; }
  const dim3& grid_dim() const { return block_->grid_dim; }
  /// Returns the block's number within its grid, x first.
  std::uint64_t number() const {
    return index().x + grid_dim().x * (index().y + std::uint64_t{grid_dim().y} * index().z);
  }
  std::uint32_t threads() const { return block_->thread_count; }
  std::uint32_t returned() const { return block_->finished; }
  unsigned warps() const { return (block_->thread_count + warp_width - 1) / warp_width; }
  LaneMasks lanes(unsigned warp) const { return {block_->warps[warp].populated, block_->warps[warp].exited}; }
  SharedRange shared() const;
  /// Returns the beginning of the runtime's state of the block, which is not the program's memory.
  std::uintptr_t own_begin() const { return reinterpret_cast<std::uintptr_t>(block_); }
  std::size_t own_bytes() const;

  /// Calls `visit(thread, where)` for each thread that waits at the block's barrier, in the order of arrival.
  template <class Visit>
  void each_at_barrier(const Visit& visit) const {
    for (const Fiber* fiber = block_->barrier.waiting.head; fiber != nullptr; fiber = fiber->next)
      visit(fiber->linear, fiber->where);
  }
  /// Returns whether these threads may wait at several lines. (If a header contains the line, the result may be true
  /// although all threads wait at that line, because the header's file name may have several addresses.)
  bool is_apart_at_barrier() const { return block_->barrier.apart; }
  /// Returns the location at which the first of these threads waits; null if none waits.
  const SourceLine* first_at_barrier() const {
    return block_->barrier.waiting.empty() ? nullptr : &block_->barrier.waiting.head->where;
  }
  /// Returns the location where a lane waits for others of its warp; null if it doesn't wait.
  const SourceLine* at_warp_barrier(unsigned warp, unsigned lane) const {
    const Fiber* const fiber = block_->warps[warp].waiting[lane];
    return fiber != nullptr ? &fiber->where : nullptr;
  }
  /// Returns the location where a thread of the block waits for the grid, or for a cluster of several blocks; null if
  /// none waits.
  const SourceLine* first_at_grid_barrier() const;
  const SourceLine* first_at_cluster_barrier() const;
  /// Identifies the cluster's barrier in barrier_arrived and related events; null: the block is not in a cluster of
  /// several blocks.
  const void* cluster_barrier() const { return block_->cluster; }
  /// Returns all waiting threads: first the threads at the block's barrier, in the order of arrival, and then the
  /// threads that wait for lanes of their warp, for a group or for the grid.
  std::vector<WaitingThread> waiting() const;

  /// Returns the data that a tool keeps for the block.
  template <class State>
  State* data(ToolSlot slot) const {
    return static_cast<State*>(block_->observed[static_cast<unsigned>(slot)]);
  }
  void set_data(ToolSlot slot, void* state) const { block_->observed[static_cast<unsigned>(slot)] = state; }

 private:
  Block* block_;
};

/// \name The calling thread
/// Its block belongs to the running kernel; host code has a stand-in block without data of the tools.
/// @{
inline BlockView this_block() {
  return BlockView(*current_fiber->block);
}
/// Returns a tool's data of the thread.
template <class State>
State* thread_data(ToolSlot slot) {
  return static_cast<State*>(current_fiber->observed[static_cast<unsigned>(slot)]);
}
inline void set_thread_data(ToolSlot slot, void* state) {
  current_fiber->observed[static_cast<unsigned>(slot)] = state;
}
/// True for an address in a thread's stack.
inline bool is_on_stack(const Fiber& fiber, std::uintptr_t address) {
  const auto stack = reinterpret_cast<std::uintptr_t>(fiber.stack_low);
  return address - stack < reinterpret_cast<std::uintptr_t>(&fiber) - stack;
}
/// @}

enum class MemoryKind { device, managed, pinned, registered };

struct Allocation {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  std::uint64_t number = 0;  ///< 1 for the program's first allocation
  unsigned flags = 0;
  int device = 0;
  bool contains(std::uintptr_t address) const { return address >= begin && address - begin < bytes; }
};

/// A box of bytes: `width` bytes, `height` rows, `depth` slices.
struct Box {
  std::size_t width = 0, height = 1, depth = 1;
  std::size_t bytes() const { return width * height * depth; }
};

/// The position of a box in memory.
struct Place {
  unsigned char* at = nullptr;
  std::size_t row = 0;    ///< bytes from one row to the next
  std::size_t slice = 0;  ///< bytes from one slice to the next
};

/// Returns the number of a row's bytes before `end`; all of them if `end` is 0.
inline std::size_t bytes_before(std::uintptr_t end, const unsigned char* row, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(row);
  if (end == 0 || (begin < end && bytes <= end - begin)) return bytes;
  return begin < end ? end - begin : 0;
}

/// A copy of a box of bytes, with its resolved direction.
struct CopyView {
  Place to, from;
  Box box;
  cudaMemcpyKind direction = cudaMemcpyHostToHost;
  std::uint32_t asked_at = 0;  ///< a tool's number of the host call; 0: none
};

/// A fill of a box with a value of 1, 2 or 4 bytes; the box's width is in bytes.
struct FillView {
  Place to;
  unsigned value = 0;
  unsigned element = 1;
  Box box;
  std::uint32_t asked_at = 0;  ///< as for a copy
};

/// A stream.
struct StreamView {
  unsigned long long number;
  bool is_legacy;     ///< the default stream
  bool non_blocking;  ///< does not wait for the default stream
};

/// The end of one operation of a stream: other operations wait for it, and events record it.
struct Marker {
  std::atomic<bool> done{false};
  std::int64_t time_ns = 0;  ///< valid when done
  ToolData observed;
};
using MarkerPtr = std::shared_ptr<Marker>;

}  // namespace cuemu
