// CUB's block-wide reductions, scans, loads, stores and exchanges. Threads put their values into the
// temporary storage; then the first thread does the work, in the order of the threads.
#pragma once

#include "cuemu/cub/common.hpp"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace detail {
/// Returns the temporary storage of an object that was constructed without one.
template <typename Storage, typename Owner>
inline Storage& private_storage() {
  return cuemu::shared<Storage, Owner>();
}
}  // namespace detail

/// Combines the values of all threads. The result is valid only in the first thread.
template <typename T, int BlockX, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int BlockY = 1, int BlockZ = 1>
class BlockReduce {
  static constexpr int threads = BlockX * BlockY * BlockZ;

 public:
  struct alignas(alignof(T)) TempStorage {
    unsigned char bytes[threads * sizeof(T)];
  };

  BlockReduce() : storage_(detail::private_storage<TempStorage, BlockReduce>()) {}
  explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

  template <typename Operation>
  T Reduce(const T input, Operation operation, const int valid = threads) {
    T* const values = reinterpret_cast<T*>(storage_.bytes);
    const unsigned rank = detail::thread_rank();
    ::new (static_cast<void*>(values + rank)) T(input);
    cuemu::block_barrier();
    if (rank != 0) return input;
    T total = values[0];
    for (int i = 1; i < valid; ++i) total = operation(total, values[i]);
    return total;
  }
  template <int Items, typename Operation>
  T Reduce(T (&inputs)[Items], Operation operation) {
    T total = inputs[0];
    for (int i = 1; i < Items; ++i) total = operation(total, inputs[i]);
    return Reduce(total, operation);
  }
  T Sum(const T input, const int valid = threads) { return Reduce(input, cub::Sum(), valid); }
  template <int Items>
  T Sum(T (&inputs)[Items]) {
    return Reduce(inputs, cub::Sum());
  }

 private:
  TempStorage& storage_;
};

/// Prefix combinations over the threads of a block, with one or several items for each thread.
template <typename T, int BlockX, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int BlockY = 1,
          int BlockZ = 1>
class BlockScan {
  static constexpr int threads = BlockX * BlockY * BlockZ;
  struct Values {
    T before[threads];  ///< the combination of all lower threads
    T own[threads];
    T total, prefix;
  };

 public:
  struct alignas(alignof(T)) TempStorage {
    unsigned char bytes[sizeof(Values)];
  };

