// CUB's block-wide sort and histogram.
#pragma once

#include <algorithm>
#include <vector>

#include "cuemu/cub/block.hpp"

namespace cub {

/// Sorts the items of all threads by their bits, as a radix sort does. Equal keys keep their order.
template <typename Key, int BlockX, int Items, typename Value = NullType, int RadixBits = 4,
          bool Memoize = true, BlockScanAlgorithm Scan = BLOCK_SCAN_WARP_SCANS, int BlockY = 1,
          int BlockZ = 1>
class BlockRadixSort {
  static constexpr int threads = BlockX * BlockY * BlockZ, count = threads * Items;
  static constexpr bool has_values = !std::is_same_v<Value, NullType>;
  static constexpr int all_bits = 8 * static_cast<int>(sizeof(Key));
  struct Contents {
    Key keys[count];
    Value values[has_values ? count : 1];
  };

 public:
  struct alignas(alignof(Contents)) TempStorage {
    unsigned char bytes[sizeof(Contents)];
  };
  BlockRadixSort() : storage_(detail::private_storage<TempStorage, BlockRadixSort>()) {}
  explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  void Sort(Key (&keys)[Items], const int begin = 0, const int end = all_bits) {
    sort(keys, none_, begin, end, false, false);
  }
  void Sort(Key (&keys)[Items], Value (&values)[Items], const int begin = 0, const int end = all_bits) {
    sort(keys, values, begin, end, false, false);
  }
  void SortDescending(Key (&keys)[Items], const int begin = 0, const int end = all_bits) {
    sort(keys, none_, begin, end, true, false);
  }
  void SortDescending(Key (&keys)[Items], Value (&values)[Items], const int begin = 0,
                      const int end = all_bits) {
    sort(keys, values, begin, end, true, false);
  }
  void SortBlockedToStriped(Key (&keys)[Items], const int begin = 0, const int end = all_bits) {
    sort(keys, none_, begin, end, false, true);
  }
  void SortBlockedToStriped(Key (&keys)[Items], Value (&values)[Items], const int begin = 0,
                            const int end = all_bits) {
    sort(keys, values, begin, end, false, true);
  }
  void SortDescendingBlockedToStriped(Key (&keys)[Items], const int begin = 0, const int end = all_bits) {
    sort(keys, none_, begin, end, true, true);
  }
  void SortDescendingBlockedToStriped(Key (&keys)[Items], Value (&values)[Items], const int begin = 0,
                                      const int end = all_bits) {
    sort(keys, values, begin, end, true, true);
  }

 private:
  template <typename Values>
  void sort(Key (&keys)[Items], Values& values, const int begin, const int end, const bool descending,
            const bool striped) {
    constexpr bool with_values = !std::is_same_v<Values, NullType>;
    Contents& all = *reinterpret_cast<Contents*>(storage_.bytes);
    const int rank = static_cast<int>(detail::thread_rank());
    for (int i = 0; i < Items; ++i) {
      all.keys[rank * Items + i] = keys[i];
      if constexpr (with_values) all.values[rank * Items + i] = values[i];
    }
    cuemu::block_barrier();
    if (rank == 0) {
      const cuemu::Uninterrupted whole(*cuemu::current_fiber);  // its vectors must not use the device's heap
      std::vector<int> order(count);
      for (int i = 0; i < count; ++i) order[static_cast<size_t>(i)] = i;
      std::stable_sort(order.begin(), order.end(), [&](const int a, const int b) {
        const auto x = detail::radix_of(all.keys[a], begin, end),
                   y = detail::radix_of(all.keys[b], begin, end);
        return descending ? y < x : x < y;
      });
      const std::vector<Key> old(all.keys, all.keys + count);
      for (int i = 0; i < count; ++i) all.keys[i] = old[static_cast<size_t>(order[static_cast<size_t>(i)])];
      if constexpr (with_values) {
        const std::vector<Value> old_values(all.values, all.values + count);
        for (int i = 0; i < count; ++i)
          all.values[i] = old_values[static_cast<size_t>(order[static_cast<size_t>(i)])];
      }
    }
    cuemu::block_barrier();
    for (int i = 0; i < Items; ++i) {
      const int at = striped ? rank + i * threads : rank * Items + i;
      keys[i] = all.keys[at];
      if constexpr (with_values) values[i] = all.values[at];
    }
  }

  TempStorage& storage_;
  NullType none_;
};

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

/// Counts how often each bin occurs. An item is the number of its bin.
template <typename T, int BlockX, int Items, int Bins, BlockHistogramAlgorithm Algorithm = BLOCK_HISTO_SORT,
          int BlockY = 1, int BlockZ = 1>
class BlockHistogram {
  static constexpr unsigned threads = BlockX * BlockY * BlockZ;

 public:
  struct TempStorage {};
  BlockHistogram() = default;
  explicit BlockHistogram(TempStorage&) {}

  template <typename Counter>
  void InitHistogram(Counter (&histogram)[Bins]) {
    for (unsigned bin = detail::thread_rank(); bin < Bins; bin += threads) histogram[bin] = 0;
  }
  template <typename Counter>
  void Histogram(T (&items)[Items], Counter (&histogram)[Bins]) {
    InitHistogram(histogram);
    cuemu::block_barrier();
    Composite(items, histogram);
  }
  /// Adds the counts to the existing ones.
  template <typename Counter>
  void Composite(T (&items)[Items], Counter (&histogram)[Bins]) {
    for (const T& item : items) __atomic_fetch_add(&histogram[item], Counter{1}, __ATOMIC_RELAXED);
  }
};

}  // namespace cub
