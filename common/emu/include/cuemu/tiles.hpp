// Cooperative groups within a warp: tiles, coalesced threads, and the ways to divide groups into smaller ones.
#pragma once

#include "cuemu/wide_tiles.hpp"

#include <type_traits>

namespace cooperative_groups {

/// Lanes of one warp that cooperate. This is the common part of tiles and coalesced groups. Values of any trivially
/// copyable type may be exchanged.
class lane_group : public thread_group {
 public:
  unsigned size() const { return count_; }
  unsigned num_threads() const { return count_; }
  unsigned thread_rank() const { return rank_of_lane(); }
  /// Returns the number of groups into which the parent was divided, and this group's number among them.
  unsigned meta_group_size() const { return meta_size_; }
  unsigned meta_group_rank() const { return meta_rank_; }

  /// Returns the value of the thread with rank `source`.
  template <typename Value>
  Value shfl(const Value value, const int source, const SourceLine where = SourceLine::here()) const {
    return shuffle(cuemu::Collective::shuffle, value, static_cast<unsigned>(source), where);
  }
  /// Returns the value of the thread `delta` ranks below (up) or above (down); the caller's value if there is none.
  template <typename Value>
  Value shfl_up(const Value value, const unsigned delta, const SourceLine where = SourceLine::here()) const {
    const unsigned rank = thread_rank();
    return shuffle(cuemu::Collective::shuffle_up, value, rank >= delta ? rank - delta : rank, where);
  }
  template <typename Value>
  Value shfl_down(const Value value, const unsigned delta,
                  const SourceLine where = SourceLine::here()) const {
    const unsigned rank = thread_rank();
    return shuffle(cuemu::Collective::shuffle_down, value, delta < count_ - rank ? rank + delta : rank,
                   where);
  }

  int any(const int predicate, const SourceLine where = SourceLine::here()) const {
    return __any_sync(mask_, predicate, where);
  }
  int all(const int predicate, const SourceLine where = SourceLine::here()) const {
    return __all_sync(mask_, predicate, where);
  }
  /// Returns a number in which bit r is the predicate of the thread with rank r.
  unsigned ballot(const int predicate, const SourceLine where = SourceLine::here()) const {
    return by_rank(__ballot_sync(mask_, predicate, where));
  }
  /// Returns the ranks with the same value.
  template <typename Value>
  unsigned match_any(const Value value, const SourceLine where = SourceLine::here()) const {
    return by_rank(__match_any_sync(mask_, value, where));
  }
  template <typename Value>
  unsigned match_all(const Value value, int& predicate, const SourceLine where = SourceLine::here()) const {
    return by_rank(__match_all_sync(mask_, value, &predicate, where));
  }

  /// Returns whether the ones of the mask are adjacent and begin at bit 0.
  static constexpr bool adjacent(const unsigned mask) { return (mask & (mask + 1u)) == 0; }
  /// Converts a mask of lanes to a mask of ranks.
  unsigned by_rank(const unsigned lane_mask) const {
    const unsigned lowest = cuemu::detail::lowest(mask_);
    if (adjacent(mask_ >> lowest)) return (lane_mask & mask_) >> lowest;  // adjacent lanes
    unsigned ranks = 0, rank = 0;
    cuemu::for_lanes(mask_, [&](const unsigned lane) { ranks |= (lane_mask >> lane & 1u) << rank++; });
    return ranks;
  }
  /// Returns the lane of a rank, [0, size).
  unsigned lane_of(const unsigned rank) const {
    const unsigned lowest = cuemu::detail::lowest(mask_);
    if (adjacent(mask_ >> lowest)) return lowest + rank;
    unsigned rest = mask_;
    for (unsigned i = 0; i < rank; ++i) rest &= rest - 1;
    return cuemu::detail::lowest(rest);
  }

 protected:
  lane_group(const unsigned mask, const unsigned count, const unsigned meta_size, const unsigned meta_rank)
      : thread_group(mask, count),
        meta_size_(static_cast<unsigned short>(meta_size)),
        meta_rank_(static_cast<unsigned short>(meta_rank)) {}

  /// For a rank outside the group, the result is the caller's value.
  template <typename Value>
  Value shuffle(const cuemu::Collective kind, const Value& value, const unsigned rank,
                const SourceLine where) const {
    const unsigned source = rank < count_ ? lane_of(rank) : cuemu::lane();
    return cuemu::detail::shuffle(mask_, kind, value, source, where);
  }

 private:
  unsigned short meta_size_, meta_rank_;
};

/// Threads of a warp that made a call together, or a part of such a group. Ranks follow the order of the lanes.
class coalesced_group : public lane_group {
 public:
  coalesced_group(const unsigned mask, const unsigned meta_size, const unsigned meta_rank)
      : lane_group(mask, static_cast<unsigned>(__builtin_popcount(mask)), meta_size, meta_rank) {}
};

/// Returns the threads of the warp that make this call together with the caller.
__attribute__((always_inline)) inline coalesced_group coalesced_threads(
    const SourceLine where = SourceLine::here()) {
  return coalesced_group(cuemu::converged_lanes(where), 1, 0);
}

/// The tiles of Size adjacent threads of a warp.
template <unsigned Size>
class warp_tile : public lane_group {
 public:
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return cuemu::lane() & (Size - 1); }

