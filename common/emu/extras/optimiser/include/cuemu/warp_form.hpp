// Warps of kernels that emucc splits: lanes run as loops, and arrays contain the values that they exchange.
//
// Where all lanes of a warp certainly reach a warp function together, no lane has to wait. emucc translates
// `sum += __shfl_down_sync(~0u, sum, d);` to
//
//   const auto call = warp_shuffle<Collective::shuffle_down>(warp, ~0u, lanes_of(warp, […] { return sum; }), d);
//   for_lanes(warp, […] { sum += of_lane(call, lane); });
//
// Threads that have returned take no part, nor do the missing lanes of a short last warp. A user function that contains
// warp functions gets a second form, which takes and returns such arrays.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "cuemu/fission.hpp"
#include "cuemu/warp.hpp"

namespace cuemu {

/// One warp of a block whose threads run as loops.
struct WarpForm {
  uint3 block_index;
  dim3 block_dim;
  dim3 grid_dim;
  const bool* alive;  ///< for each thread of the block: it has not returned; null: no thread may return
  unsigned base;      ///< linear index of lane 0
  unsigned lanes;     ///< the number of existing lanes, at most 32
  uint3 first;        ///< threadIdx of lane 0
  std::size_t alive_base = 0;  ///< the thread of the first element of `alive`

  bool is_out(std::size_t thread) const { return alive != nullptr && !alive[thread - alive_base]; }
  /// Returns the lanes that have not returned.
  std::uint32_t present() const {
    std::uint32_t mask = lanes == warp_width ? ~0u : (1u << lanes) - 1u;
    if (alive == nullptr) return mask;
    for (unsigned lane = 0; lane < lanes; ++lane)
      mask &= ~(std::uint32_t{is_out(std::size_t{base} + lane)} << lane);
    return mask;
  }
};

/// A value for each lane; undefined for lanes that don't take part.
template <class T>
struct Lanes {
  union {
    T value[warp_width];
  };
  Lanes() {}  // NOLINT: members are assigned later
  /// Converts a value that is the same for all lanes, such as a default argument, with the usual conversions of
  /// arguments.
  template <class U, std::enable_if_t<std::is_convertible_v<const U&, T>, int> = 0>
  Lanes(const U& same) {  // NOLINT
    for (T& one : value) one = static_cast<T>(same);
  }
  template <class U, std::enable_if_t<!std::is_same_v<U, T> && std::is_convertible_v<const U&, T>, int> = 0>
  Lanes(const Lanes<U>& other) {  // NOLINT
    for (unsigned lane = 0; lane < warp_width; ++lane) value[lane] = static_cast<T>(other.value[lane]);
  }
};

/// The operand after a call whose result may be void: `(f(), Called{})` is the result of f(), or a Called if f()
/// returns void.
struct Called {};
template <class T>
__attribute__((always_inline)) inline T operator,(T&& result, Called) {
  return std::forward<T>(result);
}

/// The type of a parameter from which no template argument is deduced.
template <class T>
using not_deduced = std::enable_if_t<true, T>;

/// Returns the value of a lane, from a common value of all lanes or from one value for each lane.
template <class T>
constexpr const T& of_lane(const T& same, unsigned) {
  return same;
}
template <class T>
constexpr const T& of_lane(const Lanes<T>& all, const unsigned lane) {
  return all.value[lane];
}

/// Stores a variable of a function between its phases, for each lane.
template <class T>
struct LaneMemory {
  alignas(T) unsigned char bytes[warp_width * sizeof(T)];
  T* data() { return reinterpret_cast<T*>(bytes); }
};

/// Calls `body(warp)` for each warp of the block.
template <class Body>
__attribute__((always_inline)) inline void for_warps(const uint3 block_index, const dim3 block,
                                                     const dim3 grid, const bool* const alive, Body&& body) {
  const auto threads = static_cast<unsigned>(detail::threads_of(block));
  if (threads > max_block_threads) __builtin_unreachable();
  const bool one_row = block.y * block.z == 1;
  for (unsigned base = 0; base < threads; base += warp_width) {
    const uint3 first = one_row ? uint3{base, 0, 0}
                                : uint3{base % block.x, base / block.x % block.y, base / block.x / block.y};
    body(WarpForm{block_index, block, grid, alive, base, std::min(threads - base, warp_width), first});
  }
}

/// Calls `body(threadIdx, linear index, lane)` for each lane of the warp, returned or not.
template <class Body>
__attribute__((always_inline)) inline void for_lanes(const WarpForm& warp, Body&& body) {
  if (warp.lanes > warp_width || warp.block_dim.x > max_block_threads) __builtin_unreachable();
  uint3 index = warp.first;
  // A full warp has a separate loop of constant length, which compilers vectorise and unroll.
  if (__builtin_expect(warp.lanes == warp_width && warp.block_dim.x - index.x >= warp_width, 1)) {
    for (unsigned lane = 0; lane < warp_width; ++lane)
      body(uint3{index.x + lane, index.y, index.z}, std::size_t{warp.base} + lane, lane);
    return;
  }
  for (unsigned lane = 0; lane < warp.lanes;) {  // one row of the block at a time
    const unsigned row = std::min(warp.block_dim.x - index.x, warp.lanes - lane);
    for (unsigned i = 0; i < row; ++i)
      body(uint3{index.x + i, index.y, index.z}, std::size_t{warp.base} + lane + i, lane + i);
    lane += row;
    index.x = 0;
    if (++index.y == warp.block_dim.y) {
      index.y = 0;
      ++index.z;
    }
  }
}

/// Runs phases that call functions which read the thread's index.
template <class Body>
__attribute__((always_inline)) inline void for_known_lanes(const WarpForm& warp, Body&& body) {
  Fiber& fiber = *current_fiber;
  for_lanes(
      warp, [&](const uint3 index, const std::size_t linear, const unsigned lane)
                __attribute__((always_inline)) {
                  fiber.thread_index = index;
                  fiber.linear = static_cast<std::uint32_t>(linear);
                  body(index, linear, lane);
                });
  fiber.linear = no_thread;
}

/// The lanes of a warp that take one side of a branch, as a separate warp.
struct WarpPart {
  bool here[warp_width];
  WarpForm form;
  std::uint32_t lanes;

