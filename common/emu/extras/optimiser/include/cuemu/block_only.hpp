// Atomic functions on a block's own shared memory, for kernels that emucc splits. In such a kernel the threads of a
// block run one after another on one OS thread and never interrupt each other, so no other thread can interfere. The
// processor's locked instructions would take ten times as long.
#pragma once

#include <type_traits>

namespace cuemu::block_only {

/// The type in which sums wrap without undefined behaviour.
template <class T>
using Wrapping =
    typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::enable_if<true, T>>::type;

#define CUEMU_BLOCK_ONLY(NAME, EXPRESSION)                             \
  template <class T>                                                   \
  inline T NAME(T* const address, const std::common_type_t<T> value) { \
    const T old = *address;                                            \
    *address = static_cast<T>(EXPRESSION);                             \
    return old;                                                        \
  }
CUEMU_BLOCK_ONLY(atomicAdd, static_cast<Wrapping<T>>(old) + static_cast<Wrapping<T>>(value))
CUEMU_BLOCK_ONLY(atomicSub, static_cast<Wrapping<T>>(old) - static_cast<Wrapping<T>>(value))
CUEMU_BLOCK_ONLY(atomicMin, value < old ? value : old)
CUEMU_BLOCK_ONLY(atomicMax, value > old ? value : old)
CUEMU_BLOCK_ONLY(atomicAnd, old& value)
CUEMU_BLOCK_ONLY(atomicOr, old | value)
CUEMU_BLOCK_ONLY(atomicXor, old ^ value)
CUEMU_BLOCK_ONLY(atomicExch, value)
#undef CUEMU_BLOCK_ONLY

template <class T>
inline T atomicCAS(T* const address, const std::common_type_t<T> compare, const std::common_type_t<T> value) {
  const T old = *address;
  if (old == compare) *address = value;
  return old;
}

}  // namespace cuemu::block_only
