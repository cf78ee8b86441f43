/// @file
/// The order of threads in a split kernel: the same order as with fibers, even where barriers are missing.
///
/// Each thread runs from one barrier to the next before the next thread begins. The code between two barriers may
/// consist of several steps, where uniform control flow divides it:
///
///   for (int t = 0; t < tiles; ++t) {
///     s[i] = in[t * 32 + i];        // A
///     __syncthreads();
///     sum += s[31 - i];             // B: no barrier after it, so a thread continues with A of the next iteration
///   }
///   out[i] = sum;                   // C
///
/// Each step is a loop over the threads. That is correct if no thread can observe it: no access of the step
/// conflicts with any access that may follow up to the next barrier. Otherwise the step is deferred. In its
/// original place, the block only notes that the step is due, and copies the uniform variables that may
/// change (here t). At the next barrier, or at the next step that isn't deferred, one loop over the threads
/// runs all due steps, thread by thread:
///
///   barrier in the loop:  none due: nothing; B due: for_threads { B with the former t; A }  …
///
/// A backlog is a list of steps that may be due at a place. All paths through the kernel are followed to find
/// the backlogs. Fibers run the kernel if this search never ends, since a path around a loop passes no
/// barrier. They also run it if code that warps run one after another would have to be deferred. Within such
/// code the same analysis runs for one warp, whose barriers are its warp functions.
#pragma once
#include <set>
#include <string>

#include "split/fission.hpp"

namespace emucc {

struct PhaseOrder {
  std::string refusal;             ///< the reason why there is no valid order; empty: there is one
  const Statement* cut = nullptr;  ///< a phase that ends after this leaf may give a valid order
  /// Tokens by which code that runs once for the block reads `__shared__` variables that threads may write
  /// between the previous barrier and the next one. No order is valid with these reads, but one may be valid
  /// without them.
  std::set<std::size_t> unsteady;
};

/// Sets the members of the plan's steps that describe their order.
/// @param end the end of the kernel's tokens
PhaseOrder order_phases(const Syntax& syntax, const KnownNames& names, const Uniformity& facts,
                        const MemoryEffects& memory, std::size_t end, Fission& plan);

}  // namespace emucc
