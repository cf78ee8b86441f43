// The loop over the threads of a block, for kernels whose threads are resumed: each thread continues from the barrier
// where it stopped to the next barrier. emucc's fission_resume.cpp documents which kernels qualify.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "cuemu/fission.hpp"

namespace cuemu {

/// A counting barrier in such a kernel. Each thread reads the count after it has continued, when other
/// threads may already have arrived at the barrier's next use.
class Votes {
 public:
  void add(const int yes) { next_ += yes != 0 ? 1 : 0; }
  /// Ends the barrier's current use, after all threads have been counted.
  void pass() {
    last_ = next_;
    next_ = 0;
  }
  int last() const { return last_; }

 private:
  int next_ = 0, last_ = 0;
};

/// The maximum number of barriers of a kernel whose threads are resumed.
inline constexpr unsigned most_resumed_barriers = 63;

/// The position of a thread. Bit 0 means that the thread has returned; each barrier has a bit from bit 1 on. So one
/// number can combine the positions of several threads. The type is the smallest with enough bits.
template <unsigned Barriers>
using Stop =
    std::conditional_t<(Barriers < 8), std::uint8_t,
                       std::conditional_t<(Barriers < 16), std::uint16_t,
                                          std::conditional_t<(Barriers < 32), std::uint32_t, std::uint64_t>>>;

namespace detail {

/// Up to this number of barriers, each barrier has a separate loop, so that compilers know where the threads continue.
inline constexpr unsigned most_loops_of_their_own = 4;

template <bool Known, class Phase>
__attribute__((always_inline)) inline void for_resumed_threads(const dim3& block, Phase&& phase) {
  if constexpr (Known)
    for_known_threads(block, phase);
  else
    for_threads(block, phase);
}

/// Runs each thread to its next barrier.
/// @param stop the common position of all threads; 0: the beginning
/// @param stops each thread's position afterwards
template <bool Known, class Stop, class Run>
__attribute__((always_inline)) inline void resume_all(const dim3& block, const Stop stop, Stop* const stops,
                                                      Run&& run) {
  for_resumed_threads<Known>(
      block, [&](const uint3 index, const std::size_t at)
                 __attribute__((always_inline)) { stops[at] = run(index, at, stop); });
}

/// Runs all threads from one of the barriers, with a separate loop for each barrier.
template <bool Known, class Stop, class Run, std::size_t... Index>
__attribute__((always_inline)) inline void resume_together(const dim3& block, const Stop stop,
                                                           Stop* const stops, Run&& run,
                                                           std::index_sequence<Index...>) {
  static_cast<void>(((stop == Stop{2} << Index &&
                      (resume_all<Known>(block, static_cast<Stop>(Stop{2} << Index), stops, run), true)) ||
                     ...));
}

/// Runs the threads that have not returned, from any positions.
template <bool Known, class Stop, class Run>
__attribute__((always_inline)) inline void resume_each(const dim3& block, Stop* const stops, Run&& run) {
  for_resumed_threads<Known>(
      block, [&](const uint3 index, const std::size_t at) __attribute__((always_inline)) {
        if (stops[at] != 1) stops[at] = run(index, at, stops[at]);
      });
}

/// Returns the combined positions of all threads. The loop is separate so that compilers vectorise it.
template <class Stop>
__attribute__((always_inline)) inline Stop all_stops(const Stop* const stops, const std::size_t threads) {
  Stop all = 0;
  for (std::size_t at = 0; at < threads; ++at) all |= stops[at];
  return all;
}

}  // namespace detail

/// Runs a block: all threads, one after another, from barrier to barrier. As on a GPU, a barrier is passed when all
/// threads that have not returned wait at barriers, even at different barriers. In the usual case, in which no thread
/// has returned and all wait at the same barrier, the threads' positions are not read.
/// @param passed called each time a barrier is passed, before the first thread continues
/// @param run `run(threadIdx, linear index, stop)` runs a thread from its position, or from the beginning for 0, to
/// the next barrier, and returns its new position
template <unsigned Barriers, bool Known, class Passed, class Run>
inline void resume_threads(const dim3 block, Passed&& passed, Run&& run) {
  static_assert(Barriers <= most_resumed_barriers, "threads have one bit for each barrier");
  static_assert(most_resumed_barriers < 64, "of a number of 64 bits");
  constexpr bool loops_of_their_own = Barriers <= detail::most_loops_of_their_own;
  auto* const stops = values_for_threads<Stop<Barriers>>(0, block);
  detail::resume_all<Known>(block, Stop<Barriers>{0}, stops, run);
  for (;;) {
    const Stop<Barriers> where = detail::all_stops(stops, detail::threads_of(block));
    if (where == 1) return;
    passed();
    if (loops_of_their_own && (where & (where - 1)) == 0)
      detail::resume_together<Known>(block, where, stops, run,
                                     std::make_index_sequence < loops_of_their_own ? Barriers : 0 > {});
    else
      detail::resume_each<Known>(block, stops, run);
  }
}

}  // namespace cuemu

inline void cuemu_vote(cuemu::Votes& votes, const int yes) {
  votes.add(yes);
}
inline int cuemu_votes(const cuemu::Votes& votes) {
  return votes.last();
}
