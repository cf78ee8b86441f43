// Asynchronous copies into shared memory: what cooperative groups, barriers and pipelines have in common.
//
// On a GPU such a copy runs in the background. Here it is done when the call returns, which is one of the
// orders that a GPU may choose; whoever waits for it finds it complete. Of those that the copying thread itself
// has to wait for, in batches as PTX has them (cp.async.commit_group, cp.async.wait_group), a tool is told.
#pragma once

#include <stddef.h>
#include <string.h>

namespace cuda {

/// A size in bytes of which the program promises that it is a multiple of Alignment, as both pointers are.
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
extern Observer* observers[];  // of watch/observer.hpp; the first is nullptr in most programs

/// The calling thread has copied asynchronously; it has ended a batch; it has waited for all batches but the
/// latest `prior` ones.
void async_copied(const void* destination, size_t bytes);
void async_committed();
void async_waited(size_t prior);
/// The calling thread has made an mbarrier; it has arrived there; all have, and it is about to run the completion function; it
/// ends the phase; it has waited there for the end of a phase.
void mbarrier_made(const void* barrier);
void mbarrier_arrived(const void* barrier);
void mbarrier_filled(const void* barrier);
void mbarrier_phase_ends(const void* barrier);
void mbarrier_waited(const void* barrier);
/// What the calling thread's atomic operations do from now on is to count at an mbarrier, or no more.
void mbarrier_counts(bool on);

}  // namespace cuemu

namespace cuemu::detail {

/// Copies bytes where a checker sees it: what the compiler expands in line goes by unseen.
inline void copy_bytes(void* const destination, const void* const source, const size_t bytes) {
  memcpy(destination, source, bytes);  // where it is checked, a call (-fno-builtin-memcpy)
}

/// Zeros bytes, the same way.
inline void zero_bytes(void* const destination, const size_t bytes) {
  memset(destination, 0, bytes);
}

/// \name At an mbarrier
/// @{
inline void tell_made(const void* const barrier) {
  if (__builtin_expect(observers[0] != nullptr, 0)) mbarrier_made(barrier);
}
inline void tell_arrival(const void* const barrier) {
  if (__builtin_expect(observers[0] != nullptr, 0)) mbarrier_arrived(barrier);
}
inline void tell_filled(const void* const barrier) {
  if (__builtin_expect(observers[0] != nullptr, 0)) mbarrier_filled(barrier);
}
inline void tell_phase_end(const void* const barrier) {
  if (__builtin_expect(observers[0] != nullptr, 0)) mbarrier_phase_ends(barrier);
}
inline void tell_wait(const void* const barrier) {
  if (__builtin_expect(observers[0] != nullptr, 0)) mbarrier_waited(barrier);
}
/// While one lives, atomic operations are those on an mbarrier's word, which order nothing by themselves: who counts there early
/// in a phase is not heard by those who wait for the one before.
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

/// \name Copies that the calling thread waits for in batches
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

/// Who waits for an asynchronous copy: the thread that began it, for batches of its copies, or all that come to a barrier.
enum class Awaited { in_batches, at_barrier };

template <Awaited how>
inline void copy_async(void* const destination, const void* const source, const size_t bytes) {
  if constexpr (how == Awaited::in_batches)
    copy_in_batch(destination, source, bytes);
  else
    copy_bytes(destination, source, bytes);
}

/// Copies the caller's share of `bytes`, as thread `rank` of `threads`.
template <Awaited how>
inline void copy_share(void* const destination, const void* const source, const size_t bytes,
                       const size_t threads, const size_t rank) {
  const size_t first = bytes / threads * rank + (rank < bytes % threads ? rank : bytes % threads);
  const size_t count = bytes / threads + (rank < bytes % threads ? 1 : 0);
  copy_async<how>(static_cast<char*>(destination) + first, static_cast<const char*>(source) + first, count);
}

}  // namespace cuemu::detail
