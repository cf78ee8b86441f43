// CUB's reductions and scans within a warp, or within a power of two of its lanes.
#pragma once

#include "cuemu/cub/common.hpp"

namespace cub {

namespace detail {
/// The lanes of the caller's logical warp.
template <int Lanes>
inline unsigned logical_warp() {
  static_assert(Lanes >= 1 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0,
                "a logical warp has 1, 2, 4, 8, 16 or 32 lanes");
  return 0xffffffffu >> (32 - Lanes) << (cuemu::lane() & ~static_cast<unsigned>(Lanes - 1));
}
template <int Lanes>
inline unsigned logical_lane() {
  return cuemu::lane() & static_cast<unsigned>(Lanes - 1);
}
template <int Lanes, typename T>
inline T from_lane(const T& value, const unsigned source) {
  return cuemu::detail::shuffle(logical_warp<Lanes>(), cuemu::Collective::shuffle, value,
                                (cuemu::lane() & ~static_cast<unsigned>(Lanes - 1)) | source,
                                cuemu::SourceLine::here());
}
}  // namespace detail

/// Combines the lanes' values. CUB defines the result only for the first lane; here all lanes receive it.
template <typename T, int Lanes = 32>
class WarpReduce {
 public:
  struct TempStorage {};
  explicit WarpReduce(TempStorage&) {}

  template <typename Operation>
  T Reduce(const T input, Operation operation) {
    return cuemu::detail::reduce(detail::logical_warp<Lanes>(), cuemu::Collective::group, input,
                                 cuemu::SourceLine::here(),
                                 [&](const T& a, const T& b) { return static_cast<T>(operation(a, b)); });
  }
  /// Combines the first `valid` lanes' values.
  template <typename Operation>
  T Reduce(const T input, Operation operation, const int valid) {
    struct Item {
      T value;
      bool counts;
    };
    const Item mine{input, detail::logical_lane<Lanes>() < static_cast<unsigned>(valid)};
    return cuemu::detail::reduce(detail::logical_warp<Lanes>(), cuemu::Collective::group, mine,
                                 cuemu::SourceLine::here(),
                                 [&](const Item& a, const Item& b) {
                                   if (!a.counts || !b.counts) return a.counts ? a : b;
                                   return Item{static_cast<T>(operation(a.value, b.value)), true};
                                 })
        .value;
  }
  T Sum(const T input) { return Reduce(input, cub::Sum()); }
  T Sum(const T input, const int valid) { return Reduce(input, cub::Sum(), valid); }
  T Max(const T input) { return Reduce(input, cub::Max()); }
  T Min(const T input) { return Reduce(input, cub::Min()); }

  /// Combines the values of each segment. A segment begins at a lane whose flag is set, and ends before the
  /// next such lane. The segment's first lane receives the result.
  template <typename Flag, typename Operation>
  T HeadSegmentedReduce(const T input, const Flag head, Operation operation) {
    return segmented(input, head ? true : false, true, operation);
  }
  /// The same, but the flag marks the last lane of a segment.
  template <typename Flag, typename Operation>
  T TailSegmentedReduce(const T input, const Flag tail, Operation operation) {
    return segmented(input, tail ? true : false, false, operation);
  }
  template <typename Flag>
  T HeadSegmentedSum(const T input, const Flag head) {
    return HeadSegmentedReduce(input, head, cub::Sum());
  }
  template <typename Flag>
  T TailSegmentedSum(const T input, const Flag tail) {
    return TailSegmentedReduce(input, tail, cub::Sum());
  }

 private:
  /// Combines the values from each lane to the end of its segment, and gives the lane the result.
  template <typename Operation>
  static T segmented(const T& input, const bool flag, const bool heads, Operation& operation) {
    struct Lane : cuemu::Call {
      T value, total;
      bool flag;
    };
    Lane mine{{detail::logical_warp<Lanes>(), cuemu::Collective::group, sizeof(T)}, input, input, flag};
    cuemu::collective(mine, cuemu::SourceLine::here(), [&operation, heads](const cuemu::Participants& warp) {
      Lane* lanes[cuemu::warp_width];
      int count = 0;
      cuemu::for_lanes(warp.present, [&](const unsigned lane) { lanes[count++] = &warp.call<Lane>(lane); });
      for (int i = count - 1; i-- > 0;)
        if (heads ? !lanes[i + 1]->flag : !lanes[i]->flag)
          lanes[i]->total = static_cast<T>(operation(lanes[i]->value, lanes[i + 1]->total));
    });
    return mine.total;
  }
};

template <typename T, int Lanes = 32>
class WarpScan {
 public:
  struct TempStorage {};
  explicit WarpScan(TempStorage&) {}

  void InclusiveSum(const T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  void InclusiveSum(const T input, T& output, T& total) { InclusiveScan(input, output, cub::Sum(), total); }
  void ExclusiveSum(const T input, T& output) { ExclusiveScan(input, output, T(), cub::Sum()); }
  void ExclusiveSum(const T input, T& output, T& total) {
    ExclusiveScan(input, output, T(), cub::Sum(), total);
  }
  template <typename Operation>
  void InclusiveScan(const T input, T& output, Operation operation) {
    output = scan(input, operation).value;
  }
  template <typename Operation>
  void InclusiveScan(const T input, T& output, Operation operation, T& total) {
    output = scan(input, operation).value;
    total = detail::from_lane<Lanes>(output, Lanes - 1);
  }
  template <typename Operation>
  void ExclusiveScan(const T input, T& output, Operation operation) {
    output = scan(input, operation).before;
  }
  template <typename Operation>
  void ExclusiveScan(const T input, T& output, const T initial, Operation operation) {
    T total;
    ExclusiveScan(input, output, initial, operation, total);
  }
  template <typename Operation>
  void ExclusiveScan(const T input, T& output, const T initial, Operation operation, T& total) {
    const auto both = scan(input, operation);
    output = detail::logical_lane<Lanes>() == 0 ? initial : static_cast<T>(operation(initial, both.before));
    total = detail::from_lane<Lanes>(both.value, Lanes - 1);
  }
  T Broadcast(const T input, const unsigned source) { return detail::from_lane<Lanes>(input, source); }

 private:
  struct Both {
    T value, before;
  };
  template <typename Operation>
  static Both scan(const T& input, Operation& operation) {
    struct Lane : cuemu::Call {
      T value, before;
    };
    Lane mine{{detail::logical_warp<Lanes>(), cuemu::Collective::group, sizeof(T)}, input, T()};
    cuemu::collective(mine, cuemu::SourceLine::here(), [&operation](const cuemu::Participants& warp) {
      const Lane* previous = nullptr;
      cuemu::for_lanes(warp.present, [&](const unsigned lane) {
        auto& call = warp.call<Lane>(lane);
        if (previous != nullptr) {
          call.before = previous->value;
          call.value = static_cast<T>(operation(call.before, call.value));
        }
        previous = &call;
      });
    });
    return {mine.value, mine.before};
  }
};

/// \name Shuffles of any type, and CUB's queries of a thread's place
/// @{
template <int Lanes, typename T>
inline T ShuffleIndex(const T input, const int source, const unsigned) {
  return detail::from_lane<Lanes>(input, static_cast<unsigned>(source));
}
inline unsigned LaneId() {
  return cuemu::lane();
}
inline unsigned WarpId() {
  return cuemu::warp();
}
inline int RowMajorTid(int, int, int) {
  return static_cast<int>(detail::thread_rank());
}
/// @}

}  // namespace cub
