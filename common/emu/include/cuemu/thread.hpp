// A CUDA thread as the emulation runs it, and what device code can ask of it:
// its indices, barriers, its warp.
//
// CUDA threads are fibers, promoted lazily. The threads of a block run back to back on one fiber;
// a thread that must wait keeps that fiber, and the rest of the block goes on on a fresh one.
// A kernel without barriers therefore never switches.
// A block stays on one worker (an operating-system thread), and so do its fibers.
//
// Everything here may be called from host code as well: outside a kernel the indices are zero, and a barrier
// ends the program with a message, because no other thread could ever arrive.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vector_types.h"

namespace cuemu {

struct Kernel;
struct Launch;
class Worker;
class PendingLaunch;

/// Threads per warp, as on every NVIDIA GPU so far.
inline constexpr unsigned warp_width = 32;
/// Most threads of a block, and most warps of it.
inline constexpr unsigned max_block_threads = 1024;
inline constexpr unsigned max_block_warps = max_block_threads / warp_width;
/// In place of a linear index: one of the threads, and it is not known which.
inline constexpr std::uint32_t no_thread = ~std::uint32_t{0};

/// The tools that may watch a program: each keeps what it knows of a thread, a block or an operation in a slot of its own.
enum class ToolSlot : unsigned { checker, counters };
inline constexpr unsigned tool_slots = 2;

/// Where in the user's source a thread waits. Made by default arguments, so that it names the caller's line.
struct SourceLine {
  const char* file = nullptr;
  int line = 0;
  static constexpr SourceLine here(const char* f = __builtin_FILE(), int l = __builtin_LINE()) {
    return {f, l};
  }
};

/// What a thread that is not running waits for.
enum class Wait : std::uint8_t {
  none,
  block_barrier,
  warp_barrier,
  grid_barrier,
  cluster_barrier,
  yielded,
  interrupted
};

struct Block;
struct Cluster;

/// One fiber: a stack, and the CUDA thread that is on it at the moment.
/// It stands at the hot end of its own stack, so that a switch touches few cache lines.
struct alignas(64) Fiber {
  void* stack_pointer = nullptr;  ///< where a switch finds the saved registers
  Fiber* next = nullptr;          ///< link of the list that the fiber stands in
  Block* block = nullptr;         ///< the block it works for
  uint3 thread_index{0, 0, 0};
  std::uint32_t linear = 0;  ///< x + y * blockDim.x + z * blockDim.x * blockDim.y
  Wait wait = Wait::none;
  bool promoted = false;     ///< the thread has waited since it began, so the fiber is its own
  bool carry = false;        ///< the carry flag of PTX
  bool preemptible = false;  ///< the kernel's own code runs, which may be interrupted anywhere
  std::uint32_t wait_mask = 0;
  std::uint32_t fruitless = 0;  ///< atomics of its thread that changed nothing
  std::uint32_t cluster_phase =
      0;  ///< of the cluster's barrier, in which its thread has arrived and for whose end it has not waited yet
  SourceLine where{};              ///< where it waits
  std::uintptr_t instruction = 0;  ///< of one that yielded or was interrupted: where
  void* stack_low = nullptr;
  void* annotation = nullptr;        ///< the sanitizers' handle of this fiber
  PendingLaunch* pending = nullptr;  ///< configurations of launches that this thread is about to make
  std::uint32_t number = 0;
  bool at_grid = false;  ///< its thread has arrived at the grid's barrier, and has not waited there yet
  void* observed[tool_slots] = {};  ///< by tool
};
static_assert(sizeof(Fiber) == 128, "a switch of threads touches two cache lines");

namespace detail {
/// Marks the stretch in which a thread that runs for long may be interrupted in favour of others.
__attribute__((always_inline)) inline void set_preemptible(Fiber& fiber, bool value) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&fiber.preemptible, value, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
}  // namespace detail

/// While one lives, the calling CUDA thread is not interrupted in favour of others: for code of the emulation
/// that is compiled into kernels and changes what the threads of a warp or block share.
///
/// Always inlined: of a function in the program and in a tool the linker keeps one, and the program's tells the tool of accesses.
class Uninterrupted {
 public:
  __attribute__((always_inline)) explicit Uninterrupted(Fiber& fiber)
      : fiber_(fiber), before_(fiber.preemptible) {
    if (before_) detail::set_preemptible(fiber_, false);
  }
  __attribute__((always_inline)) ~Uninterrupted() {
    if (before_) detail::set_preemptible(fiber_, true);
  }
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;

