// Events for a tool that watches the program. This is the only interface through which the runtime calls the checker,
// the counters and other tools. Runtime and tools don't depend on each other's internals. Events carry views
// (views.hpp). services.hpp declares the calls from a tool to the runtime, and access_listener.hpp the events of the
// program's own code.
//
// Several tools may watch the same run. Without a tool, the only cost is the test of a pointer in rarely executed
// places. With a tool, launches run one at a time on one OS thread and threads are never preempted, so that the events
// depend on the program alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "views.hpp"

namespace cuemu {

/// Why the processor stopped a CUDA thread's kernel.
struct KernelFault {
  const char* why;                   ///< "integer division by zero"
  std::uintptr_t address;            ///< the address that the thread could not access, if is_access
  bool is_access;                    ///< the fault is an access
  bool is_known;                     ///< the address is known
  std::vector<std::uintptr_t> code;  ///< the instruction, then its callers; the outermost may be unknown
  bool is_time_limit = false;        ///< the kernel only ran for too long
};

/// Base class of tools. A tool overrides the events that it needs.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// \name Launches. The OS thread that runs the launch calls these functions at its beginning and its end.
  /// @{
  /// Returns the numbers of the blocks to run, ascending; empty: all. Called before a launch whose blocks are
  /// independent: a launch that is not cooperative and has no clusters. If several tools choose blocks, the first tool
  /// decides.
  virtual std::vector<std::uint64_t> chosen_blocks(const LaunchView&) { return {}; }
  virtual void launch_begins(const LaunchView&) {}
  virtual void launch_ends(const LaunchView&) {}
  /// CUDA refuses a launch.
  /// @param why the size and the limit that it exceeds, as a sentence without a full stop; empty: unknown
  virtual void launch_refused(const LaunchView&, cudaError_t, const std::string& /*why*/) {}
  /// Every thread of a grid that has not returned has arrived at the grid's barrier; `gone` blocks have ended.
  virtual void grid_synchronised(const LaunchView&, std::uint64_t /*gone*/) {}
  /// @}

  /// \name Blocks
  /// @{
  virtual void block_begins(BlockView) {}
  virtual void block_ends(BlockView) {}
  /// All blocks of a cluster with several blocks, in the order of ranks, have begun, but none of their threads has.
  virtual void cluster_begins(const std::vector<BlockView>&) {}
  /// Every thread of a cluster that has not returned has arrived at the cluster's barrier; `gone` blocks have ended.
  /// `by_halves` is true if threads arrived and waited separately; barrier_arrived and barrier_passed then report this.
  virtual void cluster_synchronised(const std::vector<BlockView>&, unsigned /*gone*/, bool /*by_halves*/) {}
  /// Every thread that has not returned waits at the block's barrier, and is about to continue.
  virtual void block_synchronised(BlockView) {}
  virtual void warp_synchronised(BlockView, unsigned /*warp*/, std::uint32_t /*lanes*/) {}
  /// The threads at a barrier for a part of the block are about to continue.
  virtual void group_synchronised(BlockView, const std::vector<WaitingThread>&) {}
  /// Events of a barrier for a part of the block, or of a barrier with separate arrival and wait: a thread has arrived
  /// without waiting; all expected threads have arrived; the calling thread has waited at the barrier.
  virtual void barrier_arrived(BlockView, const void* /*barrier*/, std::uint32_t /*thread*/) {}
  virtual void barrier_phase_ends(BlockView, const void* /*barrier*/) {}
  virtual void barrier_passed(BlockView, const void* /*barrier*/) {}
  /// Events of an mbarrier or cuda::barrier, in this order: the calling thread has initialised the barrier; has
  /// arrived; is about to run the completion function, because all threads have arrived; ends the phase; has waited for
  /// the end of a phase.
  virtual void mbarrier_made(BlockView, const void* /*barrier*/) {}
  virtual void mbarrier_arrived(BlockView, const void* /*barrier*/) {}
  virtual void mbarrier_filled(BlockView, const void* /*barrier*/) {}
  virtual void mbarrier_phase_ends(BlockView, const void* /*barrier*/) {}
  virtual void mbarrier_waited(BlockView, const void* /*barrier*/) {}
  /// While this is on, the calling thread's atomic operations access an mbarrier's word. The events above report the
  /// happens-before order that these operations create.
  virtual void mbarrier_counts(BlockView, bool /*on*/) {}
  /// Events of asynchronous copies: the code at `pc` of the calling thread has begun a copy; the thread has committed a
  /// batch of copies; it has waited for all its batches but the latest `prior`.
  virtual void async_copied(BlockView, const void* /*destination*/, std::size_t /*bytes*/,
                            const void* /*pc*/) {}
  virtual void async_committed(BlockView) {}
  virtual void async_waited(BlockView, std::size_t /*prior*/) {}
  /// No thread of the block can continue.
  virtual void block_deadlocked(BlockView) {}
  /// A shared variable got its offset; `description` contains its type and emucc's tag.
  virtual void shared_placed(BlockView, const char* /*description*/, std::uint32_t /*offset*/,
                             std::uint32_t /*bytes*/) {}
  /// The code at `pc` of the calling thread is about to print a text, or its first `most` bytes. Returns false if a GPU
  /// can't read the text; the call then prints nothing.
  virtual bool text_printed(const char*, std::size_t /*most*/, const void* /*pc*/) { return true; }
  /// The runtime stops the kernel because of an action of the calling thread.
  virtual void kernel_stopped(const char* /*why*/) {}
  /// The runtime stops the kernel because of a signal: an access, a division by zero, a stack overflow, the time limit.
  virtual void kernel_faulted(const KernelFault&) {}
  /// @}

