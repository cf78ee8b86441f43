// What emucc makes of kernels whose threads are resumed: one loop over the threads of a block, in which each goes on from the
// barrier where it stopped to the next one. See fission_resume.cpp of emucc for which kernels these are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "cuemu/fission.hpp"

namespace cuemu {

/// A barrier that counts, in such a kernel. Each thread reads the count after it has gone on, when others behind it may have been
/// counted for the next time.
class Votes {
 public:
  void add(const int yes) { next_ += yes != 0 ? 1 : 0; }
  /// All have been counted: the barrier is passed.
  void pass() {
    last_ = next_;
    next_ = 0;
  }
  int last() const { return last_; }

 private:
  int next_ = 0, last_ = 0;
};

/// So many barriers a kernel whose threads are resumed may have.
inline constexpr unsigned most_resumed_barriers = 63;

/// Where a thread stands: the bit of that barrier, from 1 on; bit 0: it has returned. So where several stand is a number too, and
/// as small a one as can be.
template <unsigned Barriers>
using Stop =
    std::conditional_t<(Barriers < 8), std::uint8_t,
                       std::conditional_t<(Barriers < 16), std::uint16_t,
                                          std::conditional_t<(Barriers < 32), std::uint32_t, std::uint64_t>>>;

namespace detail {

/// Of so many barriers each has a loop of its own, in which compilers see where its threads go on.
inline constexpr unsigned most_loops_of_their_own = 4;

template <bool Known, class Phase>
__attribute__((always_inline)) inline void for_resumed_threads(const dim3& block, Phase&& phase) {
  if constexpr (Known)
    for_known_threads(block, phase);
  else
    for_threads(block, phase);
}

/// Runs all threads, each to the next barrier.
/// @param stop where they all stand; 0: at the beginning
/// @param stops of each thread where it stands then
template <bool Known, class Stop, class Run>
__attribute__((always_inline)) inline void resume_all(const dim3& block, const Stop stop, Stop* const stops,
                                                      Run&& run) {
  for_resumed_threads<Known>(
      block, [&](const uint3 index, const std::size_t at)
                 __attribute__((always_inline)) { stops[at] = run(index, at, stop); });
}

/// The same for one of the barriers, with a loop for each.
template <bool Known, class Stop, class Run, std::size_t... Index>
__attribute__((always_inline)) inline void resume_together(const dim3& block, const Stop stop,
                                                           Stop* const stops, Run&& run,
                                                           std::index_sequence<Index...>) {
  static_cast<void>(((stop == Stop{2} << Index &&
                      (resume_all<Known>(block, static_cast<Stop>(Stop{2} << Index), stops, run), true)) ||
                     ...));
}

/// The same for the threads that have not returned, wherever they stand.
template <bool Known, class Stop, class Run>
__attribute__((always_inline)) inline void resume_each(const dim3& block, Stop* const stops, Run&& run) {
  for_resumed_threads<Known>(
      block, [&](const uint3 index, const std::size_t at) __attribute__((always_inline)) {
        if (stops[at] != 1) stops[at] = run(index, at, stops[at]);
      });
}

/// Where any of the threads stand. That is asked in a loop of its own, which compilers vectorise.
template <class Stop>
__attribute__((always_inline)) inline Stop all_stops(const Stop* const stops, const std::size_t threads) {
  Stop all = 0;
  for (std::size_t at = 0; at < threads; ++at) all |= stops[at];
  return all;
}

}  // namespace detail

/// Runs a block: all threads, one after another, from barrier to barrier. As on a GPU a barrier is passed when all threads that
/// have not returned stand at one, at whichever. While none has returned and all stand at the same one, as is usual, no thread
/// is asked where it stands.
/// @param passed is called each time when a barrier is passed, before the first thread goes on
/// @param run `run(threadIdx, linear index, stop)` runs a thread from where it stands, or from the beginning where that is 0, to
///            the next barrier, and gives where it stands then
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
