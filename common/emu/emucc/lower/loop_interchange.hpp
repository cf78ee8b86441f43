/// @file
/// Loop interchange (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", 5.2) of grid-stride loops:
///
///   for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
///
/// Run thread by thread, each thread walks through memory in steps of a whole grid, and finds nothing in the caches of
/// what the thread before it has used of the same cache lines. So all threads of the block take the first turn, then all the
/// second one …, as on a GPU: neighbours in the block read neighbours in memory.
///
/// That changes the order of threads, so it is done only where no thread can tell: the loop writes nothing but variables of the
/// thread's own, and adds to integers in shared memory by atomic functions whose result nobody uses and that commute.
#pragma once
#include "analyse/memory_effects.hpp"

namespace emucc {

/// Is the loop of that kind?
bool may_interchange(const Syntax& syntax, const Uniformity& facts, const MemoryEffects& memory,
                     const Statement& loop);

/// Is it a `__shared__` variable of `int` or `unsigned`, or an array of these?
/// @param or_floating of `float` or `double` will do, too
bool is_shared_number(const Syntax& syntax, const KernelVariable& variable, bool or_floating);

}  // namespace emucc
