// What the instrumentation says of an access.
#pragma once

namespace cuemu {

/// What an access does; a combination.
enum AccessKind : unsigned {
  reads = 0,
  writes = 1,
  is_atomic = 2,  ///< by an atomic function or operation
  is_volatile = 4,
  block_scope = 8,  ///< atomic for the threads of its block only
  publishes = 16,   ///< with release order
  keeps_old = 32,   ///< reads and writes in one step
  compares = 128,   ///< a compare-and-swap
  unaligned = 64    ///< the compiler knows that the address may be odd
};

}  // namespace cuemu