 private:
  Fiber& fiber_;
  const bool before_;
};

/// A first-in first-out list of fibers, linked through Fiber::next.
struct FiberList {
  Fiber* head = nullptr;
  Fiber* tail = nullptr;

  bool empty() const { return head == nullptr; }
  void push(Fiber* fiber) {
    fiber->next = nullptr;
    if (head == nullptr)
      head = fiber;
    else
      tail->next = fiber;
    tail = fiber;
  }
  Fiber* pop() {
    Fiber* const first = head;
    if (first != nullptr) head = first->next;
    return first;
  }
  /// Puts the first fiber for which that holds at the head, and all that stood before it behind the last one: whoever looks for
  /// one of a few again and again doesn't pass the same others each time. False where it holds for none.
  template <class Condition>
  bool bring_forward(const Condition& holds) {
    Fiber* before = nullptr;
    for (Fiber* fiber = head; fiber != nullptr; before = fiber, fiber = fiber->next) {
      if (!holds(*fiber)) continue;
      if (before == nullptr) return true;
      tail->next = head;
      tail = before;
      before->next = nullptr;
      head = fiber;
      return true;
    }
    return false;
  }
  /// Puts the other's fibers before the own.
  void splice_front(FiberList& other) {
    other.splice(*this);
    *this = other;
    other = {};
  }
  void splice(FiberList& other) {
    if (other.empty()) return;
    if (head == nullptr)
      head = other.head;
    else
      tail->next = other.head;
    tail = other.tail;
    other.head = other.tail = nullptr;
  }
};

/// Exchange storage of one warp: what each lane shows to the others while it waits at a warp barrier.
/// All null when a block begins; whoever sets an entry clears it.
struct WarpSlots {
  void* calls[warp_width];
};

/// One warp of a block that runs.
struct WarpState {
  std::uint32_t populated = 0;   ///< lanes that exist (the last warp of a block may be short)
  std::uint32_t exited = 0;      ///< lanes whose thread has returned
  std::uint32_t arrived = 0;     ///< lanes that wait at a warp barrier
  std::uint32_t released = 0;    ///< barriers of its lanes that were complete so far
  std::uint32_t steps = 0;       ///< stops of its lanes so far, where they run in step (lockstep.hpp)
  std::uint32_t step_turns = 0;  ///< and how often some of them were let go
  Fiber* waiting[warp_width] = {};
  WarpSlots slots{};
};

/// The barrier of a block, and what its counting forms gather.
struct BlockBarrier {
  FiberList waiting;
  unsigned arrived = 0;
  unsigned gathered = 0;  ///< threads of this round whose predicate held
  unsigned threads = 0;   ///< threads of this round so far
  unsigned count = 0;     ///< `gathered` of the last finished round
  SourceLine first{};     ///< where the first of this round waits
  bool apart = false;     ///< another waits elsewhere, if two names of a file are two files
  bool all = false;       ///< the predicate held for all threads of the last finished round
};

/// One block that runs on a worker.
struct Block {
  uint3 block_index{0, 0, 0};
  dim3 block_dim{1, 1, 1};
  dim3 grid_dim{1, 1, 1};
  Launch* launch = nullptr;
  Kernel* kernel = nullptr;  ///< the launch's
  Worker* worker = nullptr;
  bool cooperative = false;  ///< the launch promised that all blocks run at once

  std::uint32_t thread_count = 0;
  std::uint32_t next_thread = 0;  ///< linear index of the first thread that has not begun
  uint3 next_index{0, 0, 0};      ///< its index
  std::uint32_t finished = 0;     ///< threads that have returned
  bool whole = false;             ///< its threads run as loops, on one fiber: none can wait

  FiberList ready;
  BlockBarrier barrier;
  std::uint32_t warp_waiters = 0;   ///< threads at warp barriers
  std::uint32_t outer_waiters = 0;  ///< threads at the barriers of the grid and of the cluster

  unsigned char* shared = nullptr;          ///< static shared memory begins here
  std::uint32_t shared_ready = 0;           ///< bytes of static shared memory that are poisoned and usable
  unsigned char* dynamic_shared = nullptr;  ///< dynamic shared memory begins here
  const std::uint32_t* shared_offset = nullptr;  ///< the launch's table: offset of each shared variable

  Cluster* cluster = nullptr;  ///< null where each block stands alone
  unsigned cluster_rank = 0;   ///< its number within the cluster