  BlockScan() : storage_(detail::private_storage<TempStorage, BlockScan>()) {}
  explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  // Functions for one item of each thread.
  void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  template <typename Last>
  void InclusiveSum(T input, T& output, Last& last) {
    InclusiveScan(input, output, cub::Sum(), last);
  }
  void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), cub::Sum()); }
  template <typename Last>
  void ExclusiveSum(T input, T& output, Last& last) {
    one(input, output, T(), true, cub::Sum(), last);
  }
  template <typename Operation>
  void InclusiveScan(T input, T& output, Operation operation) {
    T total;
    InclusiveScan(input, output, operation, total);
  }
  template <typename Operation, typename Last>
  void InclusiveScan(T input, T& output, Operation operation, Last& last) {
    one(input, output, T(), false, operation, last);
    output = lowest_ ? input : operation(output, input);
  }
  template <typename Operation>
  void ExclusiveScan(T input, T& output, T initial, Operation operation) {
    T total;
    one(input, output, initial, true, operation, total);
  }
  template <typename Operation>
  void ExclusiveScan(T input, T& output, T initial, Operation operation, T& total) {
    one(input, output, initial, true, operation, total);
  }
  /// The first thread's output is undefined, since there is no initial value.
  template <typename Operation>
  void ExclusiveScan(T input, T& output, Operation operation) {
    T total;
    one(input, output, T(), false, operation, total);
  }
  template <typename Operation, typename Last>
  std::enable_if_t<!std::is_convertible_v<Operation, T>> ExclusiveScan(T input, T& output,
                                                                       Operation operation, Last& last) {
    one(input, output, T(), false, operation, last);
  }

  // Functions for several items of each thread, in the order of the threads.
  template <int Items>
  void InclusiveSum(T (&inputs)[Items], T (&outputs)[Items]) {
    T total;
    InclusiveSum(inputs, outputs, total);
  }
  template <int Items, typename Last>
  void InclusiveSum(T (&inputs)[Items], T (&outputs)[Items], Last& last) {
    several(inputs, outputs, T(), true, true, cub::Sum(), last);
  }
  template <int Items>
  void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items]) {
    T total;
    ExclusiveSum(inputs, outputs, total);
  }
  template <int Items, typename Last>
  void ExclusiveSum(T (&inputs)[Items], T (&outputs)[Items], Last& last) {
    several(inputs, outputs, T(), true, false, cub::Sum(), last);
  }
  template <int Items, typename Operation>
  void InclusiveScan(T (&inputs)[Items], T (&outputs)[Items], Operation operation) {
    T total;
    several(inputs, outputs, T(), false, true, operation, total);
  }
  template <int Items, typename Operation, typename Last>
  void InclusiveScan(T (&inputs)[Items], T (&outputs)[Items], Operation operation, Last& last) {
    several(inputs, outputs, T(), false, true, operation, last);
  }
  template <int Items, typename Operation>
  void ExclusiveScan(T (&inputs)[Items], T (&outputs)[Items], T initial, Operation operation) {
    T total;
    several(inputs, outputs, initial, true, false, operation, total);
  }
  template <int Items, typename Operation>
  void ExclusiveScan(T (&inputs)[Items], T (&outputs)[Items], T initial, Operation operation, T& total) {
    several(inputs, outputs, initial, true, false, operation, total);
  }

 private:
  /// `last` is a variable that receives the combination of all inputs, or a function object that is called with this
  /// combination and returns the value before the first input.
  template <typename Operation, typename Last>
  void one(const T& input, T& output, const T& initial, const bool has_initial, Operation operation,
           Last& last) {
    Values& values = *reinterpret_cast<Values*>(storage_.bytes);
    const unsigned rank = detail::thread_rank();
    values.own[rank] = input;
    cuemu::block_barrier();
    if (rank == 0) {
      T sum = values.own[0];
      for (int i = 1; i < threads; ++i) {
        values.before[i] = sum;
        sum = operation(sum, values.own[i]);
      }
      values.total = sum;
      values.prefix = initial;
    }
    cuemu::block_barrier();
    bool prefixed = has_initial;
    if constexpr (std::is_same_v<Last, T>) {
      last = values.total;
    } else {
      if (rank < cuemu::warp_width) {
        const T prefix = last(values.total);
        if (rank == 0) values.prefix = prefix;
      }
      cuemu::block_barrier();
      prefixed = true;
    }
    lowest_ = rank == 0 && !prefixed;
    output = !prefixed   ? (rank == 0 ? T() : values.before[rank])
             : rank == 0 ? values.prefix
                         : static_cast<T>(operation(values.prefix, values.before[rank]));
  }
  template <int Items, typename Operation, typename Last>
  void several(const T (&inputs)[Items], T (&outputs)[Items], const T& initial, const bool has_initial,
               const bool inclusive, Operation operation, Last& last) {
    T own = inputs[0];
    for (int i = 1; i < Items; ++i) own = operation(own, inputs[i]);
    T running;
    one(own, running, initial, has_initial, operation, last);
    bool empty = lowest_;
    for (int i = 0; i < Items; ++i) {
      const T next = empty ? inputs[i] : static_cast<T>(operation(running, inputs[i]));
      outputs[i] = inclusive ? next : running;
      running = next;
      empty = false;
    }
  }

  TempStorage& storage_;
  bool lowest_ = false;  ///< whether there is no value before this thread's first input
};

/// \name Loads and stores of several items for each thread. The items are adjacent, or a block apart
/// @{
template <typename T, int Items, typename Iterator>
inline void LoadDirectBlocked(const int rank, Iterator from, T (&items)[Items]) {
  for (int i = 0; i < Items; ++i) items[i] = from[rank * Items + i];
}
template <typename T, int Items, typename Iterator>
inline void LoadDirectBlocked(const int rank, Iterator from, T (&items)[Items], const int valid) {
  for (int i = 0; i < Items; ++i)
    if (rank * Items + i < valid) items[i] = from[rank * Items + i];
}
template <int Threads, typename T, int Items, typename Iterator>
inline void LoadDirectStriped(const int rank, Iterator from, T (&items)[Items]) {
  for (int i = 0; i < Items; ++i) items[i] = from[rank + i * Threads];
}
template <typename T, int Items, typename Iterator>
inline void StoreDirectBlocked(const int rank, Iterator to, T (&items)[Items]) {
  for (int i = 0; i < Items; ++i) to[rank * Items + i] = items[i];
}
template <typename T, int Items, typename Iterator>
inline void StoreDirectBlocked(const int rank, Iterator to, T (&items)[Items], const int valid) {
  for (int i = 0; i < Items; ++i)
    if (rank * Items + i < valid) to[rank * Items + i] = items[i];
}
template <int Threads, typename T, int Items, typename Iterator>
inline void StoreDirectStriped(const int rank, Iterator to, T (&items)[Items]) {
  for (int i = 0; i < Items; ++i) to[rank + i * Threads] = items[i];
}
/// @}

