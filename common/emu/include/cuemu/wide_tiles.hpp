// Cooperative groups of several whole warps: tiles of 64, 128, 256, 512 and 1024 threads.
//
// Their threads exchange values as the lanes of warps do (cuemu/collective.hpp): each thread publishes a pointer to its
// call, all threads meet at the tile's own barrier, and the first thread that continues serves all.
#pragma once

#include "cuemu/groups.hpp"
#include "cuemu/named_barrier.hpp"

namespace cooperative_groups {

/// Memory that tiles of several warps need on GPUs before compute capability 8.0. Here it is unused.
template <unsigned MaxBlockSize = 1024>
struct alignas(8) block_tile_memory {
  unsigned char bytes[(MaxBlockSize + 31) / 32 * 8];
};
template <unsigned MaxBlockSize>
inline thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return this_thread_block();
}

/// The tiles of Size adjacent threads of a block. Size is a power of two and larger than a warp.
template <unsigned Size>
class wide_tile : public thread_group {
  static_assert(Size <= cuemu::max_block_threads, "a tile is not larger than a block: at most 1024 threads");

 public:
  void sync(const SourceLine where = SourceLine::here()) const {
    cuemu::named_barrier_sync(barrier(), Size, where);
  }
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return cuemu::current_fiber->linear & (Size - 1); }
  unsigned meta_group_size() const { return meta_size_; }
  unsigned meta_group_rank() const { return meta_rank_; }

  /// Returns the value of the thread with rank `source`.
  template <typename Value>
  Value shfl(const Value value, const int source, const SourceLine where = SourceLine::here()) const {
    struct Shuffle : cuemu::Call {
      Value value, result;
      unsigned source;
    };
    Shuffle mine{call(sizeof(Value)), value, value, static_cast<unsigned>(source) & (Size - 1)};
    collective(mine, where, [](Shuffle* const* calls) {
      for (unsigned rank = 0; rank < Size; ++rank) calls[rank]->result = calls[calls[rank]->source]->value;
    });
    return mine.result;
  }
  int any(const int predicate, const SourceLine where = SourceLine::here()) const {
    return count(predicate, where) != 0;
  }
  int all(const int predicate, const SourceLine where = SourceLine::here()) const {
    return count(predicate, where) == Size;
  }

  /// Returns the fields of a call that all kinds share.
  static cuemu::Call call(const size_t bytes) {
    return {0xffffffffu, cuemu::Collective::group, static_cast<uint16_t>(bytes)};
  }
  /// All threads of the tile publish `mine`, and one of them calls `serve(calls by rank)`.
  template <typename Kind, typename Serve>
  void collective(Kind& mine, const SourceLine where, const Serve serve) const {
    const cuemu::Uninterrupted whole(*cuemu::current_fiber);
    void*& shown = cuemu::warp_slots().calls[cuemu::lane()];
    shown = static_cast<cuemu::Call*>(&mine);
    sync(where);
    if (shown == nullptr) return;  // served
    Kind* calls[Size];
    const unsigned first = cuemu::current_fiber->linear & ~(Size - 1);
    for (unsigned rank = 0; rank < Size; ++rank) {
      const unsigned thread = first + rank;
      void*& slot = cuemu::current_fiber->block->warps[thread / cuemu::warp_width]
                        .slots.calls[thread % cuemu::warp_width];
      calls[rank] = static_cast<Kind*>(static_cast<cuemu::Call*>(slot));
      slot = nullptr;
    }
    serve(calls);
  }

 protected:
  wide_tile(const unsigned meta_size, const unsigned meta_rank)
      : thread_group(Size), meta_size_(meta_size), meta_rank_(meta_rank) {}

 private:
  static unsigned barrier() { return cuemu::tile_barrier(Size, cuemu::current_fiber->linear / Size); }

  unsigned count(const int predicate, const SourceLine where) const {
    struct Vote : cuemu::Call {
      unsigned value;
    };
    Vote mine{call(0), predicate != 0 ? 1u : 0u};
    collective(mine, where, [](Vote* const* calls) {
      unsigned total = 0;
      for (unsigned rank = 0; rank < Size; ++rank) total += calls[rank]->value;
      for (unsigned rank = 0; rank < Size; ++rank) calls[rank]->value = total;
    });
    return mine.value;
  }

  unsigned meta_size_, meta_rank_;
};

}  // namespace cooperative_groups
