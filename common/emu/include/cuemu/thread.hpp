// A CUDA thread as the emulation runs it, and what device code calls: indices, barriers, warps.
//
// CUDA threads become fibers only when they must wait. The threads of a block run one after another on one fiber; a
// thread that must wait keeps this fiber, and the rest of the block continues on a new fiber. A kernel without barriers
// therefore never switches fibers. A block and its fibers stay on one worker (an operating-system thread).
//
// Host code may call all these functions. Outside a kernel, the indices are zero, and a barrier ends the program with a
// message, because no other thread could ever arrive.
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
/// The maximum number of threads of a block, and of warps.
inline constexpr unsigned max_block_threads = 1024;
inline constexpr unsigned max_block_warps = max_block_threads / warp_width;
/// Used as a linear index if the running thread of the block is unknown.
inline constexpr std::uint32_t no_thread = ~std::uint32_t{0};

/// The tools that may watch a program. Each tool keeps its data of a thread, a block or an operation in a separate
/// slot.
enum class ToolSlot : unsigned { checker, counters };
inline constexpr unsigned tool_slots = 2;

/// The source line at which a thread waits. Default arguments create it, so that it contains the caller's line.
struct SourceLine {
  const char* file = nullptr;
  int line = 0;
  static constexpr SourceLine here(const char* f = __builtin_FILE(), int l = __builtin_LINE()) {
    return {f, l};
  }
};

/// Why a thread isn't running.
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

/// One fiber: a stack, and the CUDA thread that currently runs on it. The object is at the hot end of its own stack,
/// so that a switch accesses few cache lines.
struct alignas(64) Fiber {
  void* stack_pointer = nullptr;  ///< the saved registers, for a switch
  Fiber* next = nullptr;          ///< link of the list that contains the fiber
  Block* block = nullptr;         ///< the block whose threads it runs
  uint3 thread_index{0, 0, 0};
  std::uint32_t linear = 0;  ///< x + y * blockDim.x + z * blockDim.x * blockDim.y
  Wait wait = Wait::none;
  bool promoted = false;     ///< the thread has waited since it began, so it keeps this fiber
  bool carry = false;        ///< the carry flag of PTX
  bool preemptible = false;  ///< whether the kernel's own code runs, which may be interrupted anywhere
  std::uint32_t wait_mask = 0;
  std::uint32_t fruitless = 0;  ///< number of atomic operations of its thread that changed nothing
  std::uint32_t cluster_phase =
      0;  ///< the phase of the cluster's barrier in which its thread has arrived without having waited for the end
  SourceLine where{};              ///< where it waits
  std::uintptr_t instruction = 0;  ///< the current instruction of a fiber that yielded or was interrupted
  void* stack_low = nullptr;
  void* annotation = nullptr;        ///< the sanitizers' handle of this fiber
  PendingLaunch* pending = nullptr;  ///< configurations of launches that this thread is about to make
  std::uint32_t number = 0;
  bool at_grid = false;  ///< its thread has arrived at the grid's barrier, and has not waited there yet
  void* observed[tool_slots] = {};  ///< by tool
};
static_assert(sizeof(Fiber) == 128, "a switch of threads touches two cache lines");

namespace detail {
/// Marks the beginning or the end of code in which a long-running thread may be interrupted, so that other threads run.
__attribute__((always_inline)) inline void set_preemptible(Fiber& fiber, bool value) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&fiber.preemptible, value, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
}  // namespace detail

/// During the object's lifetime, the calling CUDA thread is not interrupted. For code of the emulation that is compiled
/// into kernels and changes state that the threads of a warp or block share.
///
/// Its functions are always inlined. If a program and a tool contained the same function, the linker would keep only
/// one of the two, perhaps the program's, which reports accesses to the tool.
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
  /// Rotates the list so that the first fiber that fulfils the condition is at the head, and all fibers before it are
  /// at the end. So repeated searches don't pass the same other fibers each time. False if no fiber fulfils the
  /// condition.
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
  /// Inserts the other list's fibers before the fibers of this list.
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

/// Storage by which the lanes of one warp exchange values: each lane stores a pointer while it waits at a warp barrier.
/// All entries are null when a block begins, and code that sets an entry clears it.
struct WarpSlots {
  void* calls[warp_width];
};

/// One warp of a running block.
struct WarpState {
  std::uint32_t populated = 0;   ///< lanes that exist (the last warp of a block may be short)
  std::uint32_t exited = 0;      ///< lanes whose thread has returned
  std::uint32_t arrived = 0;     ///< lanes that wait at a warp barrier
  std::uint32_t released = 0;    ///< barriers of its lanes completed so far
  std::uint32_t steps = 0;       ///< stops of its lanes so far, in lockstep (lockstep.hpp)
  std::uint32_t step_turns = 0;  ///< number of times that some of these lanes were released
  Fiber* waiting[warp_width] = {};
  WarpSlots slots{};
};

/// The barrier of a block, and the results of the forms that count predicates.
struct BlockBarrier {
  FiberList waiting;
  unsigned arrived = 0;
  unsigned gathered = 0;  ///< threads of this round whose predicate was true
  unsigned threads = 0;   ///< threads of this round so far
  unsigned count = 0;     ///< `gathered` of the last finished round
  SourceLine first{};     ///< where this round's first thread waits
  bool apart = false;     ///< whether another thread waits elsewhere; a file name at another address counts
                          ///< as another file
  bool all = false;       ///< whether the predicate was true for all threads of the last finished round
};

/// One running block.
struct Block {
  uint3 block_index{0, 0, 0};
  dim3 block_dim{1, 1, 1};
  dim3 grid_dim{1, 1, 1};
  Launch* launch = nullptr;
  Kernel* kernel = nullptr;  ///< the launch's
  Worker* worker = nullptr;
  bool cooperative = false;  ///< the launch guarantees that all blocks run concurrently

