// Warp functions of device code: shuffles, votes, matches, reductions, and the active lanes.
//
// Each function takes a mask of the lanes that make the call. The kernel stops with a message if a lane is not in its
// own mask, or if lanes that name each other make different calls. Lanes of the mask that have returned are ignored.
#pragma once

#include "cuemu/bits.hpp"
#include "cuemu/collective.hpp"

namespace cuemu::detail {

#ifdef CUEMU_CHECK
/// Reports to the checker the lanes that a warp function has found, and whose mask the program has received.
extern "C" void cuemu_check_lanes(uint32_t lanes);
/// Reports that the calling lane reads the value of a lane that its mask names but that has returned, or that its
/// mask does not name.
extern "C" void cuemu_check_absent_lane(unsigned source, uint32_t mask, const char* file, int line);
/// Returns whether a tool requires that each lane of a warp runs separately.
extern "C" bool cuemu_check_keeps_lanes_apart();

/// Returns whether a value from outside the mask certainly affects the result. In a sum with __shfl_down_sync the upper
/// lanes read values that they do not use, and in a sum with __shfl_up_sync the lower lanes do.
inline bool wants_from_outside(const uint32_t mask, const Collective kind) {
  if (kind == Collective::shuffle_down) return lane() == lowest(mask);
  if (kind == Collective::shuffle_up) return mask >> lane() == 1u;
  return true;
}
#endif

struct ShuffleCall : Call {
  unsigned source;    ///< the lane whose value is wanted
  const void* value;  ///< value of this lane, which other lanes may read
  void* result;
  bool found;  ///< whether the source takes part
};
void shuffle(ShuffleCall& mine, SourceLine where);

/// Returns the value of lane `source` of the warp; zero if the lane does not take part. CUDA leaves that value
/// undefined, but GPUs return zero, and sums over fewer lanes than the loop's first step rely on zero.
template <typename Value>
inline Value shuffle(const uint32_t mask, const Collective kind, const Value& value, const unsigned source,
                     const SourceLine where) {
  Value result = value;
  ShuffleCall mine{{mask, kind, sizeof(Value)}, source, &value, &result, false};
  shuffle(mine, where);
#ifdef CUEMU_CHECK
  if (!mine.found && ((mask >> source & 1u) != 0 || wants_from_outside(mask, kind)))
    cuemu_check_absent_lane(source, mask, where.file, where.line);
#endif
  return result;
}

/// Returns the lane that a shuffle of this kind reads for lane `me`, in segments of `width` lanes (a power of two, at
/// most
/// 32). If that lane is outside the segment, lane `me` reads its own value.
template <Collective Kind>
inline unsigned shuffle_source(const unsigned me, const unsigned argument, const unsigned width) {
  const unsigned inner = width - 1u, step = argument & 31u;
  if constexpr (Kind == Collective::shuffle) return (me & ~inner & 31u) | (argument & inner & 31u);
  if constexpr (Kind == Collective::shuffle_up) return me >= (me & ~inner) + step ? me - step : me;
  if constexpr (Kind == Collective::shuffle_down) return me + step <= (me | inner) ? me + step : me;
  // Lanes of lower segments may be read, but not lanes of higher segments.
  if constexpr (Kind == Collective::shuffle_xor) return (me ^ step) <= (me | inner) ? me ^ step : me;
}

struct VoteCall : Call {
  bool predicate;
  uint32_t holds;    ///< lanes whose predicate holds
  uint32_t present;  ///< lanes that voted
};

void vote(VoteCall& mine, SourceLine where);

inline VoteCall vote(const uint32_t mask, const Collective kind, const bool predicate,
                     const SourceLine where) {
  VoteCall mine{{mask, kind, 0}, predicate, 0, 0};
  vote(mine, where);
#ifdef CUEMU_CHECK
  cuemu_check_lanes(mine.holds);
#endif
  return mine;
}

struct MatchCall : Call {
  uint64_t value;  ///< bits, zero-extended
  uint32_t equal;  ///< lanes with the same value
  uint32_t present;
};

/// Finds for each lane the lanes with equal values.
void match(MatchCall& mine, SourceLine where);

inline MatchCall match(const uint32_t mask, const Collective kind, const uint64_t value, const uint16_t bytes,
                       const SourceLine where) {
  MatchCall mine{{mask, kind, bytes}, value, 0, 0};
  match(mine, where);
#ifdef CUEMU_CHECK
  cuemu_check_lanes(mine.equal);
#endif
  return mine;
}

template <typename Value>
inline uint64_t bits_of(const Value value) {
  if constexpr (sizeof(Value) == 8) {
    return bit_cast<uint64_t>(value);
  } else {
    return bit_cast<uint32_t>(value);
  }
}

/// A tag type for each way to combine two values.
template <Collective Kind>
struct KindOf {};

template <typename Value>
struct ReduceCall : Call {
  Value value;
};

/// Returns the values of all lanes combined, in the order of the lanes.
template <typename Value, typename Combine>
inline Value reduce(const uint32_t mask, const Collective kind, const Value& value, const SourceLine where,
                    const Combine combine) {
  ReduceCall<Value> mine{{mask, kind, sizeof(Value)}, value};
  collective(mine, where, [&combine](const Participants& warp) {
    const unsigned first = lowest(warp.present);
    Value total = warp.call<ReduceCall<Value>>(first).value;
    for_lanes(warp.present & (warp.present - 1),
              [&](const unsigned lane) { total = combine(total, warp.call<ReduceCall<Value>>(lane).value); });
    for_lanes(warp.present, [&](const unsigned lane) { warp.call<ReduceCall<Value>>(lane).value = total; });
  });
  return mine.value;
}

}  // namespace cuemu::detail

