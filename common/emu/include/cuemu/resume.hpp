// What emucc makes of kernels whose threads are resumed: one loop over the threads of a block, in which each goes on from the
// barrier where it stopped to the next one. See fission_resume.cpp of emucc for which kernels these are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "cuemu/fission.hpp"

namespace cuemu {

/// A barrier that counts, in such a kernel. Each thread reads the count after it has gone on, when others behind it may have been
/// counted for the next time.
class Votes {
 public:
  void add(const int yes) { next_ += yes != 0 ? 1 : 0; }
  /// All have been counted: the barrier is passed.
  void pass() { last_ = std::exchange(next_, 0); }
  int last() const { return last_; }

 private:
  int next_ = 0, last_ = 0;
};

/// So many barriers a kernel whose threads are resumed may have.
inline constexpr unsigned most_resumed_barriers = 63;

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

/// Stands for whichever barrier a thread stands at.
inline constexpr unsigned any_stop = most_resumed_barriers + 1;

/// Runs the threads that stand at barrier `Stop`, each to the next one; 0: all threads, from the beginning.
/// @param stops of each thread where it stands, for the next time; 0: it has returned
/// @return as bits, where they stand then
template <unsigned Stop, bool Known, class Run>
__attribute__((always_inline)) inline std::uint64_t resume_from(const dim3& block, unsigned char* const stops,
                                                                Run&& run) {
  std::uint64_t where = 0;
  for_resumed_threads<Known>(
      block, [&](const uint3 index, const std::size_t at) __attribute__((always_inline)) {
        if (Stop == any_stop ? stops[at] == 0 : Stop != 0 && stops[at] != Stop) return;
        const unsigned next = run(index, at, Stop == any_stop ? stops[at] : Stop);
        stops[at] = static_cast<unsigned char>(next);
        where |= std::uint64_t{1} << next;
      });
  return where;
}

/// The same, where all that have not returned stand at one barrier.
template <bool Known, class Run, std::size_t... Index>
__attribute__((always_inline)) inline std::uint64_t resume_together(const unsigned stop, const dim3& block,
                                                                    unsigned char* const stops, Run&& run,
                                                                    std::index_sequence<Index...>) {
  std::uint64_t where = 0;
  static_cast<void>(
      ((stop == Index + 1 && (where = resume_from<Index + 1, Known>(block, stops, run), true)) || ...));
  return where;
}

}  // namespace detail

/// Runs a block: all threads, one after another, from barrier to barrier. As on a GPU a barrier is passed when all threads that
/// have not returned stand at one, at whichever.
/// @param passed is called each time when a barrier is passed, before the first thread goes on
/// @param run `run(threadIdx, linear index, stop)` runs a thread from barrier `stop`, or from the beginning where that is 0, to
///            the next one, and gives its number, or 0 where the thread has returned
template <unsigned Barriers, bool Known, class Passed, class Run>
inline void resume_threads(const dim3 block, Passed&& passed, Run&& run) {
  static_assert(Barriers <= most_resumed_barriers, "threads have one bit for each barrier");
  static_assert(most_resumed_barriers < 64, "of a number of 64 bits");
  unsigned char* const stops = values_for_threads<unsigned char>(0, block);
  std::uint64_t where = detail::resume_from<0, Known>(block, stops, run) & ~std::uint64_t{1};
  while (where != 0) {
    passed();
    if (Barriers <= detail::most_loops_of_their_own && (where & (where - 1)) == 0)
      where = detail::resume_together<Known>(
          static_cast<unsigned>(__builtin_ctzll(where)), block, stops, run,
          std::make_index_sequence < Barriers <= detail::most_loops_of_their_own ? Barriers : 0 > {});
    else
      where = detail::resume_from<detail::any_stop, Known>(block, stops, run);
    where &= ~std::uint64_t{1};
  }
}

}  // namespace cuemu

inline void cuemu_vote(cuemu::Votes& votes, const int yes) {
  votes.add(yes);
}
inline int cuemu_votes(const cuemu::Votes& votes) {
  return votes.last();
}