  std::uint32_t thread_count = 0;
  std::uint32_t next_thread = 0;  ///< linear index of the first thread that has not begun
  uint3 next_index{0, 0, 0};      ///< its index
  std::uint32_t finished = 0;     ///< threads that have returned
  bool whole = false;             ///< its threads run as loops on one fiber, and therefore cannot wait

  FiberList ready;
  BlockBarrier barrier;
  std::uint32_t warp_waiters = 0;   ///< threads at warp barriers
  std::uint32_t outer_waiters = 0;  ///< threads at the barriers of the grid and of the cluster

  unsigned char* shared = nullptr;          ///< beginning of static shared memory
  std::uint32_t shared_ready = 0;           ///< bytes of static shared memory that are poisoned and usable
  unsigned char* dynamic_shared = nullptr;  ///< beginning of dynamic shared memory
  const std::uint32_t* shared_offset = nullptr;  ///< the launch's table: offset of each shared variable

  Cluster* cluster = nullptr;  ///< null without a cluster
  unsigned cluster_rank = 0;   ///< its number within the cluster

  WarpState* warps = nullptr;
  void* observed[tool_slots] = {};  ///< by tool
};

/// The maximum number of blocks of a cluster on any GPU.
inline constexpr unsigned max_cluster_blocks = 16;

/// Blocks of one launch that run concurrently and see each other's shared memory.
struct Cluster {
  dim3 dim{1, 1, 1};
  Block* blocks[max_cluster_blocks] = {};  ///< by rank
};

/// The fiber that runs on this operating-system thread. Outside kernels it points to a fiber that represents host code,
/// whose indices are zero, so a read needs no test. It is declared with `__thread`, which, unlike `thread_local`, never
/// needs an initialisation wrapper. The TLS model also applies in shared libraries (-fPIC), where each access would
/// otherwise call a function.
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
/// Returns true in device code that was launched, and false in host code.
inline bool in_kernel() noexcept {
  return current_fiber->block->launch != nullptr;
}
/// Returns true in device code, and false in host code and during constant evaluation. For functions that need
/// different code on each side.
constexpr bool on_device() noexcept {
  return !__builtin_is_constant_evaluated() && in_kernel();
}
/// @}

/// \name Blocks
/// @{
/// Waits until every thread of the block that has not returned has arrived.
void block_barrier(SourceLine where = SourceLine::here());
/// Block barriers that count the arriving threads with a nonzero `predicate`. They return the count; whether the
/// predicate is nonzero for all threads; whether it is nonzero for any thread.
int block_barrier_count(int predicate, SourceLine where = SourceLine::here());
int block_barrier_and(int predicate, SourceLine where = SourceLine::here());
int block_barrier_or(int predicate, SourceLine where = SourceLine::here());
/// Waits until every thread of the grid that has not returned has arrived. Only in cooperative launches.
void grid_barrier(SourceLine where = SourceLine::here());
/// The two halves of the barrier. The first arrives for all threads of the block together, as on a GPU; the second
/// waits until all blocks have arrived.
void grid_barrier_arrive(SourceLine where = SourceLine::here());
void grid_barrier_wait(SourceLine where = SourceLine::here());
/// Waits until every thread of the cluster that has not returned has arrived.
void cluster_barrier(SourceLine where = SourceLine::here());
/// The two halves of the barrier. The first arrives without waiting; the second waits until every thread of the cluster
/// that has not returned has arrived.
void cluster_barrier_arrive();
void cluster_barrier_wait(SourceLine where = SourceLine::here());
/// Returns the address in the cluster's block `rank` that corresponds to `address` in the calling block's shared
/// memory.
void* map_shared_rank(const void* address, unsigned rank);
/// Returns the rank of the block of the cluster whose shared memory contains `address`.
unsigned query_shared_rank(const void* address);
/// Lets other threads of the block run, and then other blocks. Threads that spin on memory call this function.
void yield();
/// Lets each other ready thread of the block run once, and no other block. Returns false if there is no such thread.
bool yield_within_block();
/// Lets each other ready thread of the warp run once. Threads of other warps run only if none of the warp is ready,
/// or after many turns of the warp.
bool yield_within_warp();
/// @}

/// \name Warps
/// @{
/// The calling thread's lane, [0, 32).
inline unsigned lane() noexcept {
  return current_fiber->linear % warp_width;
}
/// Returns the warp of the calling thread within its block, [0, 32).
inline unsigned warp() noexcept {
  return current_fiber->linear / warp_width;
}
inline WarpState& warp_state() {
  return current_fiber->block->warps[warp()];
}
/// Waits until every lane of `mask` that has not returned is at a barrier with the same mask.
/// The calling lane must be in the mask.
void warp_barrier(std::uint32_t mask, SourceLine where = SourceLine::here());
/// Returns whether each thread of the calling thread's warp has begun.
inline bool warp_has_begun() {
  const Block& block = *current_fiber->block;
  return block.next_thread >= block.thread_count || block.next_thread >= (warp() + 1) * warp_width;
}
/// Returns the storage by which the lanes of the calling thread's warp exchange values.
inline WarpSlots& warp_slots() {
  return warp_state().slots;
}
/// Returns the lanes of the warp that have not returned. Emulated lanes never run in lockstep. A GPU returns the same
/// set to converged code, and no larger set to any other code.
inline std::uint32_t active_mask() {
  const WarpState& state = warp_state();
  return state.populated & ~state.exited;
}
/// @}

/// Ends the kernel: the launch fails with `error` (a cudaError); `what` is printed with kernel, block and thread.
[[noreturn]] void stop_kernel(int error, const char* what);

}  // namespace cuemu