/// Waits for the other lanes of the mask; afterwards, their earlier writes to memory are visible.
inline void __syncwarp(const unsigned mask = 0xffffffffu,
                       const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  cuemu::Call mine{mask, cuemu::Collective::sync, 0};
  cuemu::collective(mine, where, [](const cuemu::Participants&) {});
}

/// Defines the four shuffles of one type: they read from lane `source` of each segment of `width` lanes, from the lane
/// `delta` below (up) or above (down), or from the lane whose number differs in the given bits (xor). If that lane is
/// outside the segment, the caller gets its own value.
#define CUEMU_SHUFFLE(NAME, KIND, TYPE, ARGUMENT)                                                           \
  CUEMU_ON_CALL inline TYPE NAME(const unsigned mask, const TYPE value, const ARGUMENT which,               \
                                 const int width = 32,                                                      \
                                 const cuemu::SourceLine where = cuemu::SourceLine::here()) {               \
    return cuemu::detail::shuffle(                                                                          \
        mask, cuemu::Collective::KIND, value,                                                               \
        cuemu::detail::shuffle_source<cuemu::Collective::KIND>(cuemu::lane(), static_cast<unsigned>(which), \
                                                               static_cast<unsigned>(width)),               \
        where);                                                                                             \
  }
#define CUEMU_SHUFFLES(TYPE)                                    \
  CUEMU_SHUFFLE(__shfl_sync, shuffle, TYPE, int)                \
  CUEMU_SHUFFLE(__shfl_up_sync, shuffle_up, TYPE, unsigned)     \
  CUEMU_SHUFFLE(__shfl_down_sync, shuffle_down, TYPE, unsigned) \
  CUEMU_SHUFFLE(__shfl_xor_sync, shuffle_xor, TYPE, int)
CUEMU_SHUFFLES(int)
CUEMU_SHUFFLES(unsigned int)
CUEMU_SHUFFLES(long)
CUEMU_SHUFFLES(unsigned long)
CUEMU_SHUFFLES(long long)
CUEMU_SHUFFLES(unsigned long long)
CUEMU_SHUFFLES(float)
CUEMU_SHUFFLES(double)

