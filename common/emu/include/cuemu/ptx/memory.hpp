// PTX instructions for memory: loads and stores, atomics, fences, copies, addresses of the memory spaces, and special
// registers.
//
// An address in shared memory is the result of __cvta_generic_to_shared: an offset into the block's shared memory, so
// that it fits 32 bits as on a GPU. For another block of the cluster (mapa), the upper 8 bits contain the block's rank
// + 1. All other addresses are generic.
#pragma once

#include "cuemu/async_barrier.hpp"
#include "cuemu/device.hpp"
#include "cuemu/ptx/logic.hpp"
#include "device_functions.h"

namespace cuemu::ptx {

/// \name Addresses
/// @{
template <class Base>
inline u64 address(const Base& base, const s64 offset = 0) {
  return get<u64>(base) + static_cast<u64>(offset);
}
inline constexpr int rank_shift = 24;
inline u64 shared_address(const u64 offset) {
  const u64 above = offset >> rank_shift;
  if (__builtin_expect(above == 0 || above > max_cluster_blocks, 1))
    return reinterpret_cast<u64>(__cvta_shared_to_generic(offset));
  void* const own = __cvta_shared_to_generic(offset & ((1u << rank_shift) - 1));
  return reinterpret_cast<u64>(map_shared_rank(own, static_cast<u32>(above) - 1));
}
template <class D, class A>
inline void cvta_to_shared(D& d, const A& a) {
  set(d, static_cast<u64>(__cvta_generic_to_shared(reinterpret_cast<const void*>(get<u64>(a)))));
}
template <class D, class A>
inline void cvta_shared(D& d, const A& a) {
  set(d, shared_address(get<u64>(a)));
}
/// @}

/// \name Loads and stores. T may be narrower than the register.
/// @{
template <class T>
inline T load(const u64 at) {
  return *reinterpret_cast<const volatile T*>(at);
}
template <class T, class... D>
inline void ld(const u64 at, D&... d) {
  u64 next = at;
  ((set(d, load<T>(next)), next += sizeof(T)), ...);
}
template <class T, class... A>
inline void st(const u64 at, const A&... a) {
  u64 next = at;
  ((*reinterpret_cast<volatile T*>(next) = get<T>(a), next += sizeof(T)), ...);
}
/// A load with an order. A thread that waits by repeating such a load lets other threads run.
template <class T, class... D>
inline void ld_ordered(const u64 at, D&... d) {
  cuemu::detail::gave_nothing();
  ld<T>(at, d...);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
}
template <class T, class... A>
inline void st_ordered(const u64 at, const A&... a) {
  __atomic_thread_fence(__ATOMIC_RELEASE);
  st<T>(at, a...);
}
/// @}

/// \name Atomic operations; the old value goes to d
/// @{
enum class Atom { add, min, max, and_, or_, xor_, exch, inc, dec };
template <Atom How, class T, class D, class A>
inline void atom(D&& d, const u64 at, const A& a) {
  // The types of the CUDA functions. A wrapped sum has the same bits for signed numbers.
  using Sum = std::conditional_t<std::is_same_v<T, s64>, u64, T>;
  using Same = std::conditional_t<std::is_same_v<Sum, u64>, unsigned long long,
                                  std::conditional_t<std::is_same_v<Sum, s64>, long long, Sum>>;
  using Ordered = std::conditional_t<std::is_same_v<T, u64>, unsigned long long,
                                     std::conditional_t<std::is_same_v<T, s64>, long long, T>>;
  using Bits = std::conditional_t<sizeof(T) == 8, unsigned long long, u32>;
  if constexpr (How == Atom::add)
    set(d, cuemu::detail::atomic_add(reinterpret_cast<Same*>(at), static_cast<Same>(get<T>(a))));
  else if constexpr (How == Atom::min)
    set(d, cuemu::detail::atomic_min(reinterpret_cast<Ordered*>(at), static_cast<Ordered>(get<T>(a))));
  else if constexpr (How == Atom::max)
    set(d, cuemu::detail::atomic_max(reinterpret_cast<Ordered*>(at), static_cast<Ordered>(get<T>(a))));
  else if constexpr (How == Atom::and_)
    set(d, cuemu::detail::atomic_and(reinterpret_cast<Bits*>(at), get<Bits>(a)));
  else if constexpr (How == Atom::or_)
    set(d, cuemu::detail::atomic_or(reinterpret_cast<Bits*>(at), get<Bits>(a)));
  else if constexpr (How == Atom::xor_)
    set(d, cuemu::detail::atomic_xor(reinterpret_cast<Bits*>(at), get<Bits>(a)));
  else if constexpr (How == Atom::exch)
    set(d, cuemu::detail::atomic_exchange(reinterpret_cast<Bits*>(at), get<Bits>(a)));
  else if constexpr (How == Atom::inc)
    set(d, cuemu::detail::atomic_increment(reinterpret_cast<u32*>(at), get<u32>(a)));
  else
    set(d, cuemu::detail::atomic_decrement(reinterpret_cast<u32*>(at), get<u32>(a)));
}
template <class T, class D, class A, class B>
inline void atom_cas(D&& d, const u64 at, const A& expected, const B& desired) {
  using Bits =
      std::conditional_t<sizeof(T) == 8, unsigned long long, std::conditional_t<sizeof(T) == 2, u16, u32>>;
  set(d, cuemu::detail::atomic_compare_exchange(reinterpret_cast<Bits*>(at), get<Bits>(expected),
                                                get<Bits>(desired)));
}
inline void fence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
/// @}

/// \name Asynchronous copies, complete at once; barriers in shared memory
/// @{
template <class N>
inline void cp_async(const u64 to, const u64 from, const N& bytes) {
  ::cuemu::detail::copy_in_batch(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from),
                                 get<u32>(bytes));
}
/// Copies the first `present` bytes, and sets the rest to zero.
template <class N, class M>
inline void cp_async(const u64 to, const u64 from, const N& bytes, const M& present) {
  const u32 all = get<u32>(bytes), some = get<u32>(present) < all ? get<u32>(present) : all;
  ::cuemu::detail::copy_in_batch(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), all,
                                 all - some);
}
inline void cp_async_commit() {
  ::cuemu::detail::commit_batch();
}
template <class N>
inline void cp_async_wait(const N& prior) {
  ::cuemu::detail::wait_for_batches(get<u32>(prior));
}
inline void cp_async_wait_all() {
  ::cuemu::detail::commit_batch();
  ::cuemu::detail::wait_for_batches(0);
}
using Mbarrier = ::cuda::barrier<::cuda::thread_scope_block>;
inline Mbarrier& mbarrier(const u64 at) {
  return *reinterpret_cast<Mbarrier*>(at);
}
template <class N>
inline void mbarrier_init(const u64 at, const N& count) {
  init(&mbarrier(at), get<u32>(count));
}
template <class D>
inline void mbarrier_arrive(D&& state, const u64 at) {
  set(state, static_cast<u64>(mbarrier(at).arrive()));
}
template <class D, class N>
inline void mbarrier_arrive(D&& state, const u64 at, const N& count) {
  set(state, static_cast<u64>(mbarrier(at).arrive(get<u32>(count))));
}
/// arrive_drop: later phases expect one arrival less.
template <class D>
inline void mbarrier_arrive_drop(D&& state, const u64 at) {
  set(state, static_cast<u64>(mbarrier(at).arrive_and_drop()));
}
template <class S>
inline bool mbarrier_wait(const u64 at, const S& state) {
  return mbarrier(at).try_wait(get<u64>(state));
}
template <class S>
inline bool mbarrier_wait_parity(const u64 at, const S& parity) {
  return mbarrier(at).try_wait_parity((get<u32>(parity) & 1u) != 0);
}
/// @}

/// \name Special registers
/// @{
inline u32 laneid() {
  return lane();
}
inline u32 warpid() {
  return warp();
}
inline u32 nwarpid() {
  return max_block_warps;
}
/// Returns the number of the multiprocessor. Blocks run on any free worker, so any number is correct.
inline u32 smid() {
  return block_idx().x % 16;
}
inline u32 nsmid() {
  return 16;
}
inline u64 gridid() {
  return 1;
}
inline u32 clock32() {
  return static_cast<u32>(device_clock());
}
inline u32 clock_hi() {
  return static_cast<u32>(static_cast<u64>(device_clock()) >> 32);
}
inline u64 clock64() {
  return static_cast<u64>(device_clock());
}
/// @}

}  // namespace cuemu::ptx
