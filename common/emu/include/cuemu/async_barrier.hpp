// cuda::barrier, cuda::latch and cuda::counting_semaphore: threads synchronise by means of these objects in shared or
// global memory.
//
// The whole state of an object is one atomic word, so that blocks on different OS threads may share the object. A
// waiting thread lets other threads run.
//
// Bulk copies (bulk_copy.hpp) are transactions of a barrier, and are counted as in PTX's mbarrier: a phase ends when
// all expected arrivals have occurred and all expected bytes have been copied. A copy is complete, and counted, when
// its call returns, so the count may temporarily fall below zero.
#pragma once

#include <new>
#include <type_traits>

#include "cuemu/async_copy.hpp"
#include "cuemu/atomic_object.hpp"

namespace cuda {

namespace detail {

struct NoCompletion {
  void operator()() const noexcept {}
};

/// A barrier's completion function. An empty class becomes a base class, so that it takes no space.
template <typename Completion, bool is_base = __is_class(Completion) && !__is_final(Completion)>
struct CompletionHolder : Completion {
  CompletionHolder() noexcept = default;
  constexpr explicit CompletionHolder(const Completion& completion) : Completion(completion) {}
  void run() { static_cast<Completion&> (*this)(); }
};
template <typename Completion>
struct CompletionHolder<Completion, false> {
  CompletionHolder() noexcept = default;
  constexpr explicit CompletionHolder(const Completion& completion) : function(completion) {}
  void run() { function(); }
  Completion function;  ///< a pointer, for instance
};

}  // namespace detail

/// A reusable barrier: a phase ends after `expected` arrivals.
template <thread_scope Scope = thread_scope_system, typename Completion = detail::NoCompletion>
class barrier : detail::CompletionHolder<Completion> {
  using Holder = detail::CompletionHolder<Completion>;

  // As in PTX, the state is a single word of 64 bits with these fields: pending arrivals, the number of arrivals with
  // which a phase begins, pending bytes, and the number of the phase. Since the pending bytes may be negative, but are
  // above -2^20, their field contains their sum with 2^20.
  static constexpr int kCountBits = 20, kBytesShift = 2 * kCountBits, kBytesBits = 21;
  static constexpr int kPhaseShift = kBytesShift + kBytesBits;
  static constexpr unsigned long kCountMask = (1ul << kCountBits) - 1;
  static constexpr unsigned long kNoBytes = 1ul << (kBytesBits - 1) << kBytesShift;
  static constexpr unsigned long kBytesMask = ((1ul << kBytesBits) - 1) << kBytesShift;

 public:
  using arrival_token = unsigned long;

  barrier() noexcept = default;
  constexpr barrier(const ptrdiff_t expected, Completion completion = Completion()) noexcept
      : Holder(completion), word_(first(expected)) {}
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  static constexpr ptrdiff_t max() noexcept { return static_cast<ptrdiff_t>(kCountMask); }
  friend void init(barrier* const self, const ptrdiff_t expected, Completion completion = Completion()) {
    set_completion(*self, Holder(completion));
    __atomic_store_n(&self->word_, first(expected), __ATOMIC_RELEASE);
    cuemu::detail::report_made(self);
  }

