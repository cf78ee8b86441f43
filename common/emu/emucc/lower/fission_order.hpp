/// @file
/// The order of threads in a kernel that is split: the one that fibers give, with missing barriers too.
///
/// Each thread runs from one barrier to the next before the thread behind it begins. What lies between two
/// barriers may be several steps, where control flow that all threads take together parts it:
///
///   for (int t = 0; t < tiles; ++t) {
///     s[i] = in[t * 32 + i];        // A
///     __syncthreads();
///     sum += s[31 - i];             // B: no barrier behind it, so a thread goes on to A of the next turn
///   }
///   out[i] = sum;                   // C
///
/// Each step is a loop over the threads. That is as good where no thread can tell: nothing of the one step
/// conflicts with anything that may follow up to the next barrier. Otherwise the step is deferred. Its place
/// is left with a note that it is due and with copies of the uniform variables that may change (here t), and
/// where the barrier comes, or a step that is not deferred, one loop over the threads runs all that is due,
/// thread by thread:
///
///   barrier in the loop:  none due: nothing; B due: for_threads { B with the former t; A }  …
///
/// Which steps may be due at a place, the backlogs, is found by following all ways through the kernel. Where
/// that never ends (a way around a loop that passes no barrier), or a stretch that warps run one after
/// another would have to be deferred, the kernel is left to fibers. Within such a stretch the same is done for
/// one warp, whose barriers are its warp functions.
#pragma once
#include <set>
#include <string>

#include "lower/fission.hpp"

namespace emucc {

struct PhaseOrder {
  std::string refusal;             ///< why the order can't be had; empty: it can
  const Statement* cut = nullptr;  ///< but perhaps if a phase ended behind this leaf
  /// Tokens by which what runs once for the block reads `__shared__` variables that threads may write between the
  /// barriers before and behind: with these there is no order to be had, but perhaps without.
  std::set<std::size_t> unsteady;
};

/// Fills in what the steps of `plan` say about their order.
/// @param end of the kernel's tokens
PhaseOrder order_phases(const Syntax& syntax, const KnownNames& names, const Uniformity& facts,
                        const MemoryEffects& memory, std::size_t end, Fission& plan);

}  // namespace emucc
