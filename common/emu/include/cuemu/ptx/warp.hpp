// PTX instructions for warps and barriers: shuffles, votes, matches, reductions, bar.sync.
#pragma once

#include "cuemu/named_barrier.hpp"
#include "cuemu/ptx/memory.hpp"
#include "cuemu/warp.hpp"

namespace cuemu::ptx {

/// shfl: c contains the last lane of the segment (bits 0 to 4; the first lane for `up`), and the mask of the bits that
/// all lanes of a segment share (bits 8 to 12). `valid` becomes true if the source lane lies in the segment.
template <Collective How, class D, class P, class A, class B, class C, class M>
inline void shfl(D& d, P&& valid, const A& a, const B& b, const C& c, const M& mask, const SourceLine where) {
  const u32 me = lane(), by = get<u32>(b) & 31u, clamp = get<u32>(c) & 31u, segment = get<u32>(c) >> 8 & 31u;
  const u32 last = (me & segment) | (clamp & ~segment);
  u32 from = me;
  bool inside = false;
  switch (How) {
    case Collective::shuffle_up:
      inside = static_cast<s32>(me - by) >= static_cast<s32>(last);
      from = me - by;
      break;
    case Collective::shuffle_down:
      inside = me + by <= last;
      from = me + by;
      break;
    case Collective::shuffle_xor:
      inside = (me ^ by) <= last;
      from = me ^ by;
      break;
    default:
      from = (me & segment) | (by & ~segment);
      inside = from <= last;
  }
  set(valid, inside);
  set(d, cuemu::detail::shuffle(get<u32>(mask), How, get<u32>(a), inside ? from : me, where));
}
template <class D, class P, class M>
inline void vote_ballot(D& d, const P& p, const M& mask, const SourceLine where) {
  set(d, __ballot_sync(get<u32>(mask), get<bool>(p), where));
}
template <class D, class P, class M>
inline void vote_any(D& d, const P& p, const M& mask, const SourceLine where) {
  set(d, __any_sync(get<u32>(mask), get<bool>(p), where) != 0);
}
template <class D, class P, class M>
inline void vote_all(D& d, const P& p, const M& mask, const SourceLine where) {
  set(d, __all_sync(get<u32>(mask), get<bool>(p), where) != 0);
}
template <class D, class P, class M>
inline void vote_uni(D& d, const P& p, const M& mask, const SourceLine where) {
  set(d, __uni_sync(get<u32>(mask), get<bool>(p), where) != 0);
}
template <class T, class D, class A, class M>
inline void match_any(D& d, const A& a, const M& mask, const SourceLine where) {
  set(d, __match_any_sync(get<u32>(mask), get<T>(a), where));
}
template <class T, class D, class P, class A, class M>
inline void match_all(D& d, P&& all, const A& a, const M& mask, const SourceLine where) {
  int same = 0;
  set(d, __match_all_sync(get<u32>(mask), get<T>(a), &same, where));
  set(all, same != 0);
}
enum class Redux { add, min, max, and_, or_, xor_ };
template <Redux How, class T, class D, class A, class M>
inline void redux(D& d, const A& a, const M& mask, const SourceLine where) {
  const T x = get<T>(a);
  const u32 lanes = get<u32>(mask), bits = get<u32>(a);
  if constexpr (How == Redux::add)
    set(d, __reduce_add_sync(lanes, x, where));
  else if constexpr (How == Redux::min)
    set(d, __reduce_min_sync(lanes, x, where));
  else if constexpr (How == Redux::max)
    set(d, __reduce_max_sync(lanes, x, where));
  else if constexpr (How == Redux::and_)
    set(d, __reduce_and_sync(lanes, bits, where));
  else if constexpr (How == Redux::or_)
    set(d, __reduce_or_sync(lanes, bits, where));
  else
    set(d, __reduce_xor_sync(lanes, bits, where));
}
/// elect.sync: selects the lowest lane of the mask.
template <class D, class P, class M>
inline void elect(D&& d, P&& elected, const M& mask, const SourceLine where) {
  const u32 lanes = get<u32>(mask), first = static_cast<u32>(__builtin_ctz(lanes));
  __syncwarp(lanes, where);
  set(d, first);
  set(elected, lane() == first);
}
template <class M>
inline void syncwarp(const M& mask, const SourceLine where) {
  __syncwarp(get<u32>(mask), where);
}

/// \name bar.sync, bar.arrive, bar.red: barrier 0 with all threads is __syncthreads
/// @{
inline u32 threads_of_block() {
  return current_fiber->block->thread_count;
}
inline void cluster_arrive() {
  cluster_barrier_arrive();
}
inline void cluster_wait(const SourceLine where) {
  cluster_barrier_wait(where);
}
template <class N>
inline void bar_sync(const N& number, const SourceLine where) {
  const u32 barrier = get<u32>(number);
  if (barrier == 0)
    block_barrier(where);
  else
    named_barrier_sync(barrier < ptx_barriers ? barrier : ~0u, threads_of_block(), where);
}
template <class N, class C>
inline void bar_sync(const N& number, const C& count, const SourceLine where) {
  const u32 barrier = get<u32>(number), threads = get<u32>(count);
  if (barrier == 0 && threads == threads_of_block())
    block_barrier(where);
  else
    named_barrier_sync(barrier < ptx_barriers ? barrier : ~0u, threads, where);
}
template <class N, class C>
inline void bar_arrive(const N& number, const C& count, const SourceLine where) {
  const u32 barrier = get<u32>(number);
  named_barrier_arrive(barrier < ptx_barriers ? barrier : ~0u, get<u32>(count), where);
}
enum class Gather { popc, and_, or_ };
/// bar.red on barrier 0, for all threads.
template <Gather How, class D, class P>
inline void bar_red(D& d, const P& p, const SourceLine where) {
  const int x = get<bool>(p) ? 1 : 0;
  if constexpr (How == Gather::popc)
    set(d, static_cast<u32>(block_barrier_count(x, where)));
  else if constexpr (How == Gather::and_)
    set(d, block_barrier_and(x, where) != 0);
  else
    set(d, block_barrier_or(x, where) != 0);
}
/// @}

}  // namespace cuemu::ptx
