// The loop over a block's threads, for kernels whose code tells each access: what stands between two threads. Compiled
// by itself without frames, since it takes as long as a kernel of a few lines; and without vectors in place of a few integers:
// what was stored in parts a moment ago would be loaded as a whole, which waits until those are in the cache. So x, which
// changes each time, is handed over by itself, too.
#include "cuemu/launch.hpp"

namespace cuemu::detail {

bool has_watched_thread(const Block& block) {
  return has_thread(block);
}

PackedIndex begin_watched_thread(Block& block) {
  Fiber& fiber = *current_fiber;
  const uint3 index = begin_thread(block, fiber);
  set_preemptible(fiber, true);
  return {index.x, index.y | std::uint64_t{index.z} << 32};
}

bool finish_watched_thread(Block& block) {
  Fiber& fiber = *current_fiber;
  set_preemptible(fiber, false);
  return !finish_thread(block, fiber) && has_thread(block);
}

}  // namespace cuemu::detail