namespace detail {
template <int Threads>
struct BlockTeam {
  static constexpr int threads = Threads;
  static int rank() { return static_cast<int>(thread_rank()); }
  static void sync() { cuemu::block_barrier(); }
};

/// The places of a thread's items, which are adjacent or `threads` items apart. The team is a block or a
/// warp.
template <int Items, typename Team, bool Striped>
struct TeamItems {
  static int place(const int i) {
    return Striped ? Team::rank() + i * Team::threads : Team::rank() * Items + i;
  }
};

template <typename T, int Items, typename Team, bool Striped>
class TeamLoad : TeamItems<Items, Team, Striped> {
  using TeamItems<Items, Team, Striped>::place;

 public:
  template <typename Iterator>
  void Load(Iterator from, T (&items)[Items]) {
    for (int i = 0; i < Items; ++i) items[i] = from[place(i)];
  }
  template <typename Iterator>
  void Load(Iterator from, T (&items)[Items], const int valid) {
    for (int i = 0; i < Items; ++i)
      if (place(i) < valid) items[i] = from[place(i)];
  }
  template <typename Iterator, typename Default>
  void Load(Iterator from, T (&items)[Items], const int valid, const Default beyond) {
    for (int i = 0; i < Items; ++i)
      items[i] = place(i) < valid ? static_cast<T>(from[place(i)]) : static_cast<T>(beyond);
  }
};

template <typename T, int Items, typename Team, bool Striped>
class TeamStore : TeamItems<Items, Team, Striped> {
  using TeamItems<Items, Team, Striped>::place;

 public:
  template <typename Iterator>
  void Store(Iterator to, T (&items)[Items]) {
    for (int i = 0; i < Items; ++i) to[place(i)] = items[i];
  }
  template <typename Iterator>
  void Store(Iterator to, T (&items)[Items], const int valid) {
    for (int i = 0; i < Items; ++i)
      if (place(i) < valid) to[place(i)] = items[i];
  }
};
}  // namespace detail

template <typename T, int BlockX, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int BlockY = 1,
          int BlockZ = 1>
class BlockLoad : public detail::TeamLoad<T, Items, detail::BlockTeam<BlockX * BlockY * BlockZ>,
                                          Algorithm == BLOCK_LOAD_STRIPED> {
 public:
  struct TempStorage {};
  BlockLoad() = default;
  explicit BlockLoad(TempStorage&) {}
};

template <typename T, int BlockX, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT,
          int BlockY = 1, int BlockZ = 1>
class BlockStore : public detail::TeamStore<T, Items, detail::BlockTeam<BlockX * BlockY * BlockZ>,
                                            Algorithm == BLOCK_STORE_STRIPED> {
 public:
  struct TempStorage {};
  BlockStore() = default;
  explicit BlockStore(TempStorage&) {}
};

/// Rearranges the items of the threads.
template <typename T, int BlockX, int Items, bool TimeSlicing = false, int BlockY = 1, int BlockZ = 1>
class BlockExchange {
  static constexpr int threads = BlockX * BlockY * BlockZ;

 public:
  struct alignas(alignof(T)) TempStorage {
    unsigned char bytes[threads * Items * sizeof(T)];
  };
  BlockExchange() : storage_(detail::private_storage<TempStorage, BlockExchange>()) {}
  explicit BlockExchange(TempStorage& storage) : storage_(storage) {}