  /// Counts `update` arrivals; the token identifies their phase.
  arrival_token arrive(const ptrdiff_t update = 1) noexcept {
    return count(-static_cast<unsigned long>(update));
  }
  /// Counts `update` arrivals, and increases the phase's expected bytes by `bytes`.
  auto arrive_expecting(const ptrdiff_t update, const unsigned bytes) noexcept {
    return count((static_cast<unsigned long>(bytes) << kBytesShift) - static_cast<unsigned long>(update));
  }
  /// Increases the phase's expected bytes by `bytes`.
  auto expect_bytes(const unsigned bytes) noexcept {
    static_cast<void>(count(static_cast<unsigned long>(bytes) << kBytesShift, false));
  }
  /// Counts `bytes` copied bytes.
  auto complete_bytes(const unsigned bytes) noexcept {
    static_cast<void>(count(-(static_cast<unsigned long>(bytes) << kBytesShift)));
  }
  void wait(const arrival_token token) const noexcept {
    while (phase(load()) == token) cuemu::yield();
    cuemu::detail::report_wait(this);
  }
  bool try_wait(const arrival_token token) const noexcept {
    if (phase(load()) == token) cuemu::yield();
    return has_waited(phase(load()) != token);
  }
  /// Waits until the phase with an even number (parity false) or an odd number (parity true) has ended.
  void wait_parity(const bool parity) const noexcept {
    while (!test_parity(parity)) cuemu::yield();
    cuemu::detail::report_wait(this);
  }
  bool try_wait_parity(const bool parity) const noexcept {
    if (!test_parity(parity)) cuemu::yield();
    return has_waited(test_parity(parity));
  }
  template <typename Duration>
  bool try_wait_for(const arrival_token token, const Duration&) const noexcept {
    return try_wait(token);
  }
  template <typename Duration>
  bool try_wait_parity_for(const bool parity, const Duration&) const noexcept {
    return try_wait_parity(parity);
  }
  void arrive_and_wait() noexcept { wait(arrive()); }
  /// Arrives, and lets later phases expect one arrival less.
  arrival_token arrive_and_drop() noexcept { return count(-((1ul << kCountBits) + 1)); }

 private:
  static constexpr auto first(const ptrdiff_t expected) {
    return kNoBytes | static_cast<unsigned long>(expected) << kCountBits |
           static_cast<unsigned long>(expected);
  }
  static auto phase(const unsigned long word) { return word >> kPhaseShift; }
  unsigned long load() const {
    const cuemu::detail::Counting counting;
    return __atomic_load_n(&word_, __ATOMIC_ACQUIRE);
  }
  bool test_parity(const bool parity) const { return (phase(load()) & 1u) != (parity ? 1u : 0u); }

  bool has_waited(const bool over) const {
    if (over) cuemu::detail::report_wait(this);
    return over;
  }

  /// Adds `change` to the fields of the word; returns the previous phase.
  auto count(const unsigned long change, const bool is_arrival = true) {
    const unsigned long now = add(change);
    if (is_arrival) cuemu::detail::report_arrival(this);
    if ((now & (kCountMask | kBytesMask)) == kNoBytes) complete(now);
    return phase(now);
  }
  /// Copies a completion function. A lambda can't be assigned, but if it captures nothing, no assignment is needed.
  static void set_completion(Holder& to, const Holder& from) {
    if constexpr (__is_trivially_copyable(Holder)) {
      if constexpr (!__is_empty(Holder))
        cuemu::detail::copy_bytes(static_cast<void*>(&to), &from, sizeof(Holder));
    } else {
      ::new (static_cast<void*>(&to)) Holder(from);
    }
  }
  auto add(const unsigned long change) {
    const cuemu::detail::Counting counting;
    return __atomic_add_fetch(&word_, change, __ATOMIC_ACQ_REL);
  }
  /// Called when all arrivals and bytes are complete: runs the completion function, and begins the next phase.
  auto complete(const unsigned long now) {
    if constexpr (!::std::is_same_v<Completion, detail::NoCompletion>) {
      cuemu::detail::report_filled(this);
      Holder::run();
    }
    cuemu::detail::report_phase_end(this);
    const auto expected = static_cast<ptrdiff_t>(now >> kCountBits & kCountMask);
    const cuemu::detail::Counting counting;
    __atomic_store_n(&word_, (phase(now) + 1) << kPhaseShift | first(expected), __ATOMIC_RELEASE);
  }

