// CUB's merge sorts, differences, shuffles and run-length decoding for blocks; and sorts, exchanges, loads
// and stores for warps. Threads of a block exchange values through the temporary storage, and lanes of a warp
// through warp functions.
#pragma once

#include <algorithm>

#include "cuemu/cub/block.hpp"
#include "cuemu/cub/warp.hpp"

namespace cub {

namespace detail {

/// Sorts `count` keys with their values. Equal keys keep their order. This is an insertion sort in place,
/// since code in a kernel must not allocate.
template <typename Key, typename Value, typename Less>
inline void stable_sort_pairs(Key* const keys, Value* const values, const int count, Less& less) {
  constexpr bool has_values = !std::is_same_v<Value, NullType>;
  for (int i = 1; i < count; ++i) {
    const Key key = keys[i];
    int low = 0, high = i;  // after all keys that are not greater
    while (low < high) {
      const int middle = (low + high) / 2;
      if (less(key, keys[middle]))
        high = middle;
      else
        low = middle + 1;
    }
    for (int j = i; j > low; --j) keys[j] = keys[j - 1];
    keys[low] = key;
    if constexpr (has_values) {
      const Value value = values[i];
      for (int j = i; j > low; --j) values[j] = values[j - 1];
      values[low] = value;
    }
  }
}

/// The common part of block-wide and warp-wide merge sorts. `Team` has rank(), sync() and threads.
template <typename Team, typename Key, int Items, typename Value>
class MergeSort {
  static constexpr int count = Team::threads * Items;
  static constexpr bool has_values = !std::is_same_v<Value, NullType>;
  struct Contents {
    Key keys[count];
    Value values[has_values ? count : 1];
  };

 public:
  struct alignas(alignof(Contents)) TempStorage {
    unsigned char bytes[sizeof(Contents)];
  };
  explicit MergeSort(TempStorage& storage) : storage_(storage) {}

  template <typename Less>
  void Sort(Key (&keys)[Items], Less less) {
    sort(keys, none_, less, count);
  }
  /// Sorts only the first `valid` items; the others become `beyond`, which comes last.
  template <typename Less>
  void Sort(Key (&keys)[Items], Less less, const int valid, const Key beyond) {
    fill(keys, valid, beyond);
    sort(keys, none_, less, count);
  }
  template <typename Less>
  void Sort(Key (&keys)[Items], Value (&values)[Items], Less less) {
    sort(keys, values, less, count);
  }
  template <typename Less>
  void Sort(Key (&keys)[Items], Value (&values)[Items], Less less, const int valid, const Key beyond) {
    fill(keys, valid, beyond);
    sort(keys, values, less, count);
  }
  template <typename... Arguments>
  void StableSort(Arguments&&... arguments) {
    Sort(static_cast<Arguments&&>(arguments)...);
  }

 private:
  static void fill(Key (&keys)[Items], const int valid, const Key& beyond) {
    for (int i = 0; i < Items; ++i)
      if (Team::rank() * Items + i >= valid) keys[i] = beyond;
  }
  template <typename Values, typename Less>
  void sort(Key (&keys)[Items], Values& values, Less& less, const int all_items) {
    constexpr bool with_values = !std::is_same_v<Values, NullType>;
    Contents& all = *reinterpret_cast<Contents*>(storage_.bytes);
    const int rank = Team::rank();
    for (int i = 0; i < Items; ++i) {
      all.keys[rank * Items + i] = keys[i];
      if constexpr (with_values) all.values[rank * Items + i] = values[i];
    }
    Team::sync();
    if (rank == 0) {
      if constexpr (with_values)
        stable_sort_pairs(all.keys, all.values, all_items, less);
      else
        stable_sort_pairs(all.keys, static_cast<NullType*>(nullptr), all_items, less);
    }
    Team::sync();
    for (int i = 0; i < Items; ++i) {
      keys[i] = all.keys[rank * Items + i];
      if constexpr (with_values) values[i] = all.values[rank * Items + i];
    }
  }

