/// @file
/// Interchanges grid-stride loops (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 5.2):
///
///   for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
///
/// If the threads ran one after another, each thread would read memory in steps of a whole grid. The cache
/// lines that the previous thread used would have left the caches. So all threads of the block run the first
/// iteration, then all run the second one, and so on. As on a GPU, adjacent threads then read adjacent
/// elements.
///
/// The interchange changes the order of threads, so it is done only if no thread can observe the order. The loop may
/// write only the thread's own variables, and may add to integers in shared memory by commuting atomic functions
/// whose results are unused.
#pragma once
#include "facts/memory_effects.hpp"

namespace emucc {

/// Returns true if the loop can be interchanged.
bool may_interchange(const Syntax& syntax, const Uniformity& facts, const MemoryEffects& memory,
                     const Statement& loop);

/// Returns true if the variable is a `__shared__` variable of type `int` or `unsigned`, or an array of these.
/// @param or_floating also accepts `float` and `double`
bool is_shared_number(const Syntax& syntax, const KernelVariable& variable, bool or_floating);

}  // namespace emucc
