// What a tool that watches the program is told: the one interface between the runtime, which simulates, and
// the checker, which observes. Neither knows the other's insides.
//
// Without an observer the runtime pays a test of a pointer in places that are rare.
// With one, launches run one at a time on one OS thread, and threads are never interrupted:
// what the observer sees follows from the program alone.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cuemu/thread.hpp"
#include "driver_types.h"
#include "stream.hpp"

namespace cuemu {

struct Allocation;
struct Kernel;
struct CopyPlan;
struct FillPlan;

/// What a CUDA thread did that stops its kernel, as the processor tells.
struct KernelFault {
  const char* why;         ///< "integer division by zero"
  std::uintptr_t address;  ///< that it could not access,
  bool is_access;          ///< if this is so,
  bool is_known;           ///< and the processor tells which it was
  std::vector<std::uintptr_t>
      code;  ///< the instruction, and those that called it; where it began may be unknown
};

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// \name Launches. Begin and end come from the OS thread that runs the launch.
  /// @{
  virtual void launch_begins(Launch&) {}
  virtual void launch_ends(Launch&) {}
  /// A launch that CUDA refuses to run.
  virtual void launch_refused(const Kernel&, cudaError_t) {}
  /// Every thread of a grid has come to its barrier.
  virtual void grid_synchronised(Launch&) {}
  /// @}

  /// \name Blocks
  /// @{
  virtual void block_begins(Block&) {}
  virtual void block_ends(Block&) {}
  /// Every thread that has not returned waits in `block.barrier`, and is about to go on.
  virtual void block_synchronised(Block&) {}
  virtual void warp_synchronised(Block&, unsigned /*warp*/, std::uint32_t /*lanes*/) {}
  /// The threads of a barrier for a part of the block are about to go on.
  virtual void group_synchronised(Block&, const FiberList&) {}
  /// The calling thread has come to such a barrier and does not wait,
  /// or has waited there for those that did not.
  virtual void barrier_arrived(Block&, const void* /*barrier*/) {}
  virtual void barrier_passed(Block&, const void* /*barrier*/) {}
  /// The calling thread has begun an asynchronous copy, by the code at `pc`; has ended a batch of copies; has waited
  /// for all its batches but the latest `prior` ones.
  virtual void async_copied(Block&, const void* /*destination*/, std::size_t /*bytes*/, const void* /*pc*/) {}
  virtual void async_committed(Block&) {}
  virtual void async_waited(Block&, std::size_t /*prior*/) {}
  /// Nobody in the block can go on.
  virtual void block_deadlocked(Block&) {}
  /// A shared variable got its place; `description` holds its type and the tag that emucc gave it.
  virtual void shared_placed(Block&, const char* /*description*/, std::uint32_t /*offset*/,
                             std::uint32_t /*bytes*/) {}
  /// The runtime stops the kernel because of what the calling thread did.
  virtual void kernel_stopped(const char* /*why*/) {}
  /// The same because of a signal: an access, a division by zero, a full stack, the time limit.
  virtual void kernel_faulted(const KernelFault&) {}
  /// @}

  /// \name Memory, by host code or in a stream's order
  /// @{
  virtual void allocated(const Allocation&) {}
  /// Rows of `width` bytes begin every `pitch` bytes in what was allocated last at `memory`.
  virtual void pitched(const void* /*memory*/, std::size_t /*width*/, std::size_t /*pitch*/) {}
  virtual void freed(const Allocation&) {}
  /// A kernel got memory of the device's heap, which others may have had before.
  virtual void heap_given(const void*, std::size_t /*bytes*/) {}
  virtual void free_refused(const void*) {}
  virtual void symbol_known(const char* /*name*/, const volatile void*, std::size_t /*bytes*/) {}
  /// The same for a `__constant__` variable.
  virtual void constant_known(const char* name, const volatile void* at, std::size_t bytes) {
    symbol_known(name, at, bytes);
  }
  /// A number for the place of the host's call that runs now, for what is done later on its behalf.
  virtual std::uint32_t place_of_call() { return 0; }
  virtual void copied(const CopyPlan&) {}
  virtual void filled(const FillPlan&) {}
  virtual void copy_refused(const CopyPlan&, cudaError_t) {}
  virtual void fill_refused(const FillPlan&, cudaError_t) {}
  /// @}

  /// \name Order between streams and the host
  /// With an observer the host goes on only when what it queued has run, so that a program does the same each
  /// time; what it could rely on is told here.
  /// @{
  /// The host queued an operation. `after` are the ends of those that come first, of its own stream too.
  /// The observer may keep what it likes in `end.observed`.
  virtual void operation_queued(const Stream&, Marker& /*end*/, const std::vector<MarkerPtr>& /*after*/) {}
  /// The calling thread, the stream's own, runs it.
  virtual void operation_begins(Marker& /*end*/) {}
  virtual void operation_ends() {}
  /// Within the operation that is a graph's launch, its nodes begin in turn; `after` are the places of those
  /// that it depends on.
  virtual void graph_node_begins(std::size_t /*place*/, const std::vector<std::size_t>& /*after*/) {}
  virtual void graph_ends() {}
  /// An event was recorded in the midst of an operation.
  virtual void event_recorded(Marker&) {}
  /// Who calls has waited, or has asked and was told that it is done.
  virtual void waited(const Marker&) {}
  virtual void waited_for_device() {}
  /// The host asks for the time between two events.
  virtual void events_compared(const Marker& /*start*/, const Marker& /*end*/) {}
  /// @}

  /// \name Kernels launched from kernels. They run when their parent's blocks have ended; what the parent does behind
  /// the launch could come at the same time.
  /// @{
  /// The calling CUDA thread launches a grid, or queues a copy or a fill. What is returned is handed on.
  virtual std::shared_ptr<void> child_launched(cudaStream_t) { return nullptr; }
  virtual void child_begins(const std::shared_ptr<void>& /*launched*/) {}
  virtual void child_ends() {}
  /// All that the grid that ran last had launched is over.
  virtual void children_ended() {}
  /// @}

  /// \name Errors and the end
  /// @{
  /// A call of the host's returns an error.
  virtual void error_returned(cudaError_t) {}
  /// The host asked for the last error.
  virtual void error_asked() {}
  /// Host code reads or writes memory of the device, and the program ends. In a signal handler.
  virtual void host_touched_device(std::uintptr_t /*address*/, const void* /*instruction*/) {}
  /// The program ends at once, without its exit handlers.
  virtual void program_stops() {}
  /// @}

  /// \name What it can tell
  /// @{
  /// It tells where a fault was, by names and lines, in words that are the same in each run.
  virtual bool explains_faults() const { return false; }
  /// What a counter of CUDA's text profiler ("warp_serialize") came to in the calling OS thread's last
  /// launch; negative where it is not counted.
  virtual std::int64_t counted(const char* /*counter*/) { return -1; }
  /// @}

  /// Bytes of the device's range that stay unused on either side of an allocation, at most: an index that is
  /// far too large shall not land in another one.
  virtual std::size_t device_gap() const { return 0; }
  /// Bytes between shared variables that belong to none.
  virtual std::uint32_t shared_gap() const { return 0; }
};

/// The one observer; null in programs that were built without `emucc --check` and `--counters`. Set before main().
extern Observer* observer;

inline bool is_observed() {
  return __builtin_expect(observer != nullptr, 0);
}

}  // namespace cuemu
