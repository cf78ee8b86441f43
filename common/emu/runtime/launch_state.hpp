// The state of one running launch, and a kernel's state between launches.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "cuemu/launch.hpp"
#include "preempt.hpp"
#include "views.hpp"

namespace cuemu {

/// The state of a kernel. A shared variable gets its offset when the kernel first accesses the variable.
struct KernelState {
  std::mutex mutex;
  std::unique_ptr<std::uint32_t[]> offsets;  ///< by slot; `no_offset` until placed
  std::uint32_t slots = 0;
  std::atomic<std::uint32_t> static_shared{0};
  CodeRange code;                           ///< code in which its threads may be interrupted
  std::atomic<int> max_dynamic_shared{0};   ///< opt-in limit of cudaFuncSetAttribute; 0: the default
  std::atomic<bool> large_clusters{false};  ///< cudaFuncAttributeNonPortableClusterSizeAllowed

  static constexpr std::uint32_t no_offset = 0xc0000000u;
};
KernelState& state_of(Kernel& kernel);
/// Returns the program's kernel with this code.
Kernel& kernel_of(const KernelCode& code, const KernelInfo& info);
/// Returns the size in bytes of the kernel's shared variables. Before its first run, only variables declared in its
/// body count.
std::size_t static_shared_bytes(Kernel& kernel);
/// Ensures that the kernel's table has an entry for every shared variable of the program.
void fit_offsets(KernelState& state);

/// Streams and events that a grid's threads have created. Their handles are numbers, never addresses.
struct DeviceHandles {
  std::mutex mutex;
  std::set<cudaStream_t> streams;
  std::set<cudaEvent_t> events;
  std::uintptr_t made = 0x1000;
  std::uintptr_t next() { return ++made; }
};

/// The barrier of a grid's blocks. A block arrives when all its threads that have not returned have arrived; it leaves
/// when all its threads have returned.
class BlocksBarrier {
 public:
  /// Arrives in round `round`.
  /// @return whether this arrival completes the round
  bool arrive(std::uint64_t& round);
  /// @param arrived the round in which the block last arrived without having waited; null: none
  bool leave(const std::uint64_t* arrived);
  /// Returns the number of finished rounds; when it changes, the arrived blocks may continue.
  std::uint64_t round() const { return round_.load(std::memory_order_acquire); }
  std::uint64_t blocks = 1;
  std::uint64_t gone() const { return gone_.load(); }

 private:
  bool complete();
  std::mutex mutex_;
  std::uint64_t arrived_ = 0;  ///< under the lock
  std::atomic<std::uint64_t> gone_{0};
  std::atomic<std::uint64_t> round_{0};
};

/// A running cluster: all its blocks are on one worker.
struct RunningCluster : Cluster {
  std::uint32_t phase = 1;  ///< its barrier's phase; ends when all remaining threads have arrived
  /// Whether a thread has arrived without waiting at once. There is a value for the current phase and one for the
  /// previous phase, in which some threads may still wait. Indexed by the phase's last bit.
  bool has_halves[2] = {};
  unsigned char* shared[max_cluster_blocks] =
      {};  ///< shared memory of its blocks by rank, including ended blocks
};

/// A running grid.
struct Launch : LaunchView {
  dim3 cluster{1, 1, 1};
  unsigned cluster_blocks = 1;  ///< number of a cluster's blocks, which have consecutive numbers
  std::int64_t host_ns = -1;    ///< host_ns of its plan
  int device = 0;

  // Dynamic parallelism: launches by threads of this grid. Protected by the mutex.
  Launch* parent = nullptr;
  int depth = 0;
  mutable std::mutex children_mutex;
  std::vector<std::function<int(Launch& parent)>> children;
  std::vector<std::function<int(Launch& parent)>> tails;  ///< launched into cudaStreamTailLaunch
  DeviceHandles handles;

  std::vector<std::uint64_t> chosen;  ///< the blocks that run, if a tool has chosen; empty: all
  std::uint64_t chunk = 1;            ///< blocks that a worker takes at a time; never splits a cluster
  std::atomic<std::uint64_t> next_block{0};
  BlocksBarrier grid_barrier;  ///< of cooperative launches

  std::atomic<int> error{0};          ///< the cudaError that stopped it; the first error is kept
  std::atomic<bool> spins{false};     ///< its threads were interrupted, so they may wait in loops
  std::atomic<bool> reported{false};  ///< the stop has been reported
  bool hinted = false;                ///< the monitor has reported that the launch is long-running
  std::uint64_t begun_at_half =
      0;  ///< blocks that had begun when half of the monitor's time limit had passed
  std::int64_t started_ns = 0;
  std::int64_t cpu_when_seen_ns = -1;  ///< the process's processor time when the monitor first saw the launch
  int helpers = 0;                     ///< workers besides the leader; protected by the pool's lock

  Launch() = default;
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  /// Returns the number of grids that its threads have launched, and that begin when this grid ends.
  std::size_t waiting_children() const {
    const std::lock_guard<std::mutex> lock(children_mutex);
    return children.size() + tails.size();
  }
  bool stopped() const { return error.load(std::memory_order_relaxed) != 0; }
  /// Records the error. True for the first caller, which then reports the error.
  bool stop(int reason) {
    int none = 0;
    return error.compare_exchange_strong(none, reason);
  }
  /// Returns the index of the block that runs as number `number`, [0, block_count).
  uint3 block_index(std::uint64_t number) const;
};

/// Runs a launch to its end, on the calling thread and on as many helpers as are useful. Returns the error that stopped
/// the launch, or 0.
int run_launch(Launch& launch);

/// Maximum number of operating-system threads that run blocks: one per core, or CUEMU_THREADS.
unsigned worker_threads();

}  // namespace cuemu
