#include "thread_storage.hpp"

#include <cstdlib>

#include "cuda_runtime_api.h"
#include "cuemu/launch.hpp"
#include "worker.hpp"

namespace cuemu {

void ThreadStorage::Free::operator()(void* memory) const noexcept {
  std::free(memory);
}

void* ThreadStorage::get(unsigned slot, std::size_t bytes) {
  if (slot >= pieces_.size()) pieces_.resize(slot + 1);
  Piece& piece = pieces_[slot];
  if (piece.bytes < bytes) {
    // Pieces at equal distances would share cache sets, so the size is an odd number of cache lines.
    const std::size_t rounded = (bytes + 127) / 128 * 128 + 64;
    piece.memory.reset(std::aligned_alloc(64, rounded));
    piece.bytes = piece.memory != nullptr ? rounded : 0;
  }
  return piece.memory.get();
}

namespace detail {

void* thread_storage(unsigned slot, std::size_t bytes) {
  void* memory = nullptr;
  {
    const RuntimeSection section;
    memory = resident_of(*current_fiber->block).storage.get(slot, bytes);
  }
  if (memory == nullptr && bytes > 0)
    stop_kernel(cudaErrorMemoryAllocation, "no memory is left for its threads' local variables");
  return memory;
}

}  // namespace detail

}  // namespace cuemu
