/// @file
/// Writes a kernel a second time, for blocks whose threads run equally many iterations of its loops.
///
/// `for (int i = threadIdx.x; i < n; i += blockDim.x)` around a barrier ends for all threads of a block at
/// once if `n` is a multiple of `blockDim.x`. The running kernel can check this with a few comparisons: the
/// threads' counters differ only in their first values, so all threads end together if the first and the last
/// thread do. In the copy, the loop counts with the first thread's value, which is uniform. A thread's value
/// is the sum of the first thread's value and the distance between the two:
///
///   for (int cuemu_first_1 = 0; cuemu_first_1 < n; cuemu_first_1 += blockDim.x) {
///     const int i = cuemu_first_1 + (threadIdx.x - 0);
///     body
///   }
///
/// So the copy can be split at its barriers (fission.hpp). The copy runs if `question` is true when a block begins.
/// Other blocks run the original kernel with resumed threads.
#pragma once
#include <string>

#include "split/fission.hpp"

namespace emucc {

struct SameTurns {
  std::string refusal;  ///< the reason why there is no copy; empty: there is one
  Declaration found;    ///< the copy, after the original tokens
  std::string
      question;  ///< a C++ expression: do the threads of the running block run equally many iterations?
};

/// @param syntax the syntax of `stream`; both are extended
/// @param resumed the plan of the original kernel
SameTurns find_same_turns(TokenStream& stream, Syntax& syntax, const Declaration& kernel,
                          const Fission& resumed, const KnownNames& names);

}  // namespace emucc
