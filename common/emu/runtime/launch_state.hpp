// One launch while it runs, and what the runtime remembers of a kernel from one launch to the next.
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

/// Kept for each kernel. Its shared variables get their offsets when the kernel first touches them.
struct KernelState {
  std::mutex mutex;
  std::unique_ptr<std::uint32_t[]> offsets;  ///< by slot; `no_offset` until placed
  std::uint32_t slots = 0;
  std::atomic<std::uint32_t> static_shared{0};
  CodeRange code;                           ///< where its threads may be interrupted
  std::atomic<int> max_dynamic_shared{0};   ///< opt-in limit of cudaFuncSetAttribute; 0: the default
  std::atomic<bool> large_clusters{false};  ///< cudaFuncAttributeNonPortableClusterSizeAllowed

  static constexpr std::uint32_t no_offset = 0xc0000000u;
};
KernelState& state_of(Kernel& kernel);
/// Bytes of the kernel's shared variables: before it has run, what its body declares is all that is known.
std::size_t static_shared_bytes(Kernel& kernel);
/// Makes sure that the kernel's table has an entry for every shared variable of the program.
void fit_offsets(KernelState& state);

/// Streams and events that a grid's threads made. Handles are numbers, never addresses.
struct DeviceHandles {
  std::mutex mutex;
  std::set<cudaStream_t> streams;
  std::set<cudaEvent_t> events;
  std::uintptr_t made = 0x1000;
  std::uintptr_t next() { return ++made; }
};

/// The barrier of a grid's blocks. A block arrives when all of its threads that have not returned have come,
/// and leaves when all have returned.
class BlocksBarrier {
 public:
  /// Arrives in the round with this number.
  /// @return whether all others were here already, so that the round is complete
  bool arrive(std::uint64_t& round);
  /// @param arrived in which round it arrived last, without having waited; none: it has not
  bool leave(const std::uint64_t* arrived);
  /// The number of finished rounds: changes when those that have arrived may go on.
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

/// A cluster that runs: its blocks are all on one worker.
struct RunningCluster : Cluster {
  std::uint32_t phase = 1;  ///< of its barrier: ends when all threads that have not returned have arrived
  /// In the phase that runs, and in the one before it, which threads may not have left yet: has one arrived without waiting at
  /// once? By the phase's last bit.
  bool has_halves[2] = {};
  unsigned char* shared[max_cluster_blocks] =
      {};  ///< memory of its blocks by rank, also of those that have ended
};

/// A grid that runs.
struct Launch : LaunchView {
  dim3 cluster{1, 1, 1};
  unsigned cluster_blocks = 1;  ///< in all; its blocks have consecutive numbers
  std::int64_t host_ns = -1;    ///< as of its plan
  int device = 0;

  // Dynamic parallelism: what threads of this grid launched, under the lock.
  Launch* parent = nullptr;
  int depth = 0;
  mutable std::mutex children_mutex;
  std::vector<std::function<int(Launch& parent)>> children;
  std::vector<std::function<int(Launch& parent)>> tails;  ///< launched into cudaStreamTailLaunch
  DeviceHandles handles;

  std::uint64_t chunk = 1;  ///< blocks that a worker takes at a time: whole clusters
  std::atomic<std::uint64_t> next_block{0};
  BlocksBarrier grid_barrier;  ///< of cooperative launches

  std::atomic<int> error{0};          ///< cudaError that stopped it; the first one wins
  std::atomic<bool> spins{false};     ///< threads of it were interrupted, and perhaps wait in loops
  std::atomic<bool> reported{false};  ///< somebody has said so
  bool hinted = false;                ///< the monitor has said that it runs for long
  std::uint64_t begun_at_half = 0;    ///< blocks that had begun at half of the monitor's patience
  std::int64_t started_ns = 0;
  std::int64_t cpu_when_seen_ns = -1;  ///< the process's processor time when the monitor saw the launch first
  int helpers = 0;                     ///< workers beside the leader; under the pool's lock

  Launch() = default;
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  /// Grids that its threads launched, which begin when it ends.
  std::size_t waiting_children() const {
    const std::lock_guard<std::mutex> lock(children_mutex);
    return children.size() + tails.size();
  }
  bool stopped() const { return error.load(std::memory_order_relaxed) != 0; }
  /// Records why the launch ends; true for the first caller, who then reports it.
  bool stop(int reason) {
    int none = 0;
    return error.compare_exchange_strong(none, reason);
  }
  /// The index of the block with this number, [0, block_count).
  uint3 block_index(std::uint64_t number) const;
};

/// Runs a launch to its end on the calling thread and as many helpers as there is work for. The error that
/// stopped it, or 0.
int run_launch(Launch& launch);

/// Operating-system threads that run blocks, at most: one per core, or CUEMU_THREADS.
unsigned worker_threads();

}  // namespace cuemu
