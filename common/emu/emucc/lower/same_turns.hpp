/// @file
/// Writes a kernel a second time, for blocks whose threads take as many turns as each other in its loops.
///
/// `for (int i = threadIdx.x; i < n; i += blockDim.x)` around a barrier ends for all threads of a block at once where `n` is a
/// multiple of `blockDim.x`, which nobody can know before the kernel runs. But then it takes a few comparisons: of such a loop's
/// counter all threads have the same but for where they begin, so that they end together if the first thread and the last one
/// do. In the copy the loop counts with the first thread's value, which is the same for all, and each thread has its own by its
/// distance from that:
///
///   for (int cuemu_first_1 = 0; cuemu_first_1 < n; cuemu_first_1 += blockDim.x) {
///     const int i = cuemu_first_1 + (threadIdx.x - 0);
///     body
///   }
///
/// So the copy can be split at its barriers (fission.hpp). It runs where `question` says yes when a block begins; other blocks
/// run the kernel as it stands, by threads that are resumed.
#pragma once
#include <string>

#include "lower/fission.hpp"

namespace emucc {

struct SameTurns {
  std::string refusal;   ///< why there is no copy; empty: there is one
  Declaration found;     ///< the copy, behind the tokens that were there
  std::string question;  ///< an expression of C++: do the threads of the running block take the same turns?
};

/// @param syntax of `stream`, which is extended
/// @param resumed the plan of the kernel as it stands
SameTurns find_same_turns(TokenStream& stream, Syntax& syntax, const Declaration& kernel,
                          const Fission& resumed, const KnownNames& names);

}  // namespace emucc
