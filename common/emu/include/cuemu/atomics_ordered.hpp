// The atomic functions of CUDA 12.8 with an order and a scope: __nv_atomic_load, __nv_atomic_fetch_add, …, modelled
// on the host compilers' __atomic functions.
//
// All scopes are the same here, but block scope is reported to the checker.
#pragma once

#include <type_traits>

#include "cuemu/atomics.hpp"

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

namespace cuemu::detail {

/// The type of a value that converts to the pointer's element type.
template <class T>
using Operand = std::enable_if_t<true, T>;

template <class Action>
inline auto in_scope(const int scope, const Action action) {
  if (scope > __NV_THREAD_SCOPE_BLOCK) return action();
  [[maybe_unused]] const BlockScope block;
  return action();
}

/// Replaces *at by change(old), in the given order; returns the old value.
template <class T, class Change>
inline T ordered_update(T* const at, const int order, const Change change) {
  [[maybe_unused]] const Update whole;
  T old;
  __atomic_load(at, &old, __ATOMIC_RELAXED);
  for (;;) {
    T desired = change(old);
    if (__atomic_compare_exchange(at, &old, &desired, true, order, __ATOMIC_RELAXED)) return old;
  }
}

}  // namespace cuemu::detail

template <class T>
inline void __nv_atomic_load(T* const at, T* const result, const int order,
                             const int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuemu::detail::gave_nothing();
  cuemu::detail::in_scope(scope, [=] { __atomic_load(at, result, order); });
}
template <class T>
inline std::remove_cv_t<T> __nv_atomic_load_n(T* const at, const int order,
                                              const int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuemu::detail::gave_nothing();
  return cuemu::detail::in_scope(scope, [=] { return __atomic_load_n(at, order); });
}
template <class T>
inline void __nv_atomic_store(T* const at, T* const value, const int order,
                              const int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuemu::detail::in_scope(scope, [=] { __atomic_store(at, value, order); });
}
template <class T>
inline void __nv_atomic_store_n(T* const at, const cuemu::detail::Operand<T> value, const int order,
                                const int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuemu::detail::in_scope(scope, [=] { __atomic_store_n(at, value, order); });
}
template <class T>
inline void __nv_atomic_exchange(T* const at, T* const value, T* const old, const int order,
                                 const int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuemu::detail::in_scope(scope, [=] { __atomic_exchange(at, value, old, order); });
}
template <class T>
inline T __nv_atomic_exchange_n(T* const at, const cuemu::detail::Operand<T> value, const int order,
                                const int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return cuemu::detail::in_scope(scope, [=] { return __atomic_exchange_n(at, value, order); });
}
template <class T>
inline bool __nv_atomic_compare_exchange(T* const at, T* const expected, T* const desired, bool,
                                         const int success, const int failure,
                                         const int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const bool done = cuemu::detail::in_scope(
      scope, [=] { return __atomic_compare_exchange(at, expected, desired, false, success, failure); });
  if (!done) cuemu::detail::gave_nothing();
  return done;
}
template <class T>
inline bool __nv_atomic_compare_exchange_n(T* const at, T* const expected, cuemu::detail::Operand<T> desired,
                                           const bool weak, const int success, const int failure,
                                           const int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange(at, expected, &desired, weak, success, failure, scope);
}

/// Defines an operation in two forms: with and without the old value as its result.
#define CUEMU_ORDERED(NAME, RESULT)                                                                         \
  template <class T>                                                                                        \
  inline T __nv_atomic_fetch_##NAME(T* const at, const cuemu::detail::Operand<T> value, const int order,    \
                                    const int scope = __NV_THREAD_SCOPE_SYSTEM) {                           \
    return cuemu::detail::in_scope(scope, [=] {                                                             \
      return cuemu::detail::ordered_update(at, order, [=](const T old) { return static_cast<T>(RESULT); }); \
    });                                                                                                     \
  }                                                                                                         \
  template <class T>                                                                                        \
  inline void __nv_atomic_##NAME(T* const at, const cuemu::detail::Operand<T> value, const int order,       \
                                 const int scope = __NV_THREAD_SCOPE_SYSTEM) {                              \
    __nv_atomic_fetch_##NAME(at, value, order, scope);                                                      \
  }
CUEMU_ORDERED(add, old + value)
CUEMU_ORDERED(sub, old - value)
CUEMU_ORDERED(and, old& value)
CUEMU_ORDERED(or, old | value)
CUEMU_ORDERED(xor, old ^ value)
CUEMU_ORDERED(max, old < value ? value : old)
CUEMU_ORDERED(min, value < old ? value : old)
#undef CUEMU_ORDERED

inline void __nv_atomic_thread_fence(const int order, const int scope = __NV_THREAD_SCOPE_SYSTEM) {
  cuemu::detail::in_scope(scope, [=] { __atomic_thread_fence(order); });
}