  TempStorage& storage_;
  NullType none_;
};

template <int Lanes>
struct WarpTeam {
  static constexpr int threads = Lanes;
  static int rank() { return static_cast<int>(logical_lane<Lanes>()); }
  static void sync() { __syncwarp(logical_warp<Lanes>()); }
};

}  // namespace detail

/// Sorts the items of all threads by a comparison; equal items keep their order.
template <typename Key, int BlockX, int Items, typename Value = NullType, int BlockY = 1, int BlockZ = 1>
class BlockMergeSort
    : public detail::MergeSort<detail::BlockTeam<BlockX * BlockY * BlockZ>, Key, Items, Value> {
  using Base = detail::MergeSort<detail::BlockTeam<BlockX * BlockY * BlockZ>, Key, Items, Value>;

 public:
  using TempStorage = typename Base::TempStorage;
  BlockMergeSort() : Base(detail::private_storage<TempStorage, BlockMergeSort>()) {}
  explicit BlockMergeSort(TempStorage& storage) : Base(storage) {}
};
template <typename Key, int Items, int Lanes = 32, typename Value = NullType>
class WarpMergeSort : public detail::MergeSort<detail::WarpTeam<Lanes>, Key, Items, Value> {
  using Base = detail::MergeSort<detail::WarpTeam<Lanes>, Key, Items, Value>;

 public:
  using TempStorage = typename Base::TempStorage;
  explicit WarpMergeSort(TempStorage& storage) : Base(storage) {}
};

/// Combines each item with its neighbour: computes the difference, or the result of another operation.
template <typename T, int BlockX, int BlockY = 1, int BlockZ = 1>
class BlockAdjacentDifference {
  static constexpr int threads = BlockX * BlockY * BlockZ;

 public:
  struct alignas(alignof(T)) TempStorage {
    unsigned char bytes[threads * sizeof(T)];
  };
  BlockAdjacentDifference() : storage_(detail::private_storage<TempStorage, BlockAdjacentDifference>()) {}
  explicit BlockAdjacentDifference(TempStorage& storage) : storage_(storage) {}

  /// The block's first item remains unchanged.
  template <int Items, typename Out, typename Operation>
  void SubtractLeft(T (&in)[Items], Out (&out)[Items], Operation operation) {
    left(in, out, operation, threads * Items, nullptr);
  }
  template <int Items, typename Out, typename Operation>
  void SubtractLeft(T (&in)[Items], Out (&out)[Items], Operation operation, const T before) {
    left(in, out, operation, threads * Items, &before);
  }
  template <int Items, typename Out, typename Operation>
  void SubtractLeftPartialTile(T (&in)[Items], Out (&out)[Items], Operation operation, const int valid) {
    left(in, out, operation, valid, nullptr);
  }
  template <int Items, typename Out, typename Operation>
  void SubtractLeftPartialTile(T (&in)[Items], Out (&out)[Items], Operation operation, const int valid,
                               const T before) {
    left(in, out, operation, valid, &before);
  }
  /// The block's last item remains unchanged.
  template <int Items, typename Out, typename Operation>
  void SubtractRight(T (&in)[Items], Out (&out)[Items], Operation operation) {
    right(in, out, operation, threads * Items, nullptr);
  }
  template <int Items, typename Out, typename Operation>
  void SubtractRight(T (&in)[Items], Out (&out)[Items], Operation operation, const T behind) {
    right(in, out, operation, threads * Items, &behind);
  }
  template <int Items, typename Out, typename Operation>
  void SubtractRightPartialTile(T (&in)[Items], Out (&out)[Items], Operation operation, const int valid) {
    right(in, out, operation, valid, nullptr);
  }

 private:
  template <int Items, typename Out, typename Operation>
  void left(T (&in)[Items], Out (&out)[Items], Operation& operation, const int valid, const T* const before) {
    T* const edges = reinterpret_cast<T*>(storage_.bytes);
    const int rank = static_cast<int>(detail::thread_rank());
    edges[rank] = in[Items - 1];
    cuemu::block_barrier();
    for (int i = Items; i-- > 0;) {  // from the end, since out may be in
      const int place = rank * Items + i;
      if (place >= valid || (place == 0 && before == nullptr))
        out[i] = static_cast<Out>(in[i]);
      else
        out[i] = static_cast<Out>(operation(in[i], place == 0 ? *before
                                                   : i == 0   ? edges[rank - 1]
                                                              : in[i - 1]));
    }
  }
  template <int Items, typename Out, typename Operation>
  void right(T (&in)[Items], Out (&out)[Items], Operation& operation, const int valid,
             const T* const behind) {
    T* const edges = reinterpret_cast<T*>(storage_.bytes);
    const int rank = static_cast<int>(detail::thread_rank());
    edges[rank] = in[0];
    cuemu::block_barrier();
    for (int i = 0; i < Items; ++i) {
      const int place = rank * Items + i;
      const bool at_end = place + 1 == threads * Items;
      if (place + 1 >= valid && !(at_end && behind != nullptr))
        out[i] = static_cast<Out>(in[i]);
      else
        out[i] = static_cast<Out>(operation(in[i], at_end           ? *behind
                                                   : i + 1 == Items ? edges[rank + 1]
                                                                    : in[i + 1]));
    }
  }