  template <typename Out>
  void BlockedToStriped(const T (&in)[Items], Out (&out)[Items]) {
    exchange(
        in, out, [](const int i) { return rank() * Items + i; },
        [](const int i) { return rank() + i * threads; });
  }
  template <typename Out>
  void StripedToBlocked(const T (&in)[Items], Out (&out)[Items]) {
    exchange(
        in, out, [](const int i) { return rank() + i * threads; },
        [](const int i) { return rank() * Items + i; });
  }
  template <typename Out, typename Offset>
  void ScatterToBlocked(const T (&in)[Items], Out (&out)[Items], Offset (&ranks)[Items]) {
    exchange(
        in, out, [&](const int i) { return static_cast<int>(ranks[i]); },
        [](const int i) { return rank() * Items + i; });
  }
  template <typename Out, typename Offset>
  void ScatterToStriped(const T (&in)[Items], Out (&out)[Items], Offset (&ranks)[Items]) {
    exchange(
        in, out, [&](const int i) { return static_cast<int>(ranks[i]); },
        [](const int i) { return rank() + i * threads; });
  }
  /// Items with negative ranks are dropped.
  template <typename Out, typename Offset>
  void ScatterToStripedGuarded(const T (&in)[Items], Out (&out)[Items], Offset (&ranks)[Items]) {
    exchange_some(
        in, out, [&](const int i) { return static_cast<int>(ranks[i]); },
        [](const int i) { return rank() + i * threads; });
  }
  /// Items whose flags are not set are dropped.
  template <typename Out, typename Offset, typename Flag>
  void ScatterToStripedFlagged(const T (&in)[Items], Out (&out)[Items], Offset (&ranks)[Items],
                               Flag (&valid)[Items]) {
    exchange_some(
        in, out, [&](const int i) { return valid[i] ? static_cast<int>(ranks[i]) : -1; },
        [](const int i) { return rank() + i * threads; });
  }
  /// Rearranges items within each warp: a thread gets every 32nd item of its warp.
  template <typename Out>
  void BlockedToWarpStriped(const T (&in)[Items], Out (&out)[Items]) {
    exchange(
        in, out, [](const int i) { return rank() * Items + i; }, warp_striped);
  }
  template <typename Out>
  void WarpStripedToBlocked(const T (&in)[Items], Out (&out)[Items]) {
    exchange(in, out, warp_striped, [](const int i) { return rank() * Items + i; });
  }

  // The same functions in place.
  void BlockedToStriped(T (&items)[Items]) { BlockedToStriped(items, items); }
  void StripedToBlocked(T (&items)[Items]) { StripedToBlocked(items, items); }
  void BlockedToWarpStriped(T (&items)[Items]) { BlockedToWarpStriped(items, items); }
  void WarpStripedToBlocked(T (&items)[Items]) { WarpStripedToBlocked(items, items); }
  template <typename Offset>
  void ScatterToBlocked(T (&items)[Items], Offset (&ranks)[Items]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <typename Offset>
  void ScatterToStriped(T (&items)[Items], Offset (&ranks)[Items]) {
    ScatterToStriped(items, items, ranks);
  }
  template <typename Offset>
  void ScatterToStripedGuarded(T (&items)[Items], Offset (&ranks)[Items]) {
    ScatterToStripedGuarded(items, items, ranks);
  }
  template <typename Offset, typename Flag>
  void ScatterToStripedFlagged(T (&items)[Items], Offset (&ranks)[Items], Flag (&valid)[Items]) {
    ScatterToStripedFlagged(items, items, ranks, valid);
  }

 private:
  static int rank() { return static_cast<int>(detail::thread_rank()); }
  static int warp_striped(const int i) {
    constexpr int lanes = threads < 32 ? threads : 32;
    return rank() / lanes * lanes * Items + i * lanes + rank() % lanes;
  }
  template <typename Out, typename To, typename From>
  void exchange(const T (&in)[Items], Out (&out)[Items], const To to, const From from) {
    T* const values = reinterpret_cast<T*>(storage_.bytes);
    for (int i = 0; i < Items; ++i) values[to(i)] = in[i];
    cuemu::block_barrier();
    for (int i = 0; i < Items; ++i) out[i] = values[from(i)];
  }
  /// The same, except that items without a place are dropped.
  template <typename Out, typename To, typename From>
  void exchange_some(const T (&in)[Items], Out (&out)[Items], const To to, const From from) {
    T* const values = reinterpret_cast<T*>(storage_.bytes);
    for (int i = 0; i < Items; ++i)
      if (const int place = to(i); place >= 0) values[place] = in[i];
    cuemu::block_barrier();
    for (int i = 0; i < Items; ++i) out[i] = values[from(i)];
  }
  TempStorage& storage_;
};

/// Computes flags that are set where an item differs from its neighbour.
template <typename T, int BlockX, int BlockY = 1, int BlockZ = 1>
class BlockDiscontinuity {
  static constexpr int threads = BlockX * BlockY * BlockZ;

