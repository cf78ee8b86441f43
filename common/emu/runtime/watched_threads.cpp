// The loop over a block's threads for kernels whose code reports each access. The code here runs between two threads.
// It takes as long as a kernel of a few lines, so it is compiled separately and without frames. It is compiled without
// vector instructions, because a vector load of recently stored parts waits until the stores have reached the cache. x
// is a separate parameter because it changes in each iteration.
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