  TempStorage& storage_;
};

/// Moves items by a number of threads, or by one item.
template <typename T, int BlockX, int BlockY = 1, int BlockZ = 1>
class BlockShuffle {
  static constexpr int threads = BlockX * BlockY * BlockZ;

 public:
  struct alignas(alignof(T)) TempStorage {
    unsigned char bytes[threads * sizeof(T)];
  };
  BlockShuffle() : storage_(detail::private_storage<TempStorage, BlockShuffle>()) {}
  explicit BlockShuffle(TempStorage& storage) : storage_(storage) {}

  /// Returns the input of the thread whose number is greater by `distance`. If there is no such thread,
  /// `output` does not change.
  void Offset(const T input, T& output, const int distance = 1) {
    const T* const all = put(input);
    const int from = rank() + distance;
    if (from >= 0 && from < threads) output = all[from];
  }
  void Rotate(const T input, T& output, const unsigned distance = 1) {
    const T* const all = put(input);
    output = all[(static_cast<unsigned>(rank()) + distance) % threads];
  }
  /// Moves each item one place up. The block's first output keeps its value.
  template <int Items>
  void Up(T (&in)[Items], T (&out)[Items]) {
    const T* const all = put(in[Items - 1]);
    for (int i = Items; i-- > 1;) out[i] = in[i - 1];
    if (rank() > 0) out[0] = all[rank() - 1];
  }
  template <int Items>
  void Up(T (&in)[Items], T (&out)[Items], T& last) {
    Up(in, out);
    last = reinterpret_cast<const T*>(storage_.bytes)[threads - 1];
  }
  template <int Items>
  void Down(T (&in)[Items], T (&out)[Items]) {
    const T* const all = put(in[0]);
    for (int i = 0; i + 1 < Items; ++i) out[i] = in[i + 1];
    if (rank() + 1 < threads) out[Items - 1] = all[rank() + 1];
  }
  template <int Items>
  void Down(T (&in)[Items], T (&out)[Items], T& first) {
    Down(in, out);
    first = reinterpret_cast<const T*>(storage_.bytes)[0];
  }

 private:
  static int rank() { return static_cast<int>(detail::thread_rank()); }
  const T* put(const T& mine) {
    T* const all = reinterpret_cast<T*>(storage_.bytes);
    all[rank()] = mine;
    cuemu::block_barrier();
    return all;
  }
  TempStorage& storage_;
};

/// Decodes runs into items, one window at a time. A run consists of an item and a length.
template <typename Item, int BlockX, int Runs, int Decoded, typename Offset = unsigned, int BlockY = 1,
          int BlockZ = 1>
class BlockRunLengthDecode {
  static constexpr int threads = BlockX * BlockY * BlockZ, runs = threads * Runs;
  struct Contents {
    Item items[runs];
    Offset begins[runs + 1];
  };