 public:
  struct alignas(alignof(T)) TempStorage {
    unsigned char bytes[2 * threads * sizeof(T)];
  };
  BlockDiscontinuity() : storage_(detail::private_storage<TempStorage, BlockDiscontinuity>()) {}
  explicit BlockDiscontinuity(TempStorage& storage) : storage_(storage) {}

  template <int Items, typename Flag, typename Differ>
  void FlagHeads(Flag (&flags)[Items], T (&items)[Items], Differ differ) {
    T* const edges = reinterpret_cast<T*>(storage_.bytes);
    const int rank = static_cast<int>(detail::thread_rank());
    edges[rank] = items[Items - 1];
    cuemu::block_barrier();
    for (int i = 0; i < Items; ++i)
      flags[i] = i == 0 && rank == 0
                     ? 1
                     : static_cast<Flag>(differ(i == 0 ? edges[rank - 1] : items[i - 1], items[i]));
  }
  template <int Items, typename Flag, typename Differ>
  void FlagTails(Flag (&flags)[Items], T (&items)[Items], Differ differ) {
    T* const edges = reinterpret_cast<T*>(storage_.bytes);
    const int rank = static_cast<int>(detail::thread_rank());
    edges[rank] = items[0];
    cuemu::block_barrier();
    for (int i = 0; i < Items; ++i)
      flags[i] = i + 1 == Items && rank + 1 == threads
                     ? 1
                     : static_cast<Flag>(differ(items[i], i + 1 == Items ? edges[rank + 1] : items[i + 1]));
  }
  /// Flags heads and tails. The block's first item is a head, unless the value before it is given and does not differ;
  /// the same holds for the last item and tails.
  template <int Items, typename Flag, typename Differ>
  void FlagHeadsAndTails(Flag (&heads)[Items], Flag (&tails)[Items], T (&items)[Items], Differ differ) {
    flag_both(heads, nullptr, tails, nullptr, items, differ);
  }
  template <int Items, typename Flag, typename Differ>
  void FlagHeadsAndTails(Flag (&heads)[Items], Flag (&tails)[Items], const T behind, T (&items)[Items],
                         Differ differ) {
    flag_both(heads, nullptr, tails, &behind, items, differ);
  }
  template <int Items, typename Flag, typename Differ>
  void FlagHeadsAndTails(Flag (&heads)[Items], const T before, Flag (&tails)[Items], T (&items)[Items],
                         Differ differ) {
    flag_both(heads, &before, tails, nullptr, items, differ);
  }
  template <int Items, typename Flag, typename Differ>
  void FlagHeadsAndTails(Flag (&heads)[Items], const T before, Flag (&tails)[Items], const T behind,
                         T (&items)[Items], Differ differ) {
    flag_both(heads, &before, tails, &behind, items, differ);
  }

 private:
  template <int Items, typename Flag, typename Differ>
  void flag_both(Flag (&heads)[Items], const T* const before, Flag (&tails)[Items], const T* const behind,
                 T (&items)[Items], Differ& differ) {
    T* const firsts = reinterpret_cast<T*>(storage_.bytes);
    T* const lasts = firsts + threads;
    const int rank = static_cast<int>(detail::thread_rank());
    firsts[rank] = items[0];
    lasts[rank] = items[Items - 1];
    cuemu::block_barrier();
    for (int i = 0; i < Items; ++i) {
      const T* const previous = i > 0 ? &items[i - 1] : rank > 0 ? &lasts[rank - 1] : before;
      const T* const next = i + 1 < Items ? &items[i + 1] : rank + 1 < threads ? &firsts[rank + 1] : behind;
      heads[i] = previous == nullptr ? 1 : static_cast<Flag>(differ(*previous, items[i]));
      tails[i] = next == nullptr ? 1 : static_cast<Flag>(differ(items[i], *next));
    }
  }
  TempStorage& storage_;
};

}  // namespace cub