  alignas(8) unsigned long word_;
};

/// Returns the word that PTX's mbarrier instructions use.
inline unsigned long* barrier_native_handle(barrier<thread_scope_block>& barrier) {
  return reinterpret_cast<unsigned long*>(&barrier);
}
namespace device {
using ::cuda::barrier_native_handle;

/// Increases the bytes of bulk copies that the barrier's phase expects.
inline void barrier_expect_tx(barrier<thread_scope_block>& barrier, const ptrdiff_t bytes) {
  barrier.expect_bytes(static_cast<unsigned>(bytes));
}
inline barrier<thread_scope_block>::arrival_token barrier_arrive_tx(barrier<thread_scope_block>& barrier,
                                                                    const ptrdiff_t arrivals,
                                                                    const ptrdiff_t bytes) {
  return barrier.arrive_expecting(arrivals, static_cast<unsigned>(bytes));
}
}  // namespace device

/// Copies bytes; the copy is complete at the end of the barrier's phase.
template <typename Size, thread_scope Scope, typename Completion>
inline void memcpy_async(void* const destination, const void* const source, const Size bytes,
                         barrier<Scope, Completion>&) {
  ::cuemu::detail::copy_bytes(destination, source, static_cast<size_t>(bytes));
}
template <typename Group, typename Size, thread_scope Scope, typename Completion>
inline void memcpy_async(const Group& group, void* const destination, const void* const source,
                         const Size bytes, barrier<Scope, Completion>&) {
  using cuemu::detail::Awaited;
  cuemu::detail::copy_share<Awaited::at_barrier>(destination, source, static_cast<size_t>(bytes),
                                                 group.size(), group.thread_rank());
}

/// A single-use barrier.
template <thread_scope Scope = thread_scope_system>
class latch {
 public:
  constexpr explicit latch(const ptrdiff_t expected) noexcept : left_(expected) {}
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;

  static constexpr ptrdiff_t max() noexcept { return static_cast<ptrdiff_t>(~0ul >> 1); }
  friend void init(latch* const self, const ptrdiff_t expected) {
    __atomic_store_n(&self->left_, expected, __ATOMIC_RELEASE);
  }
  void count_down(const ptrdiff_t update = 1) noexcept {
    __atomic_fetch_sub(&left_, update, __ATOMIC_ACQ_REL);
  }
  bool try_wait() const noexcept { return __atomic_load_n(&left_, __ATOMIC_ACQUIRE) == 0; }
  void wait() const noexcept {
    while (!try_wait()) cuemu::yield();
  }
  void arrive_and_wait(const ptrdiff_t update = 1) noexcept {
    count_down(update);
    wait();
  }

 private:
  ptrdiff_t left_;
};

/// A number of permits, which threads take and give back.
template <thread_scope Scope = thread_scope_system, ptrdiff_t Most = static_cast<ptrdiff_t>(~0ul >> 1)>
class counting_semaphore {
 public:
  constexpr explicit counting_semaphore(const ptrdiff_t count = 0) noexcept : count_(count) {}
  counting_semaphore(const counting_semaphore&) = delete;
  counting_semaphore& operator=(const counting_semaphore&) = delete;

  static constexpr ptrdiff_t max() noexcept { return Most; }
  void release(const ptrdiff_t update = 1) noexcept { __atomic_fetch_add(&count_, update, __ATOMIC_ACQ_REL); }
  bool try_acquire() noexcept {
    ptrdiff_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
    while (count > 0) {
      if (__atomic_compare_exchange_n(&count_, &count, count - 1, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return true;
    }
    return false;
  }
  void acquire() noexcept {
    while (!try_acquire()) cuemu::yield();
  }
  template <typename Duration>
  bool try_acquire_for(const Duration&) noexcept {
    return try_acquire();
  }

 private:
  ptrdiff_t count_;
};
template <thread_scope Scope = thread_scope_system>
using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std {
template <typename Completion = ::cuda::detail::NoCompletion>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
using latch = ::cuda::latch<thread_scope_system>;
template <ptrdiff_t Most = static_cast<ptrdiff_t>(~0ul >> 1)>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = ::cuda::counting_semaphore<thread_scope_system, 1>;
}  // namespace std

}  // namespace cuda