 public:
  struct alignas(alignof(Contents)) TempStorage {
    unsigned char bytes[sizeof(Contents)];
  };
  template <typename Length, typename Total>
  BlockRunLengthDecode(TempStorage& storage, Item (&items)[Runs], Length (&lengths)[Runs], Total& total)
      : storage_(storage) {
    Contents& all = contents();
    const int rank = static_cast<int>(detail::thread_rank());
    for (int i = 0; i < Runs; ++i) {
      all.items[rank * Runs + i] = items[i];
      all.begins[rank * Runs + i + 1] = static_cast<Offset>(lengths[i]);
    }
    cuemu::block_barrier();
    if (rank == 0) {
      all.begins[0] = 0;
      for (int i = 0; i < runs; ++i) all.begins[i + 1] += all.begins[i];
    }
    cuemu::block_barrier();
    total = static_cast<Total>(all.begins[runs]);
  }
  template <typename Place>
  void RunLengthDecode(Item (&decoded)[Decoded], Place (&places)[Decoded], const Offset from = 0) {
    const Contents& all = contents();
    for (int i = 0; i < Decoded; ++i) {
      const Offset at = from + static_cast<Offset>(static_cast<int>(detail::thread_rank()) * Decoded + i);
      if (at >= all.begins[runs]) continue;
      const Offset* const next = std::upper_bound(all.begins, all.begins + runs + 1, at);
      decoded[i] = all.items[next - all.begins - 1];
      places[i] = static_cast<Place>(at - next[-1]);
    }
  }
  void RunLengthDecode(Item (&decoded)[Decoded], const Offset from = 0) {
    Offset places[Decoded];
    RunLengthDecode(decoded, places, from);
  }

 private:
  Contents& contents() { return *reinterpret_cast<Contents*>(storage_.bytes); }
  TempStorage& storage_;
};

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };

/// Rearranges the items of a warp's lanes.
template <typename T, int Items, int Lanes = 32, WarpExchangeAlgorithm Algorithm = WARP_EXCHANGE_SMEM>
class WarpExchange {
 public:
  struct alignas(alignof(T)) TempStorage {
    unsigned char bytes[Lanes * Items * sizeof(T)];
  };
  explicit WarpExchange(TempStorage& storage) : storage_(storage) {}

  template <typename Out>
  void BlockedToStriped(const T (&in)[Items], Out (&out)[Items]) {
    exchange(
        in, out, [](const int i) { return lane() * Items + i; },
        [](const int i) { return lane() + i * Lanes; });
  }
  template <typename Out>
  void StripedToBlocked(const T (&in)[Items], Out (&out)[Items]) {
    exchange(
        in, out, [](const int i) { return lane() + i * Lanes; },
        [](const int i) { return lane() * Items + i; });
  }
  template <typename Offset>
  void ScatterToStriped(T (&items)[Items], Offset (&ranks)[Items]) {
    ScatterToStriped(items, items, ranks);
  }
  template <typename Out, typename Offset>
  void ScatterToStriped(const T (&in)[Items], Out (&out)[Items], Offset (&ranks)[Items]) {
    exchange(
        in, out, [&](const int i) { return static_cast<int>(ranks[i]); },
        [](const int i) { return lane() + i * Lanes; });
  }

 private:
  static int lane() { return static_cast<int>(detail::logical_lane<Lanes>()); }
  template <typename Out, typename To, typename From>
  void exchange(const T (&in)[Items], Out (&out)[Items], const To to, const From from) {
    T* const values = reinterpret_cast<T*>(storage_.bytes);
    for (int i = 0; i < Items; ++i) values[to(i)] = in[i];
    __syncwarp(detail::logical_warp<Lanes>());
    for (int i = 0; i < Items; ++i) out[i] = values[from(i)];
  }
  TempStorage& storage_;
};

template <typename T, int Items, WarpLoadAlgorithm Algorithm = WARP_LOAD_DIRECT, int Lanes = 32>
class WarpLoad : public detail::TeamLoad<T, Items, detail::WarpTeam<Lanes>, Algorithm == WARP_LOAD_STRIPED> {
 public:
  struct TempStorage {};
  explicit WarpLoad(TempStorage&) {}
};
template <typename T, int Items, WarpStoreAlgorithm Algorithm = WARP_STORE_DIRECT, int Lanes = 32>
class WarpStore
    : public detail::TeamStore<T, Items, detail::WarpTeam<Lanes>, Algorithm == WARP_STORE_STRIPED> {
 public:
  struct TempStorage {};
  explicit WarpStore(TempStorage&) {}
};

/// \name Loads and stores with cache hints, which are ignored here
/// @{
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier Modifier, typename Iterator>
inline auto ThreadLoad(Iterator from) {
  return typename std::iterator_traits<Iterator>::value_type(*from);
}
template <CacheStoreModifier Modifier, typename Iterator, typename T>
inline void ThreadStore(Iterator to, const T value) {
  *to = value;
}
/// @}

}  // namespace cub