/// These functions return the lanes whose predicate is true; whether it is true for any lane; whether it is true for
/// all lanes; whether it is the same for all lanes.
inline unsigned __ballot_sync(const unsigned mask, const int predicate,
                              const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  return cuemu::detail::vote(mask, cuemu::Collective::ballot, predicate != 0, where).holds;
}
inline int __any_sync(const unsigned mask, const int predicate,
                      const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  return cuemu::detail::vote(mask, cuemu::Collective::any, predicate != 0, where).holds != 0;
}
inline int __all_sync(const unsigned mask, const int predicate,
                      const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  const cuemu::detail::VoteCall votes =
      cuemu::detail::vote(mask, cuemu::Collective::all, predicate != 0, where);
  return votes.holds == votes.present;
}
inline int __uni_sync(const unsigned mask, const int predicate,
                      const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  const cuemu::detail::VoteCall votes =
      cuemu::detail::vote(mask, cuemu::Collective::uni, predicate != 0, where);
  return votes.holds == votes.present || votes.holds == 0;
}

/// Defines two functions: (any) returns the lanes with the same bits in `value` as the caller; (all) returns the mask
/// if all lanes have the same bits, and else 0.
#define CUEMU_MATCHES(TYPE)                                                                               \
  CUEMU_ON_CALL inline unsigned __match_any_sync(                                                         \
      const unsigned mask, const TYPE value, const cuemu::SourceLine where = cuemu::SourceLine::here()) { \
    return cuemu::detail::match(mask, cuemu::Collective::match_any, cuemu::detail::bits_of(value),        \
                                sizeof(TYPE), where)                                                      \
        .equal;                                                                                           \
  }                                                                                                       \
  CUEMU_ON_CALL inline unsigned __match_all_sync(                                                         \
      const unsigned mask, const TYPE value, int* const predicate,                                        \
      const cuemu::SourceLine where = cuemu::SourceLine::here()) {                                        \
    const cuemu::detail::MatchCall found = cuemu::detail::match(                                          \
        mask, cuemu::Collective::match_all, cuemu::detail::bits_of(value), sizeof(TYPE), where);          \
    *predicate = found.equal == found.present;                                                            \
    return *predicate != 0 ? found.equal : 0u;                                                            \
  }
CUEMU_MATCHES(int)
CUEMU_MATCHES(unsigned int)
CUEMU_MATCHES(long)
CUEMU_MATCHES(unsigned long)
CUEMU_MATCHES(long long)
CUEMU_MATCHES(unsigned long long)
CUEMU_MATCHES(float)
CUEMU_MATCHES(double)
#undef CUEMU_MATCHES

/// Defines a function that combines the values of all lanes of the mask.
#define CUEMU_REDUCE(NAME, TYPE, EXPRESSION)                                                               \
  namespace cuemu::detail {                                                                                \
  inline TYPE combine(KindOf<Collective::NAME>, const TYPE a, const TYPE b) {                              \
    return static_cast<TYPE>(EXPRESSION);                                                                  \
  }                                                                                                        \
  }                                                                                                        \
  CUEMU_ON_CALL inline TYPE __##NAME##_sync(const unsigned mask, const TYPE value,                         \
                                            const cuemu::SourceLine where = cuemu::SourceLine::here()) {   \
    return cuemu::detail::reduce(mask, cuemu::Collective::NAME, value, where,                              \
                                 [](const TYPE a, const TYPE b) {                                          \
                                   using cuemu::detail::KindOf;                                            \
                                   return cuemu::detail::combine(KindOf<cuemu::Collective::NAME>{}, a, b); \
                                 });                                                                       \
  }
CUEMU_REDUCE(reduce_add, unsigned int, a + b)
CUEMU_REDUCE(reduce_add, int, static_cast<unsigned int>(a) + static_cast<unsigned int>(b))
CUEMU_REDUCE(reduce_min, unsigned int, a < b ? a : b)
CUEMU_REDUCE(reduce_min, int, a < b ? a : b)
CUEMU_REDUCE(reduce_max, unsigned int, a > b ? a : b)
CUEMU_REDUCE(reduce_max, int, a > b ? a : b)
CUEMU_REDUCE(reduce_and, unsigned int, a& b)
CUEMU_REDUCE(reduce_or, unsigned int, a | b)
CUEMU_REDUCE(reduce_xor, unsigned int, a ^ b)
#undef CUEMU_REDUCE

