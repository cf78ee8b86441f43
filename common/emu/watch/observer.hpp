// What a tool that watches the program is told: the one interface between the runtime, which simulates, and
// the checker, the counters and whoever else observes. Neither knows the other's insides: events carry views (views.hpp), and
// what a tool may ask for stands in services.hpp. Accesses of the program's own code come by access_listener.hpp.
//
// Several tools may watch the same run. Without one the runtime pays a test of a pointer in places that are rare.
// With one, launches run one at a time on one OS thread, and threads are never interrupted:
// what a tool sees follows from the program alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "views.hpp"

namespace cuemu {

/// What a CUDA thread did that stops its kernel, as the processor tells.
struct KernelFault {
  const char* why;         ///< "integer division by zero"
  std::uintptr_t address;  ///< that it could not access,
  bool is_access;          ///< if this is so,
  bool is_known;           ///< and the processor tells which it was
  std::vector<std::uintptr_t>
      code;                    ///< the instruction, and those that called it; where it began may be unknown
  bool is_time_limit = false;  ///< it did nothing but run for too long
};

/// A tool overrides the events that it needs.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// \name Launches. Begin and end come from the OS thread that runs the launch.
  /// @{
  virtual void launch_begins(const LaunchView&) {}
  virtual void launch_ends(const LaunchView&) {}
  /// A launch that CUDA refuses to run.
  /// @param why the size that is beyond a limit, with both, as a sentence without a full stop; empty: it is not known
  virtual void launch_refused(const LaunchView&, cudaError_t, const std::string& /*why*/) {}
  /// Every thread of a grid that has not returned has come to its barrier; of so many blocks all have returned.
  virtual void grid_synchronised(const LaunchView&, std::uint64_t /*gone*/) {}
  /// @}

  /// \name Blocks
  /// @{
  virtual void block_begins(BlockView) {}
  virtual void block_ends(BlockView) {}
  /// All blocks of a cluster of several have begun, and none of their threads: in the order of their ranks.
  virtual void cluster_begins(const std::vector<BlockView>&) {}
  /// Every thread of a cluster's blocks that has not returned has come to its barrier; of `gone` blocks all have returned.
  /// `by_halves`: threads have arrived, and gone on before they wait: barrier_arrived and barrier_passed tell of each.
  virtual void cluster_synchronised(const std::vector<BlockView>&, unsigned /*gone*/, bool /*by_halves*/) {}
  /// Every thread that has not returned waits at the block's barrier, and is about to go on.
  virtual void block_synchronised(BlockView) {}
  virtual void warp_synchronised(BlockView, unsigned /*warp*/, std::uint32_t /*lanes*/) {}
  /// The threads of a barrier for a part of the block are about to go on.
  virtual void group_synchronised(BlockView, const std::vector<WaitingThread>&) {}
  /// A thread has come to such a barrier, or to one in two halves, and does not wait; all have come that it expects; the calling
  /// thread has waited there for those that did not.
  virtual void barrier_arrived(BlockView, const void* /*barrier*/, std::uint32_t /*thread*/) {}
  virtual void barrier_phase_ends(BlockView, const void* /*barrier*/) {}
  virtual void barrier_passed(BlockView, const void* /*barrier*/) {}
  /// The calling thread has made an mbarrier, or a cuda::barrier; has arrived there; is about to run its completion function,
  /// since all have; ends its phase; has waited there for the end of a phase.
  virtual void mbarrier_made(BlockView, const void* /*barrier*/) {}
  virtual void mbarrier_arrived(BlockView, const void* /*barrier*/) {}
  virtual void mbarrier_filled(BlockView, const void* /*barrier*/) {}
  virtual void mbarrier_phase_ends(BlockView, const void* /*barrier*/) {}
  virtual void mbarrier_waited(BlockView, const void* /*barrier*/) {}
  /// The atomic operations of the calling thread are those on an mbarrier's word from now on, or no more: the events above tell
  /// what they order.
  virtual void mbarrier_counts(BlockView, bool /*on*/) {}
  /// The calling thread has begun an asynchronous copy, by the code at `pc`; has ended a batch of copies; has waited
  /// for all its batches but the latest `prior` ones.
  virtual void async_copied(BlockView, const void* /*destination*/, std::size_t /*bytes*/,
                            const void* /*pc*/) {}
  virtual void async_committed(BlockView) {}
  virtual void async_waited(BlockView, std::size_t /*prior*/) {}
  /// Nobody in the block can go on.
  virtual void block_deadlocked(BlockView) {}
  /// A shared variable got its place; `description` holds its type and the tag that emucc gave it.
  virtual void shared_placed(BlockView, const char* /*description*/, std::uint32_t /*offset*/,
                             std::uint32_t /*bytes*/) {}
  /// The calling thread is about to print the text at an address, or so many bytes of it, by the code at `pc`. False: a GPU can't
  /// read it, and the call prints nothing.
  virtual bool text_printed(const char*, std::size_t /*most*/, const void* /*pc*/) { return true; }
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
  /// A kernel got a null pointer, since the device's heap of `capacity` bytes has no room for so many.
  virtual void heap_refused(std::size_t /*bytes*/, std::size_t /*capacity*/) {}
  /// Memory of the heap is free again.
  virtual void heap_freed(const void*) {}
  /// A kernel frees what is no piece of the heap, or none any more; it is stopped then.
  virtual void heap_free_refused(const void*) {}
  virtual void free_refused(const void*) {}
  virtual void symbol_known(const char* /*name*/, VariableKind, const volatile void*, std::size_t /*bytes*/) {
  }
  /// Host code names the variable: what it has instead lies in these bytes (host_side() of cuemu/launch.hpp).
  virtual void symbol_named_on_host(const char* /*name*/, const void*, std::size_t /*bytes*/) {}
  /// A number for the place of the host's call that runs now, for what is done later on its behalf: a tool that
  /// numbers such places leaves it here.
  virtual void call_numbered(std::uint32_t& /*place*/) {}
  /// CUDA accepts a copy: it is done now or queued, or becomes a part of a graph.
  virtual void copy_planned(const CopyView&) {}
  virtual void copied(const CopyView&) {}
  virtual void filled(const FillView&) {}
  /// A call asks for a fill with bytes; of `value` it takes the low 8 bits.
  virtual void fill_asked(const FillView&, int /*value*/) {}
  virtual void copy_refused(const CopyView&, cudaError_t) {}
  virtual void fill_refused(const FillView&, cudaError_t) {}
  /// @}

