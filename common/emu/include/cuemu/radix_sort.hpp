// CUB's device-wide radix sort, which lab5.2 uses. The rest of CUB is an extra (../../extras/cub).
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include "cuemu/parallel.hpp"

namespace cub {

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

/// Runs `body` in the second of the two calls. As in CUB, this call fails if it is given fewer bytes than the first one
/// reported.
template <typename Body>
inline cudaError_t two_calls(const char* const name, void* const storage, size_t& bytes,
                             const cudaStream_t stream, Body body) {
  constexpr size_t needed = 256;  // nothing is stored there
  if (storage == nullptr) {
    bytes = needed;
    return cudaSuccess;
  }
  if (bytes < needed) return cudaErrorInvalidValue;
  return cuemu::run_as_thread(name, stream, body);
}

/// Converts a key to an unsigned integer that sorts in the same order. Only the bits [begin, end) count.
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

/// Sorts by the bits of the keys; equal keys keep their order. `values_in` is null if there are no values.
template <typename Key, typename Value, typename Count>
inline void radix_sort(const Key* const keys_in, Key* const keys_out, const Value* const values_in,
                       Value* const values_out, const Count n, const int begin, const int end,
                       const bool descending) {
  struct Item {
    unsigned long long order;
    std::size_t from;
  };
  const auto count = static_cast<std::size_t>(n);
  const std::unique_ptr<Item[]> items(new Item[count]);
  for (std::size_t i = 0; i < count; ++i) items[i] = {radix_of(keys_in[i], begin, end), i};
  std::stable_sort(items.get(), items.get() + count, [descending](const Item& a, const Item& b) {
    return descending ? b.order < a.order : a.order < b.order;
  });
  const std::unique_ptr<Key[]> keys(new Key[count]);
  for (std::size_t i = 0; i < count; ++i) keys[i] = keys_in[items[i].from];
  std::copy(keys.get(), keys.get() + count, keys_out);
  if (values_in == nullptr) return;
  const std::unique_ptr<Value[]> values(new Value[count]);
  for (std::size_t i = 0; i < count; ++i) values[i] = values_in[items[i].from];
  std::copy(values.get(), values.get() + count, values_out);
}

}  // namespace detail

struct DeviceRadixSort {
  template <typename Key, typename Count>
  static cudaError_t SortKeys(void* storage, size_t& bytes, const Key* in, Key* out, Count n, int begin = 0,
                              int end = 8 * sizeof(Key), cudaStream_t stream = nullptr) {
    return sort<Key, char>(storage, bytes, in, out, nullptr, nullptr, n, begin, end, stream, false);
  }
  template <typename Key, typename Count>
  static cudaError_t SortKeysDescending(void* storage, size_t& bytes, const Key* in, Key* out, Count n,
                                        int begin = 0, int end = 8 * sizeof(Key),
                                        cudaStream_t stream = nullptr) {
    return sort<Key, char>(storage, bytes, in, out, nullptr, nullptr, n, begin, end, stream, true);
  }
  template <typename Key, typename Value, typename Count>
  static cudaError_t SortPairs(void* storage, size_t& bytes, const Key* in, Key* out, const Value* values,
                               Value* values_out, Count n, int begin = 0, int end = 8 * sizeof(Key),
                               cudaStream_t stream = nullptr) {
    return sort(storage, bytes, in, out, values, values_out, n, begin, end, stream, false);
  }
  template <typename Key, typename Value, typename Count>
  static cudaError_t SortPairsDescending(void* storage, size_t& bytes, const Key* in, Key* out,
                                         const Value* values, Value* values_out, Count n, int begin = 0,
                                         int end = 8 * sizeof(Key), cudaStream_t stream = nullptr) {
    return sort(storage, bytes, in, out, values, values_out, n, begin, end, stream, true);
  }
  template <typename Key, typename Count>
  static cudaError_t SortKeys(void* storage, size_t& bytes, DoubleBuffer<Key>& keys, Count n, int begin = 0,
                              int end = 8 * sizeof(Key), cudaStream_t stream = nullptr) {
    return swapped(storage, keys,
                   SortKeys(storage, bytes, keys.Current(), keys.Alternate(), n, begin, end, stream));
  }
  template <typename Key, typename Count>
  static cudaError_t SortKeysDescending(void* storage, size_t& bytes, DoubleBuffer<Key>& keys, Count n,
                                        int begin = 0, int end = 8 * sizeof(Key),
                                        cudaStream_t stream = nullptr) {
    return swapped(
        storage, keys,
        SortKeysDescending(storage, bytes, keys.Current(), keys.Alternate(), n, begin, end, stream));
  }
  template <typename Key, typename Value, typename Count>
  static cudaError_t SortPairs(void* storage, size_t& bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, Count n, int begin = 0, int end = 8 * sizeof(Key),
                               cudaStream_t stream = nullptr) {
    const cudaError_t error = SortPairs(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),
                                        values.Alternate(), n, begin, end, stream);
    return swapped(storage, keys, swapped(storage, values, error));
  }
  template <typename Key, typename Value, typename Count>
  static cudaError_t SortPairsDescending(void* storage, size_t& bytes, DoubleBuffer<Key>& keys,
                                         DoubleBuffer<Value>& values, Count n, int begin = 0,
                                         int end = 8 * sizeof(Key), cudaStream_t stream = nullptr) {
    const cudaError_t error =
        SortPairsDescending(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),
                            values.Alternate(), n, begin, end, stream);
    return swapped(storage, keys, swapped(storage, values, error));
  }

 private:
  template <typename Key, typename Value, typename Count>
  static cudaError_t sort(void* storage, size_t& bytes, const Key* in, Key* out, const Value* values,
                          Value* values_out, Count n, int begin, int end, cudaStream_t stream,
                          bool descending) {
    return detail::two_calls("cub::DeviceRadixSort", storage, bytes, stream, [=] {
      detail::radix_sort(in, out, values, values_out, n, begin, end, descending);
    });
  }
  template <typename T>
  static cudaError_t swapped(const void* const storage, DoubleBuffer<T>& buffer, const cudaError_t error) {
    if (storage != nullptr) buffer.selector ^= 1;
    return error;
  }
};

}  // namespace cub