  /// \name Memory, by host code or in stream order
  /// @{
  virtual void allocated(const Allocation&) {}
  /// In the latest allocation, at `memory`, a row of `width` bytes begins every `pitch` bytes.
  virtual void pitched(const void* /*memory*/, std::size_t /*width*/, std::size_t /*pitch*/) {}
  virtual void freed(const Allocation&) {}
  /// A kernel has allocated memory on the device's heap. The memory may have been used before.
  virtual void heap_given(const void*, std::size_t /*bytes*/) {}
  /// A kernel got a null pointer, because the device's heap of `capacity` bytes has no space for `bytes`.
  virtual void heap_refused(std::size_t /*bytes*/, std::size_t /*capacity*/) {}
  /// Memory of the heap was freed.
  virtual void heap_freed(const void*) {}
  /// A kernel frees a pointer that is not an allocated piece of the heap; the kernel then stops.
  virtual void heap_free_refused(const void*) {}
  virtual void free_refused(const void*) {}
  virtual void symbol_known(const char* /*name*/, VariableKind, const volatile void*, std::size_t /*bytes*/) {
  }
  /// Host code names the variable. The bytes are those of its host-side copy (host_side() of cuemu/launch.hpp).
  virtual void symbol_named_on_host(const char* /*name*/, const void*, std::size_t /*bytes*/) {}
  /// Lets a tool that numbers source locations store the number of the host's current call. Events of work that the
  /// call queues carry the number.
  virtual void call_numbered(std::uint32_t& /*place*/) {}
  /// CUDA accepts a copy, which runs now, is queued, or becomes a part of a graph.
  virtual void copy_planned(const CopyView&) {}
  virtual void copied(const CopyView&) {}
  virtual void filled(const FillView&) {}
  /// A call requests a fill with bytes; only the low 8 bits of `value` count.
  virtual void fill_asked(const FillView&, int /*value*/) {}
  virtual void copy_refused(const CopyView&, cudaError_t) {}
  virtual void fill_refused(const FillView&, cudaError_t) {}
  /// @}

  /// \name Order between streams and the host
  /// With an observer, the host continues only after its queued work has run, so that a program behaves the same in
  /// each run. These events report the order on which the program may rely.
  /// @{
  /// The host has queued an operation. `after` contains the ends of the operations that must end first, including the
  /// previous operation of the stream. A tool may store data in `end.observed`.
  virtual void operation_queued(const StreamView&, Marker& /*end*/, const std::vector<MarkerPtr>& /*after*/) {
  }
  /// The calling thread, which is the stream's thread, begins the operation.
  virtual void operation_begins(Marker& /*end*/) {}
  virtual void operation_ends() {}
  /// An operation or a graph node is about to call a host function.
  virtual void host_function_begins() {}
  /// A node begins, within the operation of a graph launch. `after` contains the positions of the node's dependencies.
  virtual void graph_node_begins(std::size_t /*place*/, const std::vector<std::size_t>& /*after*/) {}
  virtual void graph_ends() {}
  /// The latest operation, which this marker ends, does nothing but record an event.
  virtual void event_queued(const Marker&) {}
  /// An event was recorded within an operation.
  virtual void event_recorded(Marker&) {}
  /// The caller has waited for this end, or a query has returned that this end has been reached.
  virtual void waited(const Marker&) {}
  virtual void waited_for_device() {}
  /// The host reads the time between two events.
  virtual void events_compared(const Marker& /*start*/, const Marker& /*end*/) {}
  /// @}