  /// \name Order between streams and the host
  /// With an observer the host goes on only when what it queued has run, so that a program does the same each
  /// time; what it could rely on is told here.
  /// @{
  /// The host queued an operation. `after` are the ends of those that come first, of its own stream too.
  /// A tool may keep what it likes in `end.observed`.
  virtual void operation_queued(const StreamView&, Marker& /*end*/, const std::vector<MarkerPtr>& /*after*/) {
  }
  /// The calling thread, the stream's own, runs it.
  virtual void operation_begins(Marker& /*end*/) {}
  virtual void operation_ends() {}
  /// Within an operation, or a node of a graph, a function of the host's is about to be called.
  virtual void host_function_begins() {}
  /// Within the operation that is a graph's launch, its nodes begin in turn; `after` are the places of those
  /// that it depends on.
  virtual void graph_node_begins(std::size_t /*place*/, const std::vector<std::size_t>& /*after*/) {}
  virtual void graph_ends() {}
  /// The operation that was queued last with this marker does nothing but record an event.
  virtual void event_queued(const Marker&) {}
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
  /// The calling CUDA thread is about to launch this grid; its closure holds the arguments.
  virtual void child_given(const LaunchView&) {}
  /// The calling CUDA thread launches a grid, or queues a copy or a fill. What a tool keeps is handed on.
  virtual void child_launched(cudaStream_t, ToolData& /*kept*/) {}
  virtual void child_begins(const ToolData& /*kept*/) {}
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
  /// The program ends, and this kernel has printed what nobody waited for.
  virtual void output_lost(const char* /*kernel*/) {}
  /// Host code reads or writes memory of the device, and the program ends. In a signal handler.
  virtual void host_touched_device(std::uintptr_t /*address*/, const void* /*instruction*/) {}
  /// The program ends at once, without its exit handlers: with this status, or by the signal whose negative number it is.
  virtual void program_stops(int /*status*/) {}
  /// The program exits with this status: the one that the tool wants instead, or 0.
  virtual int program_exits(int /*status*/) { return 0; }
  /// @}

  /// \name What it can tell
  /// @{
  /// It tells where a fault was, by names and lines, in words that are the same in each run.
  virtual bool explains_faults() const { return false; }
  /// It judges each access, and has bad ones left out: the runtime need not stop a kernel for the address of one.
  virtual bool judges_accesses() const { return false; }
  /// Where the block of the host's heap ends in which an address lies; 0: the tool knows none there. Copies end there too.
  virtual std::uintptr_t host_block_end(const void*) const { return 0; }
  /// What a counter of CUDA's text profiler ("warp_serialize") came to in the calling OS thread's last
  /// launch; negative where it is not counted.
  virtual std::int64_t counted(const char* /*counter*/) const { return -1; }
  /// @}

  /// Bytes of the device's range that stay unused on either side of an allocation, at most: an index that is
  /// far too large shall not land in another one.
  virtual std::size_t device_gap() const { return 0; }
  /// Bytes between shared variables that belong to none.
  virtual std::uint32_t shared_gap() const { return 0; }
};

/// The tools that watch, in the order of their slots, and behind them null. None in programs that were built without one.
extern Observer* observers[tool_slots + 1];

inline bool is_observed() {
  return __builtin_expect(observers[0] != nullptr, 0);
}

/// Tells every tool of an event.
template <class... Parameters, class... Arguments>
void notify(void (Observer::*event)(Parameters...), Arguments&&... arguments) {
  for (Observer* const* each = observers; *each != nullptr; ++each) ((*each)->*event)(arguments...);
}

/// The largest answer of the tools; `none` where there are none, or none answers more.
template <class Number, class... Parameters, class... Arguments>
Number largest(Number none, Number (Observer::*question)(Parameters...) const, Arguments&&... arguments) {
  Number most = none;
  for (Observer* const* each = observers; *each != nullptr; ++each)
    most = std::max(most, ((*each)->*question)(arguments...));
  return most;
}

/// Does a tool say what went wrong, so that the runtime need not?
inline bool explained_elsewhere() {
  return largest(false, &Observer::explains_faults);
}

/// The program exits: each tool reports, and the first that wants another status decides; 0: none does. Once.
int status_of_tools(int status);

/// From now on `tool` is told, and it is asked for the status when the program ends. Before main().
void watch_with(Observer& tool, ToolSlot slot);

}  // namespace cuemu
