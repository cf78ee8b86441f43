// Atomic functions of device code: atomicAdd, atomicCAS, …, in device, block and system scope.
//
// Blocks run on several OS threads, so each function is an atomic operation of the processor, in relaxed order as in
// CUDA. The functions work on global, shared and managed memory, and all three scopes are the same here. Sums of float
// and double, and operations that no processor has (Inc, Dec, Min, Max), retry a compare-and-swap until no other thread
// interferes.
//
// The threads of a block share one OS thread. So a thread that waits in a loop of atomic operations must let the other
// threads run. The operations of such a loop change nothing, so an operation that changed nothing sometimes yields.
#pragma once

#include "cuemu/bits.hpp"
#include "cuemu/thread.hpp"

namespace cuemu {
namespace detail {

#if defined(CUEMU_CHECK)
extern "C" void cuemu_check_block_scope(bool on);
extern "C" void cuemu_check_update(bool on);
/// Reports to the checker when an object of this class is created and destroyed.
template <void (*Announce)(bool)>
class Announced {
 public:
  Announced() { Announce(true); }
  ~Announced() { Announce(false); }
  Announced(const Announced&) = delete;
  Announced& operator=(const Announced&) = delete;
};
/// During the object's lifetime, the calling thread's atomic operations have block scope. Only the checker uses this,
/// since all scopes are the same on a CPU.
using BlockScope = Announced<cuemu_check_block_scope>;
/// During the object's lifetime, the calling thread's compare-and-swaps are part of another atomic function. The
/// checker must not treat them as comparisons by the program, which would make a preceding plain read harmless.
using Update = Announced<cuemu_check_update>;
#else
struct BlockScope {};
struct Update {};
#endif

/// Yields at every 256th call of a thread. A loop that waits then makes progress, and a loop that only reads usually
/// runs in the order of the threads.
inline void gave_nothing() {
  if (in_kernel() && (++current_fiber->fruitless & 255u) == 0) ::cuemu::yield();
}

/// Replaces *address by change(old) in one atomic step; returns the old value. Word is the unsigned integer type of the
/// Value's size.
template <typename Word, typename Value, typename Change>
inline auto atomic_update(Value* const address, const Change change) {
  [[maybe_unused]] const Update whole;
  Word* const word = reinterpret_cast<Word*>(address);
  Word expected = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    const Word desired = bit_cast<Word>(static_cast<Value>(change(bit_cast<Value>(expected))));
    if (__atomic_compare_exchange_n(word, &expected, desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return bit_cast<Value>(expected);
    }
  }
}

template <typename Value>
inline auto atomic_add(Value* const address, const Value value) {
  if (value == 0) gave_nothing();  // programs usually read atomically in this way
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
inline float atomic_add(float* const address, const float value) {
  return atomic_update<uint32_t>(address, [value](const float old) { return old + value; });
}
inline double atomic_add(double* const address, const double value) {
  return atomic_update<uint64_t>(address, [value](const double old) { return old + value; });
}

template <typename Value>
inline auto atomic_exchange(Value* const address, const Value value) {
  const Value old = __atomic_exchange_n(address, value, __ATOMIC_RELAXED);
  if (old == value) gave_nothing();  // for example a lock that is already taken
  return old;
}
inline float atomic_exchange(float* const address, const float value) {
  return bit_cast<float>(atomic_exchange(reinterpret_cast<uint32_t*>(address), bit_cast<uint32_t>(value)));
}

template <typename Value>
inline auto atomic_compare_exchange(Value* const address, Value expected, const Value desired) {
  const Value wanted = expected;
  if (!__atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
      wanted == desired) {
    gave_nothing();
  }
  return expected;
}

/// Stores `value` if better(value, old); otherwise does not write.
template <typename Value, typename Better>
inline auto atomic_choose(Value* const address, const Value value, const Better better) {
  [[maybe_unused]] const Update whole;
  Value old = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (better(value, old) &&
         !__atomic_compare_exchange_n(address, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}

template <typename Value>
inline auto atomic_min(Value* const address, const Value value) {
  return atomic_choose(address, value, [](const Value a, const Value b) { return a < b; });
}
template <typename Value>
inline auto atomic_max(Value* const address, const Value value) {
  return atomic_choose(address, value, [](const Value a, const Value b) { return a > b; });
}

/// Increments from 0 to `last`, and then returns to 0.
inline unsigned int atomic_increment(unsigned int* const address, const unsigned int last) {
  return atomic_update<uint32_t>(address,
                                 [last](const unsigned int old) { return old >= last ? 0u : old + 1u; });
}
/// Decrements from `last` to 0, and then returns to `last`.
inline unsigned int atomic_decrement(unsigned int* const address, const unsigned int last) {
  return atomic_update<uint32_t>(
      address, [last](const unsigned int old) { return old == 0 || old > last ? last : old - 1u; });
}

template <typename Value>
inline auto atomic_and(Value* const address, const Value value) {
  if (value == static_cast<Value>(~static_cast<Value>(0))) gave_nothing();
  return __atomic_fetch_and(address, value, __ATOMIC_RELAXED);
}
template <typename Value>
inline auto atomic_or(Value* const address, const Value value) {
  if (value == 0) gave_nothing();
  return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
}
template <typename Value>
inline auto atomic_xor(Value* const address, const Value value) {
  if (value == 0) gave_nothing();
  return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
}

}  // namespace detail
}  // namespace cuemu

/// Defines one function in all three scopes.
#define CUEMU_ATOMIC(NAME, TYPE, IMPLEMENTATION)            \
  inline TYPE NAME(TYPE* address, TYPE value) {             \
    return cuemu::detail::IMPLEMENTATION(address, value);   \
  }                                                         \
  inline TYPE NAME##_block(TYPE* address, TYPE value) {     \
    [[maybe_unused]] const cuemu::detail::BlockScope scope; \
    return cuemu::detail::IMPLEMENTATION(address, value);   \
  }                                                         \
  inline TYPE NAME##_system(TYPE* address, TYPE value) {    \
    return cuemu::detail::IMPLEMENTATION(address, value);   \
  }
#define CUEMU_ATOMIC_CAS(TYPE)                                              \
  inline TYPE atomicCAS(TYPE* address, TYPE compare, TYPE value) {          \
    return cuemu::detail::atomic_compare_exchange(address, compare, value); \
  }                                                                         \
  inline TYPE atomicCAS_block(TYPE* address, TYPE compare, TYPE value) {    \
    [[maybe_unused]] const cuemu::detail::BlockScope scope;                 \
    return cuemu::detail::atomic_compare_exchange(address, compare, value); \
  }                                                                         \
  inline TYPE atomicCAS_system(TYPE* address, TYPE compare, TYPE value) {   \
    return cuemu::detail::atomic_compare_exchange(address, compare, value); \
  }
/// The negative of an unsigned value wraps, so subtraction is an addition modulo a power of two.
#define CUEMU_ATOMIC_SUB(NAME, TYPE)                             \
  inline TYPE NAME(TYPE* address, TYPE value) {                  \
    return __atomic_fetch_sub(address, value, __ATOMIC_RELAXED); \
  }

CUEMU_ATOMIC(atomicAdd, int, atomic_add)
CUEMU_ATOMIC(atomicAdd, unsigned int, atomic_add)
CUEMU_ATOMIC(atomicAdd, unsigned long long, atomic_add)
CUEMU_ATOMIC(atomicAdd, float, atomic_add)
CUEMU_ATOMIC(atomicAdd, double, atomic_add)
CUEMU_ATOMIC_SUB(atomicSub, int)
CUEMU_ATOMIC_SUB(atomicSub, unsigned int)
CUEMU_ATOMIC_SUB(atomicSub_block, int)
CUEMU_ATOMIC_SUB(atomicSub_block, unsigned int)
CUEMU_ATOMIC_SUB(atomicSub_system, int)
CUEMU_ATOMIC_SUB(atomicSub_system, unsigned int)
CUEMU_ATOMIC(atomicExch, int, atomic_exchange)
CUEMU_ATOMIC(atomicExch, unsigned int, atomic_exchange)
CUEMU_ATOMIC(atomicExch, unsigned long long, atomic_exchange)
CUEMU_ATOMIC(atomicExch, float, atomic_exchange)
CUEMU_ATOMIC(atomicMin, int, atomic_min)
CUEMU_ATOMIC(atomicMin, unsigned int, atomic_min)
CUEMU_ATOMIC(atomicMin, long long, atomic_min)
CUEMU_ATOMIC(atomicMin, unsigned long long, atomic_min)
CUEMU_ATOMIC(atomicMax, int, atomic_max)
CUEMU_ATOMIC(atomicMax, unsigned int, atomic_max)
CUEMU_ATOMIC(atomicMax, long long, atomic_max)
CUEMU_ATOMIC(atomicMax, unsigned long long, atomic_max)
CUEMU_ATOMIC(atomicInc, unsigned int, atomic_increment)
CUEMU_ATOMIC(atomicDec, unsigned int, atomic_decrement)
CUEMU_ATOMIC(atomicAnd, int, atomic_and)
CUEMU_ATOMIC(atomicAnd, unsigned int, atomic_and)
CUEMU_ATOMIC(atomicAnd, unsigned long long, atomic_and)
CUEMU_ATOMIC(atomicOr, int, atomic_or)
CUEMU_ATOMIC(atomicOr, unsigned int, atomic_or)
CUEMU_ATOMIC(atomicOr, unsigned long long, atomic_or)
CUEMU_ATOMIC(atomicXor, int, atomic_xor)
CUEMU_ATOMIC(atomicXor, unsigned int, atomic_xor)
CUEMU_ATOMIC(atomicXor, unsigned long long, atomic_xor)
CUEMU_ATOMIC_CAS(int)
CUEMU_ATOMIC_CAS(unsigned int)
CUEMU_ATOMIC_CAS(unsigned long long)
CUEMU_ATOMIC_CAS(unsigned short)

#undef CUEMU_ATOMIC
#undef CUEMU_ATOMIC_CAS
#undef CUEMU_ATOMIC_SUB

/// Orders the caller's memory accesses before and after the fence, for the block, the device, or the system. All three
/// are the same here.
inline void __threadfence_block() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_cluster() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_system() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
