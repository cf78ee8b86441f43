// Asynchronous copies into shared memory: the common part of cooperative groups, barriers and pipelines.
//
// On a GPU such a copy runs asynchronously. Here it is complete when the call returns, which is one of the orders that
// a GPU may choose. Some copies must be awaited by the copying thread itself, in batches as in PTX
// (cp.async.commit_group, cp.async.wait_group); these copies are reported to tools.
#pragma once

#include <stddef.h>
#include <string.h>

namespace cuda {

/// A size in bytes. The program guarantees that the size and both pointers are multiples of Alignment.
template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  explicit aligned_size_t(const size_t bytes) : value(bytes) {}
  operator size_t() const { return value; }
  size_t value;
};

}  // namespace cuda

namespace cuemu {

class Observer;
extern Observer* observers[];  // declared in watch/observer.hpp; the first is nullptr in most programs

/// These functions report that the calling thread has copied asynchronously; that it has ended a batch; that it has
/// waited for all batches except the latest `prior` batches.
void async_copied(const void* destination, size_t bytes);
void async_committed();
void async_waited(size_t prior);
/// These functions report that the calling thread has initialised an mbarrier; has arrived at it; runs the completion
/// function, because all threads have arrived; ends the phase; has waited for the end of a phase.
void mbarrier_made(const void* barrier);
void mbarrier_arrived(const void* barrier);
void mbarrier_filled(const void* barrier);
void mbarrier_phase_ends(const void* barrier);
void mbarrier_waited(const void* barrier);
/// Reports whether the calling thread's next atomic operations access an mbarrier's word.
void mbarrier_counts(bool on);

}  // namespace cuemu

namespace cuemu::detail {

/// Copies bytes by a call, which is reported to a checker; an inline expansion by the compiler would not be reported.
inline void copy_bytes(void* const destination, const void* const source, const size_t bytes) {
  memcpy(destination, source, bytes);  // a call in a checked program (-fno-builtin-memcpy)
}

/// Sets bytes to zero by a call, which is reported in the same way.
inline void zero_bytes(void* const destination, const size_t bytes) {
  memset(destination, 0, bytes);
}

/// \name Reports on mbarriers
/// @{
inline void report_made(const void* const barrier) {
  if (__builtin_expect(observers[0] != nullptr, 0)) mbarrier_made(barrier);
}
inline void report_arrival(const void* const barrier) {
  if (__builtin_expect(observers[0] != nullptr, 0)) mbarrier_arrived(barrier);
}
inline void report_filled(const void* const barrier) {
  if (__builtin_expect(observers[0] != nullptr, 0)) mbarrier_filled(barrier);
}
inline void report_phase_end(const void* const barrier) {
  if (__builtin_expect(observers[0] != nullptr, 0)) mbarrier_phase_ends(barrier);
}
inline void report_wait(const void* const barrier) {
  if (__builtin_expect(observers[0] != nullptr, 0)) mbarrier_waited(barrier);
}
/// While this object lives, atomic operations access an mbarrier's word. By themselves they create no order: an
/// early arrival in a phase does not synchronise with threads that wait for the previous phase.
class Counting {
 public:
  Counting() {
    if (__builtin_expect(observers[0] != nullptr, 0)) mbarrier_counts(true);
  }
  ~Counting() {
    if (__builtin_expect(observers[0] != nullptr, 0)) mbarrier_counts(false);
  }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;
};
/// @}

/// \name Copies for which the calling thread waits in batches
/// @{
inline void copy_in_batch(void* const destination, const void* const source, const size_t bytes,
                          const size_t zeros = 0) {
  copy_bytes(destination, source, bytes - zeros);
  if (zeros != 0) zero_bytes(static_cast<char*>(destination) + (bytes - zeros), zeros);
  if (__builtin_expect(observers[0] != nullptr, 0)) async_copied(destination, bytes);
}
inline void commit_batch() {
  if (__builtin_expect(observers[0] != nullptr, 0)) async_committed();
}
inline void wait_for_batches(const size_t prior) {
  if (__builtin_expect(observers[0] != nullptr, 0)) async_waited(prior);
}
/// @}

/// Selects how the program waits for an asynchronous copy: the thread that began the copy waits for its batches of
/// copies, or all threads wait at a barrier.
enum class Awaited { in_batches, at_barrier };

template <Awaited how>
inline void copy_async(void* const destination, const void* const source, const size_t bytes) {
  if constexpr (how == Awaited::in_batches)
    copy_in_batch(destination, source, bytes);
  else
    copy_bytes(destination, source, bytes);
}

/// Copies the part of `bytes` that belongs to thread `rank` of `threads`.
template <Awaited how>
inline void copy_share(void* const destination, const void* const source, const size_t bytes,
                       const size_t threads, const size_t rank) {
  const size_t first = bytes / threads * rank + (rank < bytes % threads ? rank : bytes % threads);
  const size_t count = bytes / threads + (rank < bytes % threads ? 1 : 0);
  copy_async<how>(static_cast<char*>(destination) + first, static_cast<const char*>(source) + first, count);
}

}  // namespace cuemu::detail
