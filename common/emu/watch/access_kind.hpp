// The kinds of accesses that the compilers' instrumentation reports.
#pragma once

namespace cuemu {

/// Flags of an access.
enum AccessKind : unsigned {
  reads = 0,
  writes = 1,
  is_atomic = 2,  ///< by an atomic function or operation
  is_volatile = 4,
  block_scope = 8,  ///< atomic only for the threads of its block
  publishes = 16,   ///< with release order
  keeps_old = 32,   ///< reads and writes in one step
  compares = 128,   ///< a compare-and-swap
  unaligned = 64    ///< the compiler knows that the address may be misaligned
};

}  // namespace cuemu
