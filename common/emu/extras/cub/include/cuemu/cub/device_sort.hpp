// CUB's device-wide sorts.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "cuemu/cub/device.hpp"

namespace cub {

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
