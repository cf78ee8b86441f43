// Barriers for a part of a block: the sixteen numbered barriers of PTX (bar.sync, bar.arrive), and a barrier for each
// tile of several warps.
#pragma once

#include "cuemu/thread.hpp"

namespace cuemu {

/// Numbers 0 … 15 are the barriers of PTX; the following numbers belong to tiles of 64, 128, 256, 512 and 1024 threads.
inline constexpr unsigned ptx_barriers = 16;
inline constexpr unsigned named_barriers = ptx_barriers + 16 + 8 + 4 + 2 + 1;

/// Returns the barrier of tile `tile` among tiles of `size` threads, from 64 to 1024.
constexpr unsigned tile_barrier(const unsigned size, const unsigned tile) {
  unsigned first = ptx_barriers;
  for (unsigned smaller = 64; smaller < size; smaller *= 2) first += max_block_threads / smaller;
  return first + tile;
}

/// Counts the caller, and waits until `threads` have been counted. All threads that meet must pass the same count.
void named_barrier_sync(unsigned barrier, unsigned threads, SourceLine where = SourceLine::here());
/// Counts the caller, without waiting.
void named_barrier_arrive(unsigned barrier, unsigned threads, SourceLine where = SourceLine::here());

}  // namespace cuemu

/// \name The barriers of PTX as functions
/// The participants are all threads of the block, or the given number of threads, which is a multiple of 32.
/// @{
inline void __barrier_sync(const unsigned barrier,
                           const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  if (barrier == 0)
    cuemu::block_barrier(where);
  else
    cuemu::named_barrier_sync(barrier, cuemu::current_fiber->block->thread_count, where);
}
inline void __barrier_sync_count(const unsigned barrier, const unsigned threads,
                                 const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  cuemu::named_barrier_sync(barrier, threads, where);
}
/// @}
