// CUB's sorts of many segments at once.
//
// Segment i consists of the items [begin[i], end[i]). Items outside all segments remain unchanged. All sorts are
// stable.
#pragma once

#include "cuemu/cub/device_sort.hpp"

namespace cub {

namespace detail {

/// The common part of the two families of sorts. They sort keys, alone or with values, between arrays or in
/// double buffers, by some bits of the keys.
struct SegmentedSort {
  template <typename Key, typename Value, typename Begin, typename End>
  static cudaError_t sort(void* const storage, size_t& bytes, const Key* const in, Key* const out,
                          const Value* const values, Value* const values_out, const std::ptrdiff_t segments,
                          const Begin begin, const End end, const int low, const int high,
                          const cudaStream_t stream, const bool descending) {
    return two_calls("cub::DeviceSegmentedSort", storage, bytes, stream, [=] {
      for (std::ptrdiff_t i = 0; i < segments; ++i) {
        const auto at = static_cast<std::ptrdiff_t>(begin[i]);
        const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(end[i]) - at;
        if (n > 0)
          radix_sort(in + at, out + at, values != nullptr ? values + at : nullptr,
                     values != nullptr ? values_out + at : nullptr, n, low, high, descending);
      }
    });
  }
  template <typename Key, typename Begin, typename End>
  static cudaError_t sort(void* const storage, size_t& bytes, DoubleBuffer<Key>& keys,
                          const std::ptrdiff_t segments, const Begin begin, const End end, const int low,
                          const int high, const cudaStream_t stream, const bool descending) {
    const cudaError_t error = sort<Key, char>(storage, bytes, keys.Current(), keys.Alternate(), nullptr,
                                              nullptr, segments, begin, end, low, high, stream, descending);
    if (storage != nullptr) keys.selector ^= 1;
    return error;
  }
  template <typename Key, typename Value, typename Begin, typename End>
  static cudaError_t sort(void* const storage, size_t& bytes, DoubleBuffer<Key>& keys,
                          DoubleBuffer<Value>& values, const std::ptrdiff_t segments, const Begin begin,
                          const End end, const int low, const int high, const cudaStream_t stream,
                          const bool descending) {
    const cudaError_t error = sort(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),
                                   values.Alternate(), segments, begin, end, low, high, stream, descending);
    if (storage != nullptr) keys.selector ^= 1, values.selector ^= 1;
    return error;
  }
};

}  // namespace detail

/// Sorts by the bits [low, high) of the keys.
class DeviceSegmentedRadixSort {
  using Sort = detail::SegmentedSort;

 public:
  template <typename Key, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortKeys(void* storage, size_t& bytes, const Key* in, Key* out, Count, Segments segments,
                              Begin begin, End end, int low = 0, int high = 8 * sizeof(Key),
                              cudaStream_t stream = nullptr) {
    return Sort::sort<Key, char>(storage, bytes, in, out, nullptr, nullptr, segments, begin, end, low, high,
                                 stream, false);
  }
  template <typename Key, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortKeysDescending(void* storage, size_t& bytes, const Key* in, Key* out, Count,
                                        Segments segments, Begin begin, End end, int low = 0,
                                        int high = 8 * sizeof(Key), cudaStream_t stream = nullptr) {
    return Sort::sort<Key, char>(storage, bytes, in, out, nullptr, nullptr, segments, begin, end, low, high,
                                 stream, true);
  }
  template <typename Key, typename Value, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortPairs(void* storage, size_t& bytes, const Key* in, Key* out, const Value* values,
                               Value* values_out, Count, Segments segments, Begin begin, End end, int low = 0,
                               int high = 8 * sizeof(Key), cudaStream_t stream = nullptr) {
    return Sort::sort(storage, bytes, in, out, values, values_out, segments, begin, end, low, high, stream,
                      false);
  }
  template <typename Key, typename Value, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortPairsDescending(void* storage, size_t& bytes, const Key* in, Key* out,
                                         const Value* values, Value* values_out, Count, Segments segments,
                                         Begin begin, End end, int low = 0, int high = 8 * sizeof(Key),
                                         cudaStream_t stream = nullptr) {
    return Sort::sort(storage, bytes, in, out, values, values_out, segments, begin, end, low, high, stream,
                      true);
  }
  template <typename Key, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortKeys(void* storage, size_t& bytes, DoubleBuffer<Key>& keys, Count, Segments segments,
                              Begin begin, End end, int low = 0, int high = 8 * sizeof(Key),
                              cudaStream_t stream = nullptr) {
    return Sort::sort(storage, bytes, keys, segments, begin, end, low, high, stream, false);
  }
  template <typename Key, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortKeysDescending(void* storage, size_t& bytes, DoubleBuffer<Key>& keys, Count,
                                        Segments segments, Begin begin, End end, int low = 0,
                                        int high = 8 * sizeof(Key), cudaStream_t stream = nullptr) {
    return Sort::sort(storage, bytes, keys, segments, begin, end, low, high, stream, true);
  }
  template <typename Key, typename Value, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortPairs(void* storage, size_t& bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, Count, Segments segments, Begin begin, End end,
                               int low = 0, int high = 8 * sizeof(Key), cudaStream_t stream = nullptr) {
    return Sort::sort(storage, bytes, keys, values, segments, begin, end, low, high, stream, false);
  }
  template <typename Key, typename Value, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortPairsDescending(void* storage, size_t& bytes, DoubleBuffer<Key>& keys,
                                         DoubleBuffer<Value>& values, Count, Segments segments, Begin begin,
                                         End end, int low = 0, int high = 8 * sizeof(Key),
                                         cudaStream_t stream = nullptr) {
    return Sort::sort(storage, bytes, keys, values, segments, begin, end, low, high, stream, true);
  }
};