  WarpState* warps = nullptr;
  void* observed[tool_slots] = {};  ///< by tool
};

/// Most blocks of a cluster, on any GPU.
inline constexpr unsigned max_cluster_blocks = 16;

/// Blocks of one launch that run at once and see each other's shared memory.
struct Cluster {
  dim3 dim{1, 1, 1};
  Block* blocks[max_cluster_blocks] = {};  ///< by rank
};

/// The fiber that runs on this operating-system thread. Outside kernels it points to a fiber that stands for
/// host code (indices zero), so that reading it needs no test.
/// `__thread`: unlike `thread_local` it never goes through an initialisation wrapper. Its model holds in
/// shared libraries too (-fPIC), where a function would be called for each access otherwise.
extern __thread Fiber* current_fiber __attribute__((tls_model("initial-exec")));

/// \name Indices
/// @{
inline const uint3& thread_idx() noexcept {
  return current_fiber->thread_index;
}
inline const uint3& block_idx() noexcept {
  return current_fiber->block->block_index;
}
inline const dim3& block_dim() noexcept {
  return current_fiber->block->block_dim;
}
inline const dim3& grid_dim() noexcept {
  return current_fiber->block->grid_dim;
}
constexpr int warp_size() noexcept {
  return static_cast<int>(warp_width);
}
/// True in device code that a launch runs, false in host code.
inline bool in_kernel() noexcept {
  return current_fiber->block->launch != nullptr;
}
/// The same, for functions that each side has in its own way; false while a constant is computed.
constexpr bool on_device() noexcept {
  return !__builtin_is_constant_evaluated() && in_kernel();
}
/// @}

/// \name Blocks
/// @{
/// Waits until every thread of the block that has not returned is here.
void block_barrier(SourceLine where = SourceLine::here());
/// The same; the number of arriving threads whose `predicate` was not zero,
/// whether all were, whether any was.
int block_barrier_count(int predicate, SourceLine where = SourceLine::here());
int block_barrier_and(int predicate, SourceLine where = SourceLine::here());
int block_barrier_or(int predicate, SourceLine where = SourceLine::here());
/// Waits until every thread of the grid that has not returned is here. Only in cooperative launches.
void grid_barrier(SourceLine where = SourceLine::here());
/// The two halves: arrives, which the block's threads do together, as on a GPU; waits until all blocks have arrived.
void grid_barrier_arrive(SourceLine where = SourceLine::here());
void grid_barrier_wait(SourceLine where = SourceLine::here());
/// Waits until every thread of the cluster that has not returned is here.
void cluster_barrier(SourceLine where = SourceLine::here());
/// The two halves: arrives, and goes on; waits until every thread of the cluster that has not returned has arrived.
void cluster_barrier_arrive();
void cluster_barrier_wait(SourceLine where = SourceLine::here());
/// Where the shared variable at `address`, which is the calling block's,
/// is in the block `rank` of the cluster.
void* map_shared_rank(const void* address, unsigned rank);
/// The block of the cluster whose shared memory holds `address`.
unsigned query_shared_rank(const void* address);
/// Lets other threads of the block, then other blocks, run: for threads that spin on memory.
void yield();
/// Lets each other thread of the block that can run have a turn,
/// and no other block. False when there is none.
bool yield_within_block();
/// The same for each other thread of the warp; for those of other warps only where none of the warp can run, or
/// when it has had many turns.
bool yield_within_warp();
/// @}

/// \name Warps
/// @{
/// The calling thread's lane, [0, 32).
inline unsigned lane() noexcept {
  return current_fiber->linear % warp_width;
}
/// The warp of the calling thread within its block, [0, 32).
inline unsigned warp() noexcept {
  return current_fiber->linear / warp_width;
}
inline WarpState& warp_state() {
  return current_fiber->block->warps[warp()];
}
/// Waits until every lane of `mask` that has not returned is at a barrier with the same mask.
/// The calling lane must be in the mask.
void warp_barrier(std::uint32_t mask, SourceLine where = SourceLine::here());
/// Has each thread of the calling thread's warp begun?
inline bool warp_has_begun() {
  const Block& block = *current_fiber->block;
  return block.next_thread >= block.thread_count || block.next_thread >= (warp() + 1) * warp_width;
}
/// Exchange storage of the calling thread's warp.
inline WarpSlots& warp_slots() {
  return warp_state().slots;
}
/// The lanes of the warp that have not returned. Emulated lanes never run in lockstep, so this is the largest
/// set that a GPU could answer, which is what converged code gets there.
inline std::uint32_t active_mask() {
  const WarpState& state = warp_state();
  return state.populated & ~state.exited;
}
/// @}

/// Ends the kernel: the launch fails with `error` (a cudaError),
/// `what` is printed with kernel, block and thread.
[[noreturn]] void stop_kernel(int error, const char* what);

}  // namespace cuemu