  template <typename Value>
  Value shfl(const Value value, const int source, const SourceLine where = SourceLine::here()) const {
    return shuffle(cuemu::Collective::shuffle, value, static_cast<unsigned>(source) & (Size - 1), where);
  }
  /// Returns the value of the thread whose rank differs in the given bits.
  template <typename Value>
  Value shfl_xor(const Value value, const unsigned bits, const SourceLine where = SourceLine::here()) const {
    return shuffle(cuemu::Collective::shuffle_xor, value, thread_rank() ^ bits, where);
  }

 protected:
  warp_tile(const unsigned meta_size, const unsigned meta_rank)
      : lane_group(0xffffffffu >> (32 - Size) << (cuemu::lane() & ~(Size - 1)), Size, meta_size, meta_rank) {}
};

template <unsigned Size, typename Parent = void>
class thread_block_tile;

/// A tile of Size adjacent threads of a block. Size is a power of two.
template <unsigned Size>
class thread_block_tile<Size, void>
    : public std::conditional_t<(Size <= 32), warp_tile<Size <= 32 ? Size : 32>, wide_tile<Size>> {
  static_assert(Size != 0 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");
  using Base = std::conditional_t<(Size <= 32), warp_tile<Size <= 32 ? Size : 32>, wide_tile<Size>>;

 protected:
  using Base::Base;
};

/// A tile with its parent group in its type.
template <unsigned Size, typename Parent>
class thread_block_tile : public thread_block_tile<Size, void> {
  thread_block_tile(const unsigned meta_size, const unsigned meta_rank)
      : thread_block_tile<Size, void>(meta_size, meta_rank) {}

  template <unsigned TileSize>
  friend thread_block_tile<TileSize, thread_block> tiled_partition(const thread_block& parent);
  template <unsigned TileSize, unsigned ParentSize, typename GrandParent>
  friend thread_block_tile<TileSize, thread_block_tile<ParentSize>> tiled_partition(
      const thread_block_tile<ParentSize, GrandParent>& parent);
};

/// \name Division into tiles
/// @{
template <unsigned TileSize>
inline thread_block_tile<TileSize, thread_block> tiled_partition(const thread_block& parent) {
  return {(parent.size() + TileSize - 1) / TileSize, parent.thread_rank() / TileSize};
}
template <unsigned TileSize, unsigned ParentSize, typename GrandParent>
inline thread_block_tile<TileSize, thread_block_tile<ParentSize>> tiled_partition(
    const thread_block_tile<ParentSize, GrandParent>& parent) {
  static_assert(TileSize <= ParentSize, "a tile is not larger than the group that it is a part of");
  return {ParentSize / TileSize, parent.thread_rank() / TileSize};
}
/// Divides a group into parts of `size` adjacent ranks; the last part may be smaller.
inline coalesced_group tiled_partition(const coalesced_group& parent, const unsigned size) {
  const unsigned part = parent.thread_rank() / size, first = part * size;
  unsigned mask = 0;
  for (unsigned rank = first; rank < first + size && rank < parent.size(); ++rank)
    mask |= 1u << parent.lane_of(rank);
  return coalesced_group(mask, (parent.size() + size - 1) / size, part);
}
template <unsigned TileSize>
inline coalesced_group tiled_partition(const coalesced_group& parent) {
  return tiled_partition(parent, TileSize);
}
/// Returns the caller's tile, of a size that is known only at run time: a power of two, at most 32.
inline thread_group tiled_partition(const thread_group& parent, const unsigned size) {
  if (parent.kind_ != thread_group::Kind::lanes || size < parent.count_) {
    const unsigned tile = 0xffffffffu >> (32 - (size < 32 ? size : 32)) << (cuemu::lane() & ~(size - 1));
    return thread_group(tile & parent.mask_, size);
  }
  return parent;
}
/// @}

/// \name Division by a value of each thread
/// @{
template <typename Group, typename Label>
inline coalesced_group labeled_partition(const Group& group, const Label label,
                                         const SourceLine where = SourceLine::here()) {
  const unsigned mine = __match_any_sync(group.lanes(), label, where);
  // Groups are numbered by their lowest lanes.
  const unsigned first_lane = cuemu::detail::lowest(mine);
  const unsigned leaders = __ballot_sync(group.lanes(), cuemu::lane() == first_lane, where);
  return coalesced_group(mine, static_cast<unsigned>(__builtin_popcount(leaders)),
                         static_cast<unsigned>(__builtin_popcount(leaders & ((1u << first_lane) - 1u))));
}
template <typename Group>
inline coalesced_group binary_partition(const Group& group, const bool predicate,
                                        const SourceLine where = SourceLine::here()) {
  const cuemu::detail::VoteCall votes =
      cuemu::detail::vote(group.lanes(), cuemu::Collective::ballot, predicate, where);
  return coalesced_group(predicate ? votes.holds : votes.present & ~votes.holds, 2, predicate ? 1 : 0);
}
/// @}

/// Runs `function(arguments…)` on one thread of the group and returns the result to all threads.
template <typename Function, typename... Arguments>
inline auto invoke_one_broadcast(const lane_group& group, Function&& function, Arguments&&... arguments) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.lane_of(0) == cuemu::lane()) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
