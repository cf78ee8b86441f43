// A worker runs blocks of a launch on one operating-system thread.
//
// A block's threads are fibers of its worker. When all threads of a block have yielded or wait at the grid's barrier,
// the worker parks the block and runs another block, so that blocks may wait for each other.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "busy.hpp"
#include "cuemu/named_barrier.hpp"
#include "fiber.hpp"
#include "launch_state.hpp"
#include "thread_storage.hpp"
#include "wire/stop.hpp"

namespace cuemu {

/// A barrier for a part of a block.
struct NamedBarrier {
  FiberList waiting;
  unsigned arrived = 0;
  unsigned expected = 0;
};

/// State that a signal handler saved when a signal stopped a CUDA thread.
struct Fault {
  int signal = 0;
  int code = 0;
  std::uintptr_t address = 0;
  bool address_known = true;
  std::uintptr_t instruction = 0;
  /// Return addresses: first those of the handler's frames, then those of the thread.
  void* frames[24] = {};
  int frame_count = 0;
  bool write = false;
  bool write_known = false;
  const Fiber* overflowed = nullptr;
};

/// A block with its memory.
struct Resident {
  Block block;
  WarpState warps[max_block_warps];
  unsigned char* arena = nullptr;
  ThreadStorage storage;
  FiberList
      grid_joining;  ///< threads at the grid's barrier; they do not count until the whole block has arrived
  FiberList grid_waiting;        ///< threads that wait at the grid's barrier
  std::uint32_t joining = 0;     ///< threads in grid_joining
  std::uint64_t grid_round = 0;  ///< the round in which the block last arrived
  bool has_arrived = false;   ///< the block has arrived, and its threads have not continued past that round
  bool at_grid = false;       ///< the block has arrived, and all its threads wait
  FiberList cluster_waiting;  ///< threads at the cluster's barrier
  std::uint32_t cluster_waiters = 0;
  std::uint32_t cluster_arrived =
      0;                          ///< threads that have arrived in the barrier's phase and have not returned
  bool cluster_halves = false;    ///< a thread has arrived at that barrier without waiting at once
  std::uint32_t phase_alone = 1;  ///< phase of the cluster barrier in a block without a cluster
  std::shared_ptr<RunningCluster> cluster;
  std::uint32_t yields = 0;  ///< yields since another block last ran
  bool named_used = false;   ///< a named barrier may differ from its initial state
  NamedBarrier named[named_barriers];

  Resident();
  ~Resident();
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;
};
static_assert(offsetof(Resident, block) == 0, "a block finds its resident by its own address");
inline Resident& resident_of(Block& block) {
  return reinterpret_cast<Resident&>(block);
}

class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Takes blocks of `launch` until no block is left, and runs each block to its end or until the launch is stopped.
  void work(Launch& launch);

  Fiber& scheduler() { return scheduler_; }
  FiberPool& fibers() { return fibers_; }
  /// See detail::next_whole_block.
  bool next_whole_block(Block& block);
  /// Returns the fiber on which the next unstarted thread of `block` begins.
  Fiber& fresh_fiber(Block& block);

  /// Returns the worker of the calling operating-system thread; null if it runs no kernel. Safe in signal handlers.
  static Worker* current();
  /// Returns the calling thread's worker, which the first call creates.
  static Worker& of_this_thread();

  /// Identifies the CUDA thread that ran.
  struct Turn {
    const Fiber* fiber = nullptr;
    uint3 block{0, 0, 0};
    std::uint32_t linear = 0;
    bool operator==(const Turn& other) const {
      return fiber == other.fiber && linear == other.linear && block.x == other.block.x &&
             block.y == other.block.y && block.z == other.block.z;
    }
  };
  /// The thread that ran at the last tick; only the tick handler uses it.
  Turn last_tick;
  /// The last error of each CUDA thread that has had an error.
  std::map<std::pair<const Block*, std::uint32_t>, cudaError_t> errors;
  /// Whether a tick signal is pending. Only one signal is sent at a time, because signals would queue up while the
  /// thread waits for a processor.
  std::atomic<bool> tick_sent{false};

  /// Adds the places at which threads of the first few parked blocks wait, and the number of the other parked blocks.
  void add_parked(kit_wire::Stop& stop, const Block* except) const;

  /// Top of the stack on which the report on a stopped thread is made.
  void* landing_stack() const;
  Fault fault;
  /// Nonzero while runtime code holds a lock. The thread must then not leave its stack.
  volatile std::sig_atomic_t in_runtime = 0;
  /// The number of stop signals ignored since the launch began; only the stop handler changes it.
  unsigned stops_put_off = 0;

 private:
  Resident* next_resident();
  Resident* begin_block(Launch& launch, std::uint64_t number);
  void prepare(Resident& resident);
  void begin_cluster(Launch& launch);
  void end_block(Resident& resident);
  void enter(Resident& resident);
  void abandon_all();
  void forget_errors(const Block& block);
  static bool cannot_go_on(const Resident& resident);
  static bool is_cluster_stuck(const Resident& resident);
  void report_deadlock(Resident& resident);
  void report_time_limit(Launch& launch);

  Fiber scheduler_;
  FiberPool fibers_;
  std::vector<std::unique_ptr<Resident>> idle_;
  std::deque<std::unique_ptr<Resident>> parked_;
  std::unique_ptr<Resident> running_;
  std::uint64_t chunk_next_ = 0;
  std::uint64_t chunk_end_ = 0;
  unsigned char* landing_ = nullptr;
};

/// Returns the size in bytes of the area for a block's shared variables, static and dynamic.
std::size_t arena_bytes();
/// Makes static shared memory up to `end` usable in all blocks of a cluster.
void ready_shared(Block& block, std::uint32_t end);

/// Ends the phase of the cluster's barrier and releases its waiting threads, if all threads of the cluster that have
/// not returned have arrived.
bool complete_cluster_phase(Block& block);

/// Switches to another thread of the block, or to the worker if no thread can run. The caller is in the ready list, or
/// in a list from which another thread moves it to the ready list.
void switch_away(Fiber& me);

/// True in the kernel's own code, but not in code of the emulation or of an observer that runs for a kernel.
inline bool in_kernels_code() {
  const Fiber& me = *current_fiber;
  return (me.preemptible || me.block->whole) && Worker::current()->in_runtime == 0;
}

/// Marks runtime code that holds locks while it runs on a CUDA thread.
class RuntimeSection {
 public:
  RuntimeSection() : worker_(Worker::current()) {
    if (worker_ != nullptr) worker_->in_runtime = worker_->in_runtime + 1;
  }
  ~RuntimeSection() {
    if (worker_ != nullptr) worker_->in_runtime = worker_->in_runtime - 1;
  }
  RuntimeSection(const RuntimeSection&) = delete;
  RuntimeSection& operator=(const RuntimeSection&) = delete;

 private:
  const Busy busy_;
  Worker* worker_;
};

/// Abandons the calling CUDA thread and switches to its worker, which drops the block.
[[noreturn]] void leave_thread();

}  // namespace cuemu
