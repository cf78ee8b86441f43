// The common parts of CUB: operators, key-value pairs, the order of radix keys.
#pragma once

#include <iterator>
#include <type_traits>

#include "cuemu/radix_sort.hpp"

#define CubDebug(error) (error)
#define CubDebugExit(error)                                                                \
  do {                                                                                     \
    const cudaError_t cub_error = (error);                                                 \
    if (cub_error != cudaSuccess) {                                                        \
      ::std::fprintf(stderr, "CUDA error %d [%s:%d]: %s\n", cub_error, __FILE__, __LINE__, \
                     ::cudaGetErrorString(cub_error));                                     \
      ::std::exit(1);                                                                      \
    }                                                                                      \
  } while (false)

#include <cstdio>
#include <cstdlib>

namespace cub {

struct NullType {};

template <typename Key, typename Value>
struct KeyValuePair {
  using Key_ = Key;
  using Value_ = Value;
  Key key;
  Value value;
  bool operator!=(const KeyValuePair& other) const { return key != other.key || value != other.value; }
};

struct Sum {
  template <typename A, typename B>
  constexpr auto operator()(const A& a, const B& b) const -> decltype(a + b) {
    return a + b;
  }
};
struct Difference {
  template <typename A, typename B>
  constexpr auto operator()(const A& a, const B& b) const -> decltype(a - b) {
    return a - b;
  }
};
struct Max {
  template <typename T>
  constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <typename T>
  constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};
struct Equality {
  template <typename A, typename B>
  constexpr bool operator()(const A& a, const B& b) const {
    return a == b;
  }
};
struct Inequality {
  template <typename A, typename B>
  constexpr bool operator()(const A& a, const B& b) const {
    return a != b;
  }
};
/// Selects the pair with the greater (smaller) value. If the values are equal, selects the pair with the
/// smaller key.
struct ArgMax {
  template <typename Pair>
  constexpr Pair operator()(const Pair& a, const Pair& b) const {
    return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <typename Pair>
  constexpr Pair operator()(const Pair& a, const Pair& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

namespace detail {

inline unsigned thread_rank() {
  return cuemu::current_fiber->linear;
}

}  // namespace detail
}  // namespace cub
