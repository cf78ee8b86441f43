// PTX instructions for bulk copies and related tasks: cp.async.bulk and cp.reduce.async.bulk, tensor maps and their
// changes by kernels, transactions of mbarriers, and addresses of other blocks' shared memory.
#pragma once

#include "cuemu/bulk_copy.hpp"
#include "cuemu/ptx/warp.hpp"

namespace cuemu::ptx {

struct f16;
struct bf16;

/// \name Transactions of a barrier
/// @{
template <class D, class N>
inline void mbarrier_arrive_expect_tx(D&& state, const u64 at, const N& bytes) {
  set(state, static_cast<u64>(mbarrier(at).arrive_expecting(1, get<u32>(bytes))));
}
template <class N>
inline void mbarrier_expect_tx(const u64 at, const N& bytes) {
  mbarrier(at).expect_bytes(get<u32>(bytes));
}
template <class N>
inline void mbarrier_complete_tx(const u64 at, const N& bytes) {
  mbarrier(at).complete_bytes(get<u32>(bytes));
}
/// @}

/// \name Bulk copies, with the barrier that signals completion and with the receiving blocks of the cluster
/// @{
template <class N>
inline void cp_async_bulk(const u64 to, const u64 from, const N& bytes) {
  bulk::copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), get<u32>(bytes));
}
template <class N>
inline void cp_async_bulk(const u64 to, const u64 from, const N& bytes, const u64 barrier) {
  bulk::copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), get<u32>(bytes),
             mbarrier(barrier));
}
template <class N, class M>
inline void cp_async_bulk(const u64 to, const u64 from, const N& bytes, const u64 barrier, const M& blocks) {
  bulk::copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), get<u32>(bytes),
             mbarrier(barrier), get<u16>(blocks));
}

using bulk::Reduction;
/// The element type of a bitwise reduction.
template <class T>
struct Reduced {
  using Type = T;
};
template <>
struct Reduced<f16> {
  using Type = Binary16;
};
template <>
struct Reduced<bf16> {
  using Type = Bfloat16;
};
template <>
struct Reduced<u64> {
  using Type = unsigned long long;
};
template <>
struct Reduced<s64> {
  using Type = long long;
};
template <Reduction How, class T, class N>
inline void cp_reduce_async_bulk(const u64 to, const u64 from, const N& bytes) {
  bulk::reduce<How, typename Reduced<T>::Type>(reinterpret_cast<void*>(to),
                                               reinterpret_cast<const void*>(from), get<u32>(bytes));
}
template <Reduction How, class T, class N>
inline void cp_reduce_async_bulk(const u64 to, const u64 from, const N& bytes, const u64 barrier) {
  bulk::reduce<How, typename Reduced<T>::Type>(
      reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), get<u32>(bytes), mbarrier(barrier));
}
/// @}

/// \name Tiles of tensors
/// @{
template <class... C>
inline bulk::Coordinates coordinates(const C&... c) {
  return bulk::Coordinates(sizeof...(C), get<s32>(c)...);
}
/// Returns the place of a column of pixels, with the offsets of a load.
template <class... O>
inline bulk::Coordinates im2col(bulk::Coordinates place, const O&... offsets) {
  const s32 all[] = {get<s32>(offsets)..., 0};
  for (unsigned d = 0; d < sizeof...(O); ++d) place.offset[d] = all[d];
  place.is_im2col = true;
  return place;
}
inline void load_tile(const u64 to, const u64 map, const bulk::Coordinates& place, const u64 barrier) {
  bulk::load_tile(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(map), place, mbarrier(barrier));
}
template <class M>
inline void load_tile(const u64 to, const u64 map, const bulk::Coordinates& place, const u64 barrier,
                      const M& blocks) {
  bulk::load_tile(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(map), place, mbarrier(barrier),
                  get<u16>(blocks));
}
inline void store_tile(const u64 map, const bulk::Coordinates& place, const u64 from) {
  bulk::store_tile(reinterpret_cast<const void*>(map), place, reinterpret_cast<const void*>(from));
}
template <Reduction How>
inline void reduce_tile(const u64 map, const bulk::Coordinates& place, const u64 from) {
  bulk::reduce_tile<How>(reinterpret_cast<const void*>(map), place, reinterpret_cast<const void*>(from));
}
/// @}

/// \name Changes of tensor maps by a kernel. For a field without dimensions, the dimension is 0.
/// @{
using bulk::MapField;
template <MapField field, class T, class D, class A>
inline void tensormap_replace(const u64 map, const D& dimension, const A& value) {
  bulk::replace_field(reinterpret_cast<void*>(map), field, get<u32>(dimension), get<T>(value));
}
/// The warp copies a map from shared to global memory, and releases it.
template <class N>
inline void tensormap_cp_fenceproxy(const u64 to, const u64 from, const N& bytes, const SourceLine where) {
  __syncwarp(0xffffffffu, where);
  if (lane() == 0)
    ::cuemu::detail::copy_bytes(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from),
                                get<u32>(bytes));
  fence();
  __syncwarp(0xffffffffu, where);
}
/// @}

/// \name Shared memory of the cluster's blocks. An address of 32 bits has the block's rank + 1 above the offset
/// (memory.hpp).
/// @{
template <class D, class A, class R>
inline void mapa_shared(D& d, const A& a, const R& rank) {
  set(d, (get<u32>(a) & ((1u << rank_shift) - 1)) | (get<u32>(rank) + 1) << rank_shift);
}
template <class D, class A, class R>
inline void mapa(D& d, const A& a, const R& rank) {
  set(d, reinterpret_cast<u64>(map_shared_rank(reinterpret_cast<const void*>(get<u64>(a)), get<u32>(rank))));
}
inline u32 getctarank_of(const u64 address) {
  return query_shared_rank(reinterpret_cast<const void*>(address));
}
/// st.async: a store. A barrier in the same block as the destination counts its bytes.
template <class T, class... A>
inline void st_async(const u64 at, const u64 barrier, const A&... a) {
  st<T>(at, a...);
  mbarrier(barrier).complete_bytes(static_cast<u32>(sizeof...(A) * sizeof(T)));
}
/// @}

}  // namespace cuemu::ptx
