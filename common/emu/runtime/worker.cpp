#include "worker.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "code_lines.hpp"
#include "device.hpp"
#include "faults.hpp"
#include "observer.hpp"
#include "report.hpp"
#include "thread_pool.hpp"

namespace cuemu {

namespace {

constexpr std::size_t landing_bytes =
    1024 * 1024;  ///< tools read debug information on this stack, for which libdw takes 200 KiB
constexpr std::size_t static_arena = 48 * 1024;

// Stand-ins for host code's fiber and block: their indices are zero, and they have no launch.
Block host_block;
Fiber host_fiber = [] {
  Fiber fiber;
  fiber.block = &host_block;
  return fiber;
}();

thread_local std::unique_ptr<Worker> this_worker;
__thread Worker* current_worker = nullptr;

std::size_t page_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Fills shared memory with NaNs, so that reads of unwritten memory become visible. These NaNs differ from the NaNs in
/// device memory. Arithmetic preserves them, so a result shows which kind of memory was read.
void poison(unsigned char* memory, std::size_t begin, std::size_t end) {
  constexpr std::uint32_t word = 0x7fffbeadu;
  for (std::size_t i = (begin + 3) / 4 * 4; i + 4 <= (end + 3) / 4 * 4; i += 4)
    std::memcpy(memory + i, &word, 4);
}

/// The greatest alignment that the program declares for dynamic shared memory.
std::atomic<std::size_t> dynamic_alignment{16};

std::size_t dynamic_bytes(const Launch& launch) {
  return (launch.dynamic_shared + 15) / 16 * 16;
}

void poison_shared(Block& block, const KernelState& state, std::size_t dynamic) {
  block.shared_ready = state.static_shared.load(std::memory_order_relaxed);
  poison(block.shared, 0, block.shared_ready);
  poison(block.dynamic_shared, 0, dynamic);
}

/// Main function of every fiber: runs threads of its block, then any ready thread of that block.
void fiber_main() {
  entered_fiber();
  for (;;) {
    Fiber& me = *current_fiber;
    Block& block = *me.block;
    block.kernel->run_threads(block);
    me.promoted = false;
    block.worker->fibers().give_back(me);
    Fiber* const next = block.ready.pop();
    switch_fiber(me, next != nullptr ? *next : block.worker->scheduler());
  }
}

}  // namespace

__thread Fiber* current_fiber = &host_fiber;

namespace detail {
bool align_dynamic_shared(std::size_t alignment) {
  std::size_t before = dynamic_alignment.load();
  while (before < alignment && !dynamic_alignment.compare_exchange_weak(before, alignment)) {
  }
  return true;
}
}  // namespace detail

std::size_t arena_bytes() {
  const std::size_t dynamic = device_profile().shared_per_block_optin;
  return (static_arena + dynamic + page_bytes() - 1) / page_bytes() * page_bytes();
}

void ready_shared(Block& block, std::uint32_t end) {
  const auto grow = [&](Block& one) {
    if (one.shared_ready >= end) return;
    poison(one.shared, one.shared_ready, end);
    one.shared_ready = end;
  };
  grow(block);
  // Other blocks may write to a block's variable before the block touches it.
  if (block.cluster != nullptr)
    for (Block* const member : block.cluster->blocks)
      if (member != nullptr) grow(*member);
}

Resident::Resident() {
  void* const memory = mmap(nullptr, arena_bytes() + 2 * shared_guard_bytes, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fatal("no memory is left for a block's shared memory");
  arena = static_cast<unsigned char*>(memory) + shared_guard_bytes;
  mprotect(arena, arena_bytes(), PROT_READ | PROT_WRITE);
  block.warps = warps;
}

Resident::~Resident() {
  munmap(arena - shared_guard_bytes, arena_bytes() + 2 * shared_guard_bytes);
}

Worker::Worker() : fibers_(&fiber_main) {
  scheduler_.block = &host_block;
  adopt_thread_stack(scheduler_);
  void* const memory = mmap(nullptr, landing_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fatal("no memory is left for a worker's stack");
  landing_ = static_cast<unsigned char*>(memory);
}

Worker::~Worker() {
  current_worker = nullptr;
  munmap(landing_, landing_bytes);
}

Worker* Worker::current() {
  return current_worker;
}

Worker& Worker::of_this_thread() {
  if (this_worker == nullptr) this_worker = std::make_unique<Worker>();
  return *this_worker;
}

void* Worker::landing_stack() const {
  return landing_ + landing_bytes - 64;
}

Fiber& Worker::fresh_fiber(Block& block) {
  Fiber* const fiber = fibers_.take();
  if (fiber == nullptr)
    stop_kernel(cudaErrorMemoryAllocation, "no memory is left for the stacks of its threads");
  fiber->block = &block;
  fiber->promoted = false;
  return *fiber;
}

Resident* Worker::begin_block(Launch& launch, std::uint64_t number) {
  if (idle_.empty()) idle_.push_back(std::make_unique<Resident>());
  std::unique_ptr<Resident> resident = std::move(idle_.back());
  idle_.pop_back();

  Block& block = resident->block;
  block.block_index = launch.block_index(number);
  block.block_dim = launch.block;
  block.grid_dim = launch.grid;
  block.launch = &launch;
  block.worker = this;
  block.cooperative = launch.cooperative;
  block.thread_count = launch.block.x * launch.block.y * launch.block.z;
  block.cluster = nullptr;
  block.cluster_rank = 0;
  prepare(*resident);
  notify(&Observer::block_begins, BlockView(block));
  running_ = std::move(resident);
  return running_.get();
}

/// Prepares a block before its first thread begins.
void Worker::prepare(Resident& resident) {
  Block& block = resident.block;
  block.kernel = block.launch->kernel;
  KernelState& state = state_of(*block.kernel);
  block.next_thread = 0;
  block.next_index = {0, 0, 0};
  block.finished = 0;
  block.whole = false;
  block.ready = {};
  block.barrier = {};
  block.warp_waiters = block.outer_waiters = 0;
  block.shared = resident.arena;
  block.shared_offset = state.offsets.get();
  const std::size_t dynamic = dynamic_bytes(*block.launch);
  const std::size_t begin = arena_bytes() - dynamic;
  block.dynamic_shared = resident.arena + begin - begin % dynamic_alignment.load(std::memory_order_relaxed);
  poison_shared(block, state, dynamic);
  for (unsigned warp = 0, left = block.thread_count; left > 0; ++warp) {
    const unsigned lanes = std::min(left, warp_width);
    resident.warps[warp].populated = lanes == warp_width ? ~0u : (1u << lanes) - 1;
    resident.warps[warp].exited = resident.warps[warp].arrived = resident.warps[warp].released = 0;
    left -= lanes;
  }
  resident.grid_joining = resident.grid_waiting = resident.cluster_waiting = {};
  resident.joining = resident.cluster_waiters = resident.cluster_arrived = 0;
  resident.has_arrived = resident.at_grid = resident.cluster_halves = false;
  if (resident.named_used) {
    std::fill(std::begin(resident.named), std::end(resident.named), NamedBarrier{});
    resident.named_used = false;
  }
  resident.yields = 0;
}

/// Begins and parks all blocks of the next cluster.
void Worker::begin_cluster(Launch& launch) {
  const auto cluster = std::make_shared<RunningCluster>();
  cluster->dim = launch.cluster;
  std::uint32_t ready = 0;
  std::vector<BlockView> members;
  for (unsigned rank = 0; rank < launch.cluster_blocks; ++rank) {
    Resident& resident = *begin_block(launch, chunk_next_++);
    resident.cluster = cluster;
    resident.block.cluster = cluster.get();
    resident.block.cluster_rank = rank;
    cluster->blocks[rank] = &resident.block;
    cluster->shared[rank] = resident.block.shared;
    ready = std::max(ready, resident.block.shared_ready);
    members.emplace_back(resident.block);
    parked_.push_back(std::move(running_));
  }
  ready_shared(*cluster->blocks[0], ready);
  notify(&Observer::cluster_begins, members);
}

void Worker::end_block(Resident& resident) {
  Launch& launch = *resident.block.launch;
  if (launch.cooperative && launch.grid_barrier.leave(resident.has_arrived ? &resident.grid_round : nullptr))
    notify(&Observer::grid_synchronised, launch, launch.grid_barrier.gone());
  if (resident.cluster != nullptr) {
    complete_cluster_phase(resident.block);
    resident.cluster->blocks[resident.block.cluster_rank] = nullptr;
    resident.cluster = nullptr;
  }
  notify(&Observer::block_ends, BlockView(resident.block));
  if (!errors.empty()) forget_errors(resident.block);
  idle_.push_back(std::move(running_));
}

bool Worker::next_whole_block(Block& block) {
  Launch& launch = *block.launch;
  if (block.cluster != nullptr || !launch.chosen.empty()) return false;
  if (chunk_next_ == chunk_end_ || !parked_.empty() || launch.cooperative || launch.stopped() ||
      !errors.empty())
    return false;
  ++chunk_next_;
  if (++block.block_index.x == launch.grid.x) {
    block.block_index.x = 0;
    if (++block.block_index.y == launch.grid.y) {
      block.block_index.y = 0;
      ++block.block_index.z;
    }
  }
  poison_shared(block, state_of(*block.kernel), dynamic_bytes(launch));
  return true;
}

namespace {
/// Returns whether the block waits at the grid's barrier for other blocks.
bool is_round_open(const Resident& resident) {
  return resident.at_grid && resident.block.launch->grid_barrier.round() == resident.grid_round;
}
}  // namespace

/// Returns whether threads of other blocks must run before any thread of the block can run.
bool Worker::cannot_go_on(const Resident& resident) {
  const Block& block = resident.block;
  return block.ready.empty() && block.next_thread >= block.thread_count;
}

/// Returns whether no thread of the cluster can continue, whatever blocks of other clusters do. Some threads wait for
/// the cluster. If others wait at the grid's barrier, threads that have not arrived there prevent its completion.
bool Worker::is_cluster_stuck(const Resident& resident) {
  const Cluster* const cluster = resident.block.cluster;
  if (cluster == nullptr) return !resident.at_grid;
  bool holds_up = false, at_grid = false;
  for (Block* const block : cluster->blocks) {
    if (block == nullptr) continue;
    const Resident& member = resident_of(*block);
    if (!cannot_go_on(member) || (member.at_grid && !is_round_open(member))) return false;
    at_grid |= member.at_grid;
    holds_up |= !member.at_grid && !member.has_arrived;
  }
  return !at_grid || holds_up;
}

/// Returns the next block to run. New and parked blocks alternate, so that the number of parked blocks grows only if
/// they really wait.
Resident* Worker::next_resident() {
  for (std::size_t tries = parked_.size(); tries > 0; --tries) {
    std::unique_ptr<Resident> resident = std::move(parked_.front());
    parked_.pop_front();
    if (resident->at_grid && !is_round_open(*resident)) {
      resident->at_grid = resident->has_arrived = false;
      resident->block.outer_waiters = 0;
      resident->block.ready.splice(resident->grid_waiting);
    }
    if (cannot_go_on(*resident)) {
      parked_.push_back(std::move(resident));
      continue;
    }
    running_ = std::move(resident);
    return running_.get();
  }
  return nullptr;
}

void Worker::enter(Resident& resident) {
  Fiber* next = resident.block.ready.pop();
  if (next == nullptr) {
    next = fibers_.take();
    if (next == nullptr) {
      if (resident.block.launch->stop(cudaErrorMemoryAllocation)) {
        kit_wire::Stop stop;
        stop.reason = kit_wire::Reason::no_memory;
        stop.why = "no memory is left for the stacks of its threads";
        report_stop(*resident.block.launch, std::move(stop));
      }
      return;
    }
    next->block = &resident.block;
    next->promoted = false;
  }
  switch_fiber(scheduler_, *next);
}

void Worker::work(Launch& launch) {
  Fiber* const outer = current_fiber;
  Worker* const outer_worker = current_worker;
  current_fiber = &scheduler_;
  current_worker = this;
  tick_sent.store(false, std::memory_order_relaxed);
  stops_put_off = 0;
  std::size_t parked_turns = 0;  // number of parked blocks that run before the next new block begins
  chunk_next_ = chunk_end_ = 0;
  while (!launch.stopped()) {
    Resident* resident = nullptr;
    bool fresh_turn = false;
    if (parked_turns > 0) resident = next_resident();
    if (resident == nullptr) {
      if (chunk_next_ == chunk_end_) {
        chunk_next_ = launch.next_block.fetch_add(launch.chunk, std::memory_order_relaxed);
        chunk_end_ = std::min(chunk_next_ + launch.chunk, launch.block_count);
        if (chunk_next_ >= chunk_end_) chunk_next_ = chunk_end_ = 0;
      }
      if (chunk_next_ < chunk_end_) {
        if (launch.cluster_blocks > 1)
          begin_cluster(launch);
        else
          resident = begin_block(launch, chunk_next_++);
      }
      fresh_turn = true;
    }
    if (resident == nullptr) resident = next_resident();
    if (resident == nullptr) {
      if (parked_.empty()) break;
      const auto stuck = std::find_if(parked_.begin(), parked_.end(),
                                      [](const auto& one) { return is_cluster_stuck(*one); });
      if (stuck != parked_.end()) {
        report_deadlock(**stuck);
        break;
      }
      sched_yield();  // all blocks wait at the grid's barrier for blocks of other workers
      continue;
    }
    enter(*resident);
    if (launch.stopped()) break;

    Block& block = resident->block;
    // A thread that never waits does not check which threads wait for it.
    if (resident->cluster_waiters != 0 || block.cluster != nullptr) complete_cluster_phase(block);
    const unsigned left = block.thread_count - block.finished;
    const unsigned at_grid = block.outer_waiters - resident->cluster_waiters;
    const auto arrive_at_grid = [&] {
      resident->has_arrived = true;
      if (launch.grid_barrier.arrive(resident->grid_round))
        notify(&Observer::grid_synchronised, launch, launch.grid_barrier.gone());
    };
    if (block.finished == block.thread_count) {
      end_block(*resident);
    } else if (!block.ready.empty()) {
      if (parked_.empty()) sched_yield();
      parked_.push_back(std::move(running_));
    } else if (resident->joining != 0 && at_grid == left) {
      arrive_at_grid();
      block.outer_waiters -= std::exchange(resident->joining, 0);
      block.ready.splice(resident->grid_joining);
      parked_.push_back(std::move(running_));
    } else if (resident->joining == 0 && at_grid == left) {
      resident->at_grid = true;
      if (!resident->has_arrived) arrive_at_grid();
      parked_.push_back(std::move(running_));
      if (is_cluster_stuck(*resident)) {
        report_deadlock(*resident);
        break;
      }
    } else if (resident->cluster_waiters != 0 && !is_cluster_stuck(*resident)) {
      parked_.push_back(std::move(running_));
    } else {
      report_deadlock(*resident);
      break;
    }
    parked_turns = fresh_turn ? launch.cluster_blocks : parked_turns - 1;
    if (parked_.empty()) parked_turns = 0;
  }
  if (launch.stopped()) {
    report_time_limit(launch);
    abandon_all();
  }
  current_fiber = outer;
  current_worker = outer_worker;
}

void Worker::forget_errors(const Block& block) {
  for (auto error = errors.begin(); error != errors.end();)
    error = error->first.first == &block ? errors.erase(error) : std::next(error);
}

void Worker::abandon_all() {
  errors.clear();
  if (running_ != nullptr) fibers_.abandon(running_->block);
  for (const auto& resident : parked_) fibers_.abandon(resident->block);
  running_.reset();
  parked_.clear();
  chunk_next_ = chunk_end_ = 0;
}

void Worker::add_parked(kit_wire::Stop& stop, const Block* except) const {
  constexpr std::size_t most = 3;
  std::size_t listed = 0;
  for (const auto& resident : parked_) {
    if (&resident->block == except) continue;
    if (listed++ < most)
      stop.blocks.push_back(waiting_in(resident->block));
    else
      ++stop.more_blocks;
  }
}

/// Reports a time-out for blocks in which no thread was running: all threads were interrupted or waiting. A thread that
/// was running at the time-out reports it itself.
void Worker::report_time_limit(Launch& launch) {
  const Resident* const resident = running_ != nullptr ? running_.get()
                                   : parked_.empty()   ? nullptr
                                                       : parked_.front().get();
  if (resident == nullptr || launch.error.load() != cudaErrorLaunchTimeout || launch.reported.exchange(true))
    return;
  const Block& block = resident->block;
  const Fiber* const next = block.ready.head;
  const bool computes = next != nullptr && next->wait == Wait::interrupted;
  const std::string line = computes ? code_lines({next->instruction}).front() : "";
  kit_wire::Stop stop = time_limit_stop();
  stop.was_running = !line.empty();
  stop.place = place_of_line(line);
  stop.blocks.push_back(waiting_in(block, line.empty() ? nullptr : next));
  add_parked(stop, &block);
  report_stop(launch, std::move(stop), {&block, next});
}

void Worker::report_deadlock(Resident& resident) {
  Block& block = resident.block;
  notify(&Observer::block_deadlocked, BlockView(block));
  if (!block.launch->stop(cudaErrorLaunchTimeout) || block.launch->reported.exchange(true)) return;
  kit_wire::Stop stop;
  stop.reason = kit_wire::Reason::deadlock;
  stop.why = "deadlock: threads of a block wait for others that will never come";
  stop.blocks.push_back(waiting_in(block));
  if (block.cluster != nullptr) add_parked(stop, &block);
  report_stop(*block.launch, std::move(stop), {&block});
}

namespace detail {
bool next_whole_block(Block& block) {
  return block.worker->next_whole_block(block);
}
}  // namespace detail

void leave_thread() {
  Fiber leaving;
  leaving.block = &host_block;
  Worker* const worker = Worker::current();
  switch_fiber(leaving, worker->scheduler());
  __builtin_unreachable();
}

void stop_kernel(int error, const char* what) {
  if (!in_kernel()) fatal(what);
  Fiber& me = *current_fiber;
  me.preemptible = false;
  notify(&Observer::kernel_stopped, what);
  if (me.block->launch->stop(error)) {
    kit_wire::Stop stop;
    stop.why = what;
    report_stop(*me.block->launch, std::move(stop), {me.block, &me});
  }
  stop_others(*me.block->launch);
  leave_thread();
}

}  // namespace cuemu