/// Sorts by whole keys. The parameters are those of the class above, without the bits. The stream is the last
/// parameter.
class DeviceSegmentedSort {
  using Radix = DeviceSegmentedRadixSort;
  template <typename Key>
  static constexpr int all_bits = 8 * static_cast<int>(sizeof(Key));

 public:
  template <typename Key, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortKeys(void* storage, size_t& bytes, const Key* in, Key* out, Count n,
                              Segments segments, Begin begin, End end, cudaStream_t stream = nullptr) {
    return Radix::SortKeys(storage, bytes, in, out, n, segments, begin, end, 0, all_bits<Key>, stream);
  }
  template <typename Key, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortKeysDescending(void* storage, size_t& bytes, const Key* in, Key* out, Count n,
                                        Segments segments, Begin begin, End end,
                                        cudaStream_t stream = nullptr) {
    return Radix::SortKeysDescending(storage, bytes, in, out, n, segments, begin, end, 0, all_bits<Key>,
                                     stream);
  }
  template <typename Key, typename Value, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortPairs(void* storage, size_t& bytes, const Key* in, Key* out, const Value* values,
                               Value* values_out, Count n, Segments segments, Begin begin, End end,
                               cudaStream_t stream = nullptr) {
    return Radix::SortPairs(storage, bytes, in, out, values, values_out, n, segments, begin, end, 0,
                            all_bits<Key>, stream);
  }
  template <typename Key, typename Value, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortPairsDescending(void* storage, size_t& bytes, const Key* in, Key* out,
                                         const Value* values, Value* values_out, Count n, Segments segments,
                                         Begin begin, End end, cudaStream_t stream = nullptr) {
    return Radix::SortPairsDescending(storage, bytes, in, out, values, values_out, n, segments, begin, end, 0,
                                      all_bits<Key>, stream);
  }
  template <typename Key, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortKeys(void* storage, size_t& bytes, DoubleBuffer<Key>& keys, Count n,
                              Segments segments, Begin begin, End end, cudaStream_t stream = nullptr) {
    return Radix::SortKeys(storage, bytes, keys, n, segments, begin, end, 0, all_bits<Key>, stream);
  }
  template <typename Key, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortKeysDescending(void* storage, size_t& bytes, DoubleBuffer<Key>& keys, Count n,
                                        Segments segments, Begin begin, End end,
                                        cudaStream_t stream = nullptr) {
    return Radix::SortKeysDescending(storage, bytes, keys, n, segments, begin, end, 0, all_bits<Key>, stream);
  }
  template <typename Key, typename Value, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortPairs(void* storage, size_t& bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, Count n, Segments segments, Begin begin, End end,
                               cudaStream_t stream = nullptr) {
    return Radix::SortPairs(storage, bytes, keys, values, n, segments, begin, end, 0, all_bits<Key>, stream);
  }
  template <typename Key, typename Value, typename Count, typename Segments, typename Begin, typename End>
  static cudaError_t SortPairsDescending(void* storage, size_t& bytes, DoubleBuffer<Key>& keys,
                                         DoubleBuffer<Value>& values, Count n, Segments segments, Begin begin,
                                         End end, cudaStream_t stream = nullptr) {
    return Radix::SortPairsDescending(storage, bytes, keys, values, n, segments, begin, end, 0, all_bits<Key>,
                                      stream);
  }

  template <typename... Arguments>
  static cudaError_t StableSortKeys(void* storage, size_t& bytes, Arguments&&... arguments) {
    return SortKeys(storage, bytes, static_cast<Arguments&&>(arguments)...);
  }
  template <typename... Arguments>
  static cudaError_t StableSortKeysDescending(void* storage, size_t& bytes, Arguments&&... arguments) {
    return SortKeysDescending(storage, bytes, static_cast<Arguments&&>(arguments)...);
  }
  template <typename... Arguments>
  static cudaError_t StableSortPairs(void* storage, size_t& bytes, Arguments&&... arguments) {
    return SortPairs(storage, bytes, static_cast<Arguments&&>(arguments)...);
  }
  template <typename... Arguments>
  static cudaError_t StableSortPairsDescending(void* storage, size_t& bytes, Arguments&&... arguments) {
    return SortPairsDescending(storage, bytes, static_cast<Arguments&&>(arguments)...);
  }
};

}  // namespace cub