  /// \name Kernels launched from kernels. They run after their parent's blocks have ended; on a GPU, they may run
  /// concurrently with the parent's code after the launch.
  /// @{
  /// The calling CUDA thread is about to launch this grid; its closure holds the arguments.
  virtual void child_given(const LaunchView&) {}
  /// The calling CUDA thread launches a grid, or queues a copy or a fill. child_begins() receives `kept`.
  virtual void child_launched(cudaStream_t, ToolData& /*kept*/) {}
  virtual void child_begins(const ToolData& /*kept*/) {}
  virtual void child_ends() {}
  /// All children of the grid that ran last have ended.
  virtual void children_ended() {}
  /// @}

  /// \name Errors and the end
  /// @{
  /// A host call returns an error.
  virtual void error_returned(cudaError_t) {}
  /// The host read the last error.
  virtual void error_asked() {}
  /// The program ends, and the queued output of this kernel is lost.
  virtual void output_lost(const char* /*kernel*/) {}
  /// Host code accesses device memory, or an address where no memory is mapped, and the program ends. Called in a
  /// signal handler.
  virtual void host_touched_device(std::uintptr_t /*address*/, const void* /*instruction*/) {}
  /// The program ends with this status, but without its exit handlers. A negative status is the negated number of the
  /// signal that ends the program.
  virtual void program_stops(int /*status*/) {}
  /// The program exits with this status. Returns the status that the tool requires, or 0.
  virtual int program_exits(int /*status*/) { return 0; }
  /// @}

  /// \name Queries
  /// @{
  /// Whether the tool reports a fault's location by names and lines, in the same words in each run.
  virtual bool explains_faults() const { return false; }
  /// Returns whether the tool checks each access and suppresses invalid ones. The runtime then need not stop a kernel
  /// because of an invalid address.
  virtual bool judges_accesses() const { return false; }
  /// Returns the end of the host heap block that contains an address; 0: unknown. Copies end there, too.
  virtual std::uintptr_t host_block_end(const void*) const { return 0; }
  /// Returns the value of a counter of CUDA's text profiler ("warp_serialize") for the calling OS thread's last launch;
  /// negative if it is not counted.
  virtual std::int64_t counted(const char* /*counter*/) const { return -1; }
  /// @}

  /// Returns the maximum number of unused bytes on either side of a device allocation. With them, an index that is far
  /// too large does not reach another allocation.
  virtual std::size_t device_gap() const { return 0; }
  /// Unused bytes between shared variables.
  virtual std::uint32_t shared_gap() const { return 0; }
};

/// The tools that watch, in the order of their slots, then null. Empty in programs built without a tool.
extern Observer* observers[tool_slots + 1];

inline bool is_observed() {
  return __builtin_expect(observers[0] != nullptr, 0);
}

/// Notifies every tool of an event.
template <class... Parameters, class... Arguments>
void notify(void (Observer::*event)(Parameters...), Arguments&&... arguments) {
  for (Observer* const* each = observers; *each != nullptr; ++each) ((*each)->*event)(arguments...);
}

/// Returns the largest result of all tools, but at least `none`.
template <class Number, class... Parameters, class... Arguments>
Number largest(Number none, Number (Observer::*question)(Parameters...) const, Arguments&&... arguments) {
  Number most = none;
  for (Observer* const* each = observers; *each != nullptr; ++each)
    most = std::max(most, ((*each)->*question)(arguments...));
  return most;
}

/// Returns the blocks of a launch that a tool has chosen; empty: all.
inline std::vector<std::uint64_t> chosen_blocks(const LaunchView& launch) {
  std::vector<std::uint64_t> chosen;
  for (Observer* const* each = observers; *each != nullptr && chosen.empty(); ++each)
    chosen = (*each)->chosen_blocks(launch);
  return chosen;
}

/// Returns whether a tool reports the error, so that the runtime need not.
inline bool explained_elsewhere() {
  return largest(false, &Observer::explains_faults);
}

/// Called once, at the program's exit: each tool reports. Returns the first status of a tool that is not 0, or 0.
int status_of_tools(int status);

/// Makes `tool` receive events and take part in choosing the exit status. Must be called before main().
void watch_with(Observer& tool, ToolSlot slot);

}  // namespace cuemu
