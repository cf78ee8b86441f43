// CUB's device-wide sorts.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "cuemu/cub/device.hpp"

namespace cub {

namespace detail {

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

/// Sorts with a comparison, in place.
struct DeviceMergeSort {
  template <typename Keys, typename Count, typename Less>
  static cudaError_t SortKeys(void* storage, size_t& bytes, Keys keys, Count n, Less less,
                              cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceMergeSort", storage, bytes, stream,
                             [=] { std::stable_sort(keys, keys + n, less); });
  }
  template <typename Keys, typename Values, typename Count, typename Less>
  static cudaError_t SortPairs(void* storage, size_t& bytes, Keys keys, Values values, Count n, Less less,
                               cudaStream_t stream = nullptr) {
    return detail::two_calls("cub::DeviceMergeSort", storage, bytes, stream, [=] {
      using Pair = std::pair<detail::ValueOf<Keys>, detail::ValueOf<Values>>;
      const auto count = static_cast<std::size_t>(n);
      const std::unique_ptr<Pair[]> pairs(new Pair[count]);
      for (std::size_t i = 0; i < count; ++i) pairs[i] = {keys[i], values[i]};
      std::stable_sort(pairs.get(), pairs.get() + count,
                       [&](const Pair& a, const Pair& b) { return less(a.first, b.first); });
      for (std::size_t i = 0; i < count; ++i) {
        keys[i] = pairs[i].first;
        values[i] = pairs[i].second;
      }
    });
  }
  template <typename Keys, typename Values, typename Count, typename Less>
  static cudaError_t StableSortPairs(void* storage, size_t& bytes, Keys keys, Values values, Count n,
                                     Less less, cudaStream_t stream = nullptr) {
    return SortPairs(storage, bytes, keys, values, n, less, stream);
  }
  template <typename Keys, typename Count, typename Less>
  static cudaError_t StableSortKeys(void* storage, size_t& bytes, Keys keys, Count n, Less less,
                                    cudaStream_t stream = nullptr) {
    return SortKeys(storage, bytes, keys, n, less, stream);
  }
};

}  // namespace cub
