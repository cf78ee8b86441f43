// Atomic operations on 16-byte values, and sums of float2 and float4.
#pragma once

#include "cuemu/atomics.hpp"
#include "vector_types.h"

namespace cuemu::detail {

struct alignas(16) Word128 {
  uint64_t low, high;
};

/// Replaces *address by desired if it equals expected, in one atomic step; returns the old value.
inline Word128 compare_exchange_128(Word128* const address, const Word128 expected, const Word128 desired) {
  Word128 old = expected;
#if defined(__x86_64__)
  asm volatile("lock cmpxchg16b %0"
               : "+m"(*address), "+a"(old.low), "+d"(old.high)
               : "b"(desired.low), "c"(desired.high)
               : "cc", "memory");
#elif defined(__aarch64__)
  uint32_t failed;
  do {  // if the old value differs, it is stored back, which proves that both halves were read together
    asm volatile("ldaxp %0, %1, %2" : "=&r"(old.low), "=&r"(old.high) : "Q"(*address) : "memory");
    const bool equal = old.low == expected.low && old.high == expected.high;
    asm volatile("stlxp %w0, %2, %3, %1"
                 : "=&r"(failed), "=Q"(*address)
                 : "r"(equal ? desired.low : old.low), "r"(equal ? desired.high : old.high)
                 : "memory");
  } while (failed != 0);
#else
  __atomic_compare_exchange(address, &old, const_cast<Word128*>(&desired), false, __ATOMIC_SEQ_CST,
                            __ATOMIC_SEQ_CST);
#endif
  return old;
}

template <bool Wide>
struct OnlyIf {};
template <>
struct OnlyIf<true> {
  using type = int;
};

}  // namespace cuemu::detail

/// atomicCAS and atomicExch of any trivially copyable type of 16 bytes that is aligned to 16.
template <typename Value,
          typename cuemu::detail::OnlyIf<sizeof(Value) == 16 && alignof(Value) == 16>::type = 0>
inline Value atomicCAS(Value* address, Value compare, Value value) {
  using cuemu::detail::Word128;
  const Word128 expected = cuemu::bit_cast<Word128>(compare);
  const Word128 old = cuemu::detail::compare_exchange_128(reinterpret_cast<Word128*>(address), expected,
                                                          cuemu::bit_cast<Word128>(value));
  if (old.low != expected.low || old.high != expected.high) cuemu::detail::gave_nothing();
  return cuemu::bit_cast<Value>(old);
}
template <typename Value,
          typename cuemu::detail::OnlyIf<sizeof(Value) == 16 && alignof(Value) == 16>::type = 0>
inline Value atomicExch(Value* address, Value value) {
  using cuemu::detail::Word128;
  Word128 expected = {0, 0};
  for (;;) {
    const Word128 old = cuemu::detail::compare_exchange_128(reinterpret_cast<Word128*>(address), expected,
                                                            cuemu::bit_cast<Word128>(value));
    if (old.low == expected.low && old.high == expected.high) return cuemu::bit_cast<Value>(old);
    expected = old;
  }
}

/// Atomic sum of each element. As on a GPU, the sum of the whole vector is not one atomic step.
inline float2 atomicAdd(float2* address, const float2 value) {
  return float2{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
inline float4 atomicAdd(float4* address, const float4 value) {
  return float4{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
                atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)};
}