/// Returns the lanes that make this call together with the caller.
__attribute__((always_inline)) inline unsigned __activemask(
    const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  return cuemu::converged_lanes(where);
}

/// \name The functions of CUDA 8 and before, without a mask: the lanes that make the call take part
/// @{
#define CUEMU_OLD_SHUFFLES(TYPE)                                                \
  CUEMU_ON_CALL [[deprecated("use __shfl_sync")]] inline TYPE __shfl(           \
      const TYPE value, const int source, const int width = 32,                 \
      const cuemu::SourceLine where = cuemu::SourceLine::here()) {              \
    return __shfl_sync(__activemask(where), value, source, width, where);       \
  }                                                                             \
  CUEMU_ON_CALL [[deprecated("use __shfl_up_sync")]] inline TYPE __shfl_up(     \
      const TYPE value, const unsigned delta, const int width = 32,             \
      const cuemu::SourceLine where = cuemu::SourceLine::here()) {              \
    return __shfl_up_sync(__activemask(where), value, delta, width, where);     \
  }                                                                             \
  CUEMU_ON_CALL [[deprecated("use __shfl_down_sync")]] inline TYPE __shfl_down( \
      const TYPE value, const unsigned delta, const int width = 32,             \
      const cuemu::SourceLine where = cuemu::SourceLine::here()) {              \
    return __shfl_down_sync(__activemask(where), value, delta, width, where);   \
  }                                                                             \
  CUEMU_ON_CALL [[deprecated("use __shfl_xor_sync")]] inline TYPE __shfl_xor(   \
      const TYPE value, const int bits, const int width = 32,                   \
      const cuemu::SourceLine where = cuemu::SourceLine::here()) {              \
    return __shfl_xor_sync(__activemask(where), value, bits, width, where);     \
  }
CUEMU_OLD_SHUFFLES(int)
CUEMU_OLD_SHUFFLES(unsigned int)
CUEMU_OLD_SHUFFLES(long long)
CUEMU_OLD_SHUFFLES(unsigned long long)
CUEMU_OLD_SHUFFLES(float)
CUEMU_OLD_SHUFFLES(double)
#undef CUEMU_OLD_SHUFFLES
[[deprecated("use __ballot_sync")]] inline unsigned __ballot(
    const int predicate, const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  return __ballot_sync(__activemask(where), predicate, where);
}
[[deprecated("use __any_sync")]] inline int __any(const int predicate,
                                                  const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  return __any_sync(__activemask(where), predicate, where);
}
[[deprecated("use __all_sync")]] inline int __all(const int predicate,
                                                  const cuemu::SourceLine where = cuemu::SourceLine::here()) {
  return __all_sync(__activemask(where), predicate, where);
}
/// @}

namespace cuemu {

/// emucc writes this call after an assignment through a pointer to volatile memory. The lanes of a warp that reach it
/// continue together, as on a GPU, except under the checker, which must see the original program.
inline void step(const SourceLine where = SourceLine::here()) {
#ifdef CUEMU_CHECK
  if (detail::cuemu_check_keeps_lanes_apart()) return;
#endif
  if (in_kernel()) __syncwarp(__activemask(where), where);
}
/// Returns the assigned value. All lanes read before any lane writes.
template <class T>
inline T in_step(const T value, const SourceLine where = SourceLine::here()) {
  step(where);
  return value;
}

}  // namespace cuemu

namespace cuemu {
/// The special registers %lanemask_eq, _lt, _le, _gt and _ge: the lanes with the caller's number, lower numbers, and so
/// on.
inline uint32_t lane_mask_eq() {
  return 1u << lane();
}
inline uint32_t lane_mask_lt() {
  return lane_mask_eq() - 1u;
}
inline uint32_t lane_mask_le() {
  return lane_mask_lt() | lane_mask_eq();
}
inline uint32_t lane_mask_gt() {
  return ~lane_mask_le();
}
inline uint32_t lane_mask_ge() {
  return ~lane_mask_lt();
}
}  // namespace cuemu
