// The common parts of CUB: operators, key-value pairs, the order of radix keys.
#pragma once

#include <iterator>
#include <type_traits>

#include "cuemu/parallel.hpp"

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
/// Selects the pair with the greater (smaller) value; if the values are equal, the pair with the smaller key.
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

/// Two buffers, one of which contains the data. A sort may move the data to the other buffer.
template <typename T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;
  DoubleBuffer() : d_buffers{nullptr, nullptr} {}
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

namespace detail {

inline unsigned thread_rank() {
  return cuemu::current_fiber->linear;
}

/// A key as an unsigned integer that sorts in the same order. Only the bits [begin, end) count.
template <typename Key>
inline unsigned long long radix_of(const Key key, const int begin, const int end) {
  constexpr int bits = 8 * static_cast<int>(sizeof(Key));
  unsigned long long word = 0;
  __builtin_memcpy(&word, &key, sizeof key);
  const unsigned long long sign = 1ull << (bits - 1);
  if constexpr (std::is_integral_v<Key>) {
    if (std::is_signed_v<Key>) word ^= sign;
  } else {  // negative floating-point numbers lie in reverse order; −0 and +0 are one key
    if (word == sign) word = 0;
    word = (word & sign) != 0 ? ~word : word | sign;
  }
  const unsigned long long mask = end - begin >= 64 ? ~0ull : (1ull << (end - begin)) - 1;
  return (word & (bits == 64 ? ~0ull : (1ull << bits) - 1)) >> begin & mask;
}

}  // namespace detail
}  // namespace cub
