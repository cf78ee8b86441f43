// Thrust's construction of objects in raw memory, and random orders.
#pragma once

#include <memory>
#include <new>
#include <random>

#include "cuemu/thrust/algorithms.hpp"

namespace thrust {
namespace detail {

template <class I, class O>
inline O uninitialized_copy_n(const Context& where, const I first, const std::ptrdiff_t n, const O result) {
  using Value = ValueOf<O>;
  if constexpr (std::is_trivially_copyable_v<Value>) return copy_n(where, first, n, result);
  run_over(where, "thrust::uninitialized_copy", n,
           [from = unwrap(first), to = unwrap(result)](const std::ptrdiff_t i) mutable {
             ::new (static_cast<void*>(std::addressof(to[i]))) Value(from[i]);
           });
  return result + n;
}
template <class I, class O>
inline O uninitialized_copy(const Context& where, const I first, const I last, const O result) {
  return uninitialized_copy_n(where, first, last - first, result);
}
template <class O, class T>
inline O uninitialized_fill_n(const Context& where, const O first, const std::ptrdiff_t n, const T value) {
  using Value = ValueOf<O>;
  run_over(where, "thrust::uninitialized_fill", n,
           [to = unwrap(first), value](const std::ptrdiff_t i) mutable {
             ::new (static_cast<void*>(std::addressof(to[i]))) Value(value);
           });
  return first + n;
}
template <class O, class T>
inline void uninitialized_fill(const Context& where, const O first, const O last, const T value) {
  uninitialized_fill_n(where, first, last - first, value);
}

/// Shuffles so that each order is equally likely (Fisher and Yates). For a given seed, the order differs from
/// Thrust's.
template <class I, class Engine>
inline void shuffle(const Context& where, const I first, const I last, const Engine engine) {
  run(where, "thrust::shuffle", [from = unwrap(first), n = last - first, drawn = engine]() mutable {
    for (std::ptrdiff_t i = n - 1; i > 0; --i) {
      const std::ptrdiff_t other = std::uniform_int_distribution<std::ptrdiff_t>(0, i)(drawn);
      const ValueOf<I> kept = from[i];
      from[i] = static_cast<ValueOf<I>>(from[other]);
      from[other] = kept;
    }
  });
}
template <class I, class O, class Engine>
inline O shuffle_copy(const Context& where, const I first, const I last, const O result,
                      const Engine engine) {
  const O end = copy(where, first, last, result);
  shuffle(where, result, end, engine);
  return end;
}

}  // namespace detail

CUEMU_THRUST_ALGORITHM(uninitialized_copy)
CUEMU_THRUST_ALGORITHM(uninitialized_copy_n)
CUEMU_THRUST_ALGORITHM(uninitialized_fill)
CUEMU_THRUST_ALGORITHM(uninitialized_fill_n)
CUEMU_THRUST_ALGORITHM(shuffle)
CUEMU_THRUST_ALGORITHM(shuffle_copy)

/// Creates `n` objects in device memory, as copies of `like` or by default construction.
template <class T>
inline device_ptr<T> device_new(const device_ptr<void> memory, const T& like, const std::size_t n = 1) {
  const device_ptr<T> first(static_cast<T*>(memory.get()));
  detail::uninitialized_fill_n({true}, first, static_cast<std::ptrdiff_t>(n), like);
  return first;
}
template <class T>
inline device_ptr<T> device_new(const std::size_t n = 1) {
  return device_new<T>(device_ptr<void>(static_cast<void*>(device_malloc<T>(n).get())), T(), n);
}
template <class T>
inline void device_delete(const device_ptr<T> objects, const std::size_t n = 1) {
  detail::run_over({true}, "thrust::device_delete", static_cast<std::ptrdiff_t>(n),
                   [at = objects.get()](const std::ptrdiff_t i) { at[i].~T(); });
  device_free(objects);
}

}  // namespace thrust