  WarpPart(const WarpForm& warp, const std::uint32_t mask) : form(warp), lanes(warp.present() & mask) {
    for (unsigned lane = 0; lane < warp_width; ++lane) here[lane] = (lanes >> lane & 1u) != 0;
    form.alive = here;
    form.alive_base = warp.base;
  }
  WarpPart(const WarpPart&) = delete;
  WarpPart& operator=(const WarpPart&) = delete;
  bool some() const { return lanes != 0; }
};

/// Returns the array of `value(threadIdx, linear index, lane)` for each lane that has not returned.
template <class Value>
__attribute__((always_inline)) inline auto lanes_of(const WarpForm& warp, Value&& value) {
  Lanes<std::decay_t<decltype(value(warp.first, std::size_t{}, 0u))>> all;
  for_lanes(
      warp, [&](const uint3 index, const std::size_t linear, const unsigned lane)
                __attribute__((always_inline)) {
                  if (!warp.is_out(linear)) all.value[lane] = value(index, linear, lane);
                });
  return all;
}
template <class Value>
__attribute__((always_inline)) inline auto known_lanes_of(const WarpForm& warp, Value&& value) {
  Lanes<std::decay_t<decltype(value(warp.first, std::size_t{}, 0u))>> all;
  for_known_lanes(
      warp, [&](const uint3 index, const std::size_t linear, const unsigned lane)
                __attribute__((always_inline)) {
                  if (!warp.is_out(linear)) all.value[lane] = value(index, linear, lane);
                });
  return all;
}

namespace detail {

/// Makes the lowest lane of the mask the calling thread, for functions that read the thread's index.
inline void become_lane(const WarpForm& warp, const std::uint32_t mask) {
  const unsigned lane = lowest(mask);
  Fiber& fiber = *current_fiber;
  fiber.linear = warp.base + lane;
  const unsigned x = warp.base + lane, row = warp.block_dim.x;
  fiber.thread_index = {x % row, x / row % warp.block_dim.y, x / row / warp.block_dim.y};
}

[[noreturn]] __attribute__((cold, noinline)) inline void stop_divided(const WarpForm& warp,
                                                                      const SourceLine where) {
  become_lane(warp, warp.present());
  char text[320];
  __builtin_snprintf(
      text, sizeof text,
      "%s:%d: threads of one warp part where emucc took it that whole warps stay together: rows "
      "of %u threads are no whole warps; compile with --no-fission",
      where.file, where.line, warp.block_dim.x);
  stop_kernel(kLaunchFailure, text);
}

/// The lanes that make a call, in several parts if masks differ. Stores for each lane the lanes that share its part.
struct Parts {
  std::uint32_t present;
  std::uint32_t with[warp_width];
};
inline std::uint32_t lanes_with(const std::uint32_t present, unsigned) {
  return present;
}
inline std::uint32_t lanes_with(const Parts& parts, const unsigned lane) {
  return parts.with[lane];
}

/// Returns the `result(lanes)` of the lanes that make a call together: a single value, or one value for each lane if
/// masks differ.
template <class Result>
inline auto of_parts(const std::uint32_t present, Result&& result) {
  return result(present);
}
template <class Result>
inline auto of_parts(const Parts& parts, Result&& result) {
  Lanes<decltype(result(0u))> all;
  for_lanes(parts.present, [&](const unsigned lane) {
    const unsigned first = lowest(parts.with[lane]);
    all.value[lane] = first < lane ? all.value[first] : result(parts.with[lane]);
  });
  return all;
}

/// Returns the lanes that make a call, which are those that have not returned. Each lane must be in its own mask, and
/// all lanes in a mask must have the same mask.
template <class Mask>
inline Parts participants(const WarpForm& warp, const Collective kind, const Lanes<Mask>& mask,
                          const SourceLine where) {
  Parts parts{warp.present(), {}};
  for_lanes(parts.present, [&](const unsigned lane) {
    const auto named = static_cast<std::uint32_t>(mask.value[lane]);
    parts.with[lane] = named & parts.present;
    if ((named >> lane & 1u) == 0) {
      become_lane(warp, 1u << lane);
      stop_outside_mask(Call{named, kind, 0}, where);
    }
    for_lanes(parts.with[lane], [&](const unsigned other) {
      const auto others = static_cast<std::uint32_t>(mask.value[other]);
      if (others == named) return;
      become_lane(warp, 1u << lane);
      stop_mismatch(Call{named, kind, 0}, other, Call{others, kind, 0}, where);
    });
  });
  return parts;
}
inline std::uint32_t participants(const WarpForm& warp, const Collective kind, const std::uint32_t mask,
                                  const SourceLine where) {
  const std::uint32_t present = warp.present();
  if (__builtin_expect((present & ~mask) == 0, 1)) return present;
  become_lane(warp, present & ~mask);
  stop_outside_mask(Call{mask, kind, 0}, where);
}

/// The result type of a shuffle of type T.
template <class T>
using Shuffled = decltype(__shfl_sync(0u, std::declval<T>(), 0));

/// Shuffles of a whole warp by a common distance, implemented as copies from other positions of an array.
template <Collective Kind, class T>
__attribute__((always_inline)) inline void shift_lanes(Lanes<T>& to, const Lanes<T>& from,
                                                       const unsigned argument, const unsigned width) {
  const unsigned inner = width - 1u, step = argument & 31u;
  if constexpr (Kind == Collective::shuffle_down || Kind == Collective::shuffle_up) {
    constexpr bool down = Kind == Collective::shuffle_down;
    T twice[2 * warp_width];
    for (unsigned i = 0; i < warp_width; ++i) twice[i] = twice[warp_width + i] = from.value[i];
    const T* const there = twice + (down ? step : warp_width - step);
    for (unsigned lane = 0; lane < warp_width; ++lane) {
      const T other = there[lane], own = from.value[lane];
      const bool inside = down ? (lane & inner) + step <= inner : (lane & inner) >= step;
      to.value[lane] = inside ? other : own;
    }
  } else {
    for (unsigned lane = 0; lane < warp_width; ++lane)
      to.value[lane] = from.value[shuffle_source<Kind>(lane, argument, width)];
  }
}

}  // namespace detail

/// Returns the lanes for which `value(threadIdx, linear index, lane)` is true.
template <class Value>
__attribute__((always_inline)) inline std::uint32_t lanes_where(const WarpForm& warp, Value&& value) {
  std::uint32_t lanes = 0;
  for_lanes(
      warp, [&](const uint3 index, const std::size_t linear, const unsigned lane)
                __attribute__((always_inline)) {
                  if (!warp.is_out(linear)) lanes |= std::uint32_t{value(index, linear, lane)} << lane;
                });
  return lanes;
}

/// Returns a value that depends only on the warp's number, so that it is uniform in the warp. Returns zero or
/// false if all threads of the warp have returned.
template <class Value>
__attribute__((always_inline)) inline auto of_warp(const WarpForm& warp, Value&& value,
                                                   const SourceLine where = SourceLine::here()) {
  const auto all = lanes_of(warp, value);
  using Result = std::decay_t<decltype(all.value[0])>;
  const std::uint32_t present = warp.present();
  if (present == 0) return Result{};
  const Result result = all.value[detail::lowest(present)];
  bool same = true;
  for_lanes(
      warp, [&](uint3, const std::size_t linear, const unsigned lane) __attribute__((always_inline)) {
        same = same && (warp.is_out(linear) || all.value[lane] == result);
      });
  if (__builtin_expect(!same, 0)) detail::stop_divided(warp, where);
  return result;
}

/// \name Warp functions of a whole warp; a setting is one value, or one value for each lane
/// @{

template <class Mask = unsigned>
inline void warp_sync(const WarpForm& warp, const Mask& mask = ~0u,
                      const SourceLine where = SourceLine::here()) {
  detail::participants(warp, Collective::sync, mask, where);
}

template <Collective Kind, class Mask, class T, class Argument, class Width = int>
__attribute__((always_inline)) inline auto warp_shuffle(const WarpForm& warp, const Mask& mask,
                                                        const Lanes<T>& values, const Argument& which,
                                                        const Width& width = 32,
                                                        const SourceLine where = SourceLine::here()) {
  using Result = detail::Shuffled<T>;
  std::conditional_t<std::is_same_v<T, Result>, const Lanes<Result>&, const Lanes<Result>> from = values;
  Lanes<Result> to;
  const auto present = detail::participants(warp, Kind, mask, where);
  if constexpr (std::is_arithmetic_v<Mask> && std::is_arithmetic_v<Argument> && std::is_arithmetic_v<Width>) {
    if (present == ~0u) {
      detail::shift_lanes<Kind>(to, from, static_cast<unsigned>(which), static_cast<unsigned>(width));
      return to;
    }
  }
  for_lanes(warp.present(), [&](const unsigned lane) {
    const unsigned source = detail::shuffle_source<Kind>(lane, static_cast<unsigned>(of_lane(which, lane)),
                                                         static_cast<unsigned>(of_lane(width, lane)));
    const bool there = (detail::lanes_with(present, lane) >> source & 1u) != 0;
    to.value[lane] = there ? from.value[source] : Result{};
  });
  return to;
}

template <Collective Kind, class Mask, class T>
inline auto warp_vote(const WarpForm& warp, const Mask& mask, const Lanes<T>& predicates,
                      const SourceLine where = SourceLine::here()) {
  return detail::of_parts(detail::participants(warp, Kind, mask, where), [&](const std::uint32_t present) {
    std::uint32_t holds = 0;
    for (unsigned lane = 0; lane < warp.lanes; ++lane) {
      if ((present >> lane & 1u) == 0) continue;
      holds |= std::uint32_t{static_cast<int>(predicates.value[lane]) != 0} << lane;
    }
    if constexpr (Kind == Collective::ballot) return static_cast<unsigned>(holds);
    if constexpr (Kind == Collective::any) return static_cast<int>(holds != 0);
    if constexpr (Kind == Collective::all) return static_cast<int>(holds == present);
    if constexpr (Kind == Collective::uni) return static_cast<int>(holds == present || holds == 0);
  });
}

/// Combines the values from the lowest lane up, in the same order as in kernels that run without loops over
/// lanes.
template <Collective Kind, class Mask, class T>
inline auto warp_reduce(const WarpForm& warp, const Mask& mask, const Lanes<T>& values,
                        const SourceLine where = SourceLine::here()) {
  using Result = decltype(detail::combine(detail::KindOf<Kind>{}, std::declval<T>(), std::declval<T>()));
  return detail::of_parts(detail::participants(warp, Kind, mask, where), [&](const std::uint32_t present) {
    Result total{};
    bool first = true;
    for_lanes(present, [&](const unsigned lane) {
      const auto value = static_cast<Result>(values.value[lane]);
      total = first ? value : detail::combine(detail::KindOf<Kind>{}, total, value);
      first = false;
    });
    return total;
  });
}

/// cooperative_groups::reduce for tiles of `size` lanes, in the order of their ranks.
template <class T, class Operation>
inline Lanes<T> warp_tile_reduce(const WarpForm& warp, const unsigned size, const Lanes<T>& values,
                                 const Operation& operation) {
  Lanes<T> totals;
  const std::uint32_t present = warp.present();
  for (unsigned base = 0; base < warp_width; base += size) {
    const std::uint32_t tile = present & (0xffffffffu >> (warp_width - size) << base);
    bool first = true;
    T total{};
    for_lanes(tile, [&](const unsigned lane) {
      total = first ? values.value[lane] : static_cast<T>(operation(total, values.value[lane]));
      first = false;
    });
    for_lanes(tile, [&](const unsigned lane) { totals.value[lane] = total; });
  }
  return totals;
}

template <class Mask, class T>
inline Lanes<unsigned> warp_match_any(const WarpForm& warp, const Mask& mask, const Lanes<T>& values,
                                      const SourceLine where = SourceLine::here()) {
  using Value = detail::Shuffled<T>;  // equal types
  Lanes<unsigned> equal;
  const auto present = detail::participants(warp, Collective::match_any, mask, where);
  const auto bits = [&](const unsigned lane) {
    return detail::bits_of(static_cast<Value>(values.value[lane]));
  };
  for_lanes(warp.present(), [&](const unsigned lane) {
    equal.value[lane] = 0;
    for_lanes(detail::lanes_with(present, lane), [&](const unsigned other) {
      if (bits(lane) == bits(other)) equal.value[lane] |= 1u << other;
    });
  });
  return equal;
}
/// @}

}  // namespace cuemu
