// Thrust's algorithms on single elements. Elements are independent, so ranges of them run in parallel.
#pragma once

#include <algorithm>

#include "cuemu/thrust/functional.hpp"

/// Defines the public forms of an algorithm: with a policy as the first argument, or without one. Without a
/// policy, the iterators determine where it runs.
#define CUEMU_THRUST_ALGORITHM(NAME)                                                                \
  template <class Policy, class... Arguments, std::enable_if_t<detail::is_policy<Policy>, int> = 0> \
  inline auto NAME(const Policy& policy, Arguments... arguments) {                                  \
    return detail::NAME(policy.context(), arguments...);                                            \
  }                                                                                                 \
  template <class First, class... Arguments, std::enable_if_t<!detail::is_policy<First>, int> = 0>  \
  inline auto NAME(First first, Arguments... arguments) {                                           \
    return detail::NAME(detail::context_of<First, Arguments...>(), first, arguments...);            \
  }

namespace thrust {
namespace detail {

template <class I, class F>
inline I for_each_n(const Context& where, const I first, const std::ptrdiff_t n, const F function) {
  run_over(where, "thrust::for_each", n,
           [from = unwrap(first), function](const std::ptrdiff_t i) mutable { function(from[i]); });
  return first + n;
}
template <class I, class F>
inline I for_each(const Context& where, const I first, const I last, const F function) {
  return for_each_n(where, first, last - first, function);
}
template <class I, class O, class F>
inline O transform(const Context& where, const I first, const I last, const O result, const F function) {
  run_over(where, "thrust::transform", last - first,
           [from = unwrap(first), to = unwrap(result), function](const std::ptrdiff_t i) mutable {
             to[i] = function(from[i]);
           });
  return result + (last - first);
}
template <class I, class J, class O, class F>
inline O transform(const Context& where, const I first, const I last, const J second, const O result,
                   const F function) {
  run_over(where, "thrust::transform", last - first,
           [a = unwrap(first), b = unwrap(second), to = unwrap(result),
            function](const std::ptrdiff_t i) mutable { to[i] = function(a[i], b[i]); });
  return result + (last - first);
}
template <class I, class O, class F, class P>
inline O transform_if(const Context& where, const I first, const I last, const O result, const F function,
                      const P predicate) {
  run_over(where, "thrust::transform_if", last - first,
           [from = unwrap(first), to = unwrap(result), function, predicate](const std::ptrdiff_t i) mutable {
             if (predicate(from[i])) to[i] = function(from[i]);
           });
  return result + (last - first);
}
template <class I, class S, class O, class F, class P>
inline O transform_if(const Context& where, const I first, const I last, const S stencil, const O result,
                      const F function, const P predicate) {
  run_over(where, "thrust::transform_if", last - first,
           [from = unwrap(first), flags = unwrap(stencil), to = unwrap(result), function,
            predicate](const std::ptrdiff_t i) mutable {
             if (predicate(flags[i])) to[i] = function(from[i]);
           });
  return result + (last - first);
}
template <class O, class T>
inline O fill_n(const Context& where, const O first, const std::ptrdiff_t n, const T value) {
  run_over(where, "thrust::fill", n, [to = unwrap(first), value](const std::ptrdiff_t i) mutable {
    to[i] = static_cast<ValueOf<O>>(value);
  });
  return first + n;
}
template <class O, class T>
inline void fill(const Context& where, const O first, const O last, const T value) {
  fill_n(where, first, last - first, value);
}
template <class O, class T, class S>
inline void sequence(const Context& where, const O first, const O last, const T begin, const S step) {
  run_over(where, "thrust::sequence", last - first,
           [to = unwrap(first), begin, step](const std::ptrdiff_t i) mutable {
             to[i] = static_cast<ValueOf<O>>(begin + static_cast<ValueOf<O>>(i) * step);
           });
}
template <class O, class T>
inline void sequence(const Context& where, const O first, const O last, const T begin) {
  sequence(where, first, last, begin, ValueOf<O>(1));
}
template <class O>
inline void sequence(const Context& where, const O first, const O last) {
  sequence(where, first, last, ValueOf<O>(0), ValueOf<O>(1));
}
template <class O, class F>
inline void tabulate(const Context& where, const O first, const O last, const F function) {
  run_over(where, "thrust::tabulate", last - first,
           [to = unwrap(first), function](const std::ptrdiff_t i) mutable { to[i] = function(i); });
}
/// Runs in order, since generators may have a state.
template <class O, class F>
inline void generate(const Context& where, const O first, const O last, const F function) {
  run(where, "thrust::generate", [to = unwrap(first), n = last - first, function]() mutable {
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = function();
  });
}
template <class M, class I, class O>
inline O gather(const Context& where, const M map, const M map_end, const I from, const O result) {
  run_over(where, "thrust::gather", map_end - map,
           [index = unwrap(map), in = unwrap(from), to = unwrap(result)](const std::ptrdiff_t i) mutable {
             to[i] = in[static_cast<std::ptrdiff_t>(index[i])];
           });
  return result + (map_end - map);
}
template <class I, class M, class O>
inline void scatter(const Context& where, const I first, const I last, const M map, const O result) {
  run_over(where, "thrust::scatter", last - first,
           [from = unwrap(first), index = unwrap(map), to = unwrap(result)](const std::ptrdiff_t i) mutable {
             to[static_cast<std::ptrdiff_t>(index[i])] = from[i];
           });
}
template <class I, class M, class S, class O>
inline void scatter_if(const Context& where, const I first, const I last, const M map, const S stencil,
                       const O result) {
  run_over(where, "thrust::scatter_if", last - first,
           [from = unwrap(first), index = unwrap(map), flags = unwrap(stencil),
            to = unwrap(result)](const std::ptrdiff_t i) mutable {
             if (flags[i]) to[static_cast<std::ptrdiff_t>(index[i])] = from[i];
           });
}
template <class I, class P, class T>
inline void replace_if(const Context& where, const I first, const I last, const P predicate, const T value) {
  run_over(where, "thrust::replace", last - first,
           [from = unwrap(first), predicate, value](const std::ptrdiff_t i) mutable {
             if (predicate(from[i])) from[i] = static_cast<ValueOf<I>>(value);
           });
}
template <class I, class T, class U>
inline void replace(const Context& where, const I first, const I last, const T old, const U value) {
  replace_if(
      where, first, last, [old](const auto& x) { return x == old; }, value);
}
template <class I, class J>
inline J swap_ranges(const Context& where, const I first, const I last, const J second) {
  run_over(where, "thrust::swap_ranges", last - first,
           [a = unwrap(first), b = unwrap(second)](const std::ptrdiff_t i) mutable {
             const ValueOf<I> kept = a[i];
             a[i] = static_cast<ValueOf<I>>(b[i]);
             b[i] = kept;
           });
  return second + (last - first);
}
template <class I>
inline void reverse(const Context& where, const I first, const I last) {
  run_over(where, "thrust::reverse", (last - first) / 2,
           [from = unwrap(first), n = last - first](const std::ptrdiff_t i) mutable {
             const ValueOf<I> kept = from[i];
             from[i] = static_cast<ValueOf<I>>(from[n - 1 - i]);
             from[n - 1 - i] = kept;
           });
}
template <class I, class O, class F>
inline O adjacent_difference(const Context& where, const I first, const I last, const O result,
                             const F function) {
  run(where, "thrust::adjacent_difference",
      [from = unwrap(first), to = unwrap(result), n = last - first, function]() mutable {
        ValueOf<I> before{};
        for (std::ptrdiff_t i = 0; i < n; ++i) {
          const ValueOf<I> here = from[i];
          to[i] = i == 0 ? here : static_cast<ValueOf<I>>(function(here, before));
          before = here;
        }
      });
  return result + (last - first);
}
template <class I, class O>
inline O adjacent_difference(const Context& where, const I first, const I last, const O result) {
  return adjacent_difference(where, first, last, result, minus<ValueOf<I>>());
}

/// Copies a range, also between host and device. Contiguous memory is copied directly, other ranges through a
/// buffer on their side.
template <class I, class O>
inline O copy_n(const Context& where, const I first, const std::ptrdiff_t n, const O result) {
  constexpr bool from_device = SystemOf<I>::value == System::device,
                 to_device = SystemOf<O>::value == System::device;
  using Value = ValueOf<I>;
  if constexpr (from_device == to_device || SystemOf<I>::value == System::any) {
    Context there = where;
    there.on_device = where.on_device || to_device;
    run_over(
        there, "thrust::copy", n,
        [from = unwrap(first), to = unwrap(result)](const std::ptrdiff_t i) mutable { to[i] = from[i]; });
  } else if constexpr (from_device) {
    std::vector<Value> values(static_cast<std::size_t>(n));
    if (n > 0) {
      Value* staged = nullptr;
      const Context there{true, where.stream};
      if constexpr (is_contiguous<I>) {
        cudaMemcpy(static_cast<void*>(values.data()), unwrap(first), values.size() * sizeof(Value),
                   cudaMemcpyDefault);
      } else {
        cudaMalloc(&staged, values.size() * sizeof(Value));
        run_over(there, "thrust::copy", n,
                 [from = unwrap(first), staged](const std::ptrdiff_t i) mutable { staged[i] = from[i]; });
        cudaMemcpy(static_cast<void*>(values.data()), staged, values.size() * sizeof(Value),
                   cudaMemcpyDefault);
        cudaFree(staged);
      }
    }
    return std::copy(values.begin(), values.end(), result);
  } else {
    std::vector<Value> values(static_cast<std::size_t>(n));
    auto from = first;
    for (auto& value : values) value = *from++;
    if (n > 0) {
      Value* staged = nullptr;
      cudaMalloc(&staged, values.size() * sizeof(Value));
      cudaMemcpy(staged, static_cast<const void*>(values.data()), values.size() * sizeof(Value),
                 cudaMemcpyDefault);
      run_over({true, where.stream}, "thrust::copy", n,
               [to = unwrap(result), staged](const std::ptrdiff_t i) mutable {
                 to[i] = static_cast<ValueOf<O>>(staged[i]);
               });
      cudaFree(staged);
    }
  }
  return result + n;
}
template <class I, class O>
inline O copy(const Context& where, const I first, const I last, const O result) {
  return copy_n(where, first, std::distance(first, last), result);
}

}  // namespace detail

CUEMU_THRUST_ALGORITHM(for_each)
CUEMU_THRUST_ALGORITHM(for_each_n)
CUEMU_THRUST_ALGORITHM(transform)
CUEMU_THRUST_ALGORITHM(transform_if)
CUEMU_THRUST_ALGORITHM(fill)
CUEMU_THRUST_ALGORITHM(fill_n)
CUEMU_THRUST_ALGORITHM(sequence)
CUEMU_THRUST_ALGORITHM(tabulate)
CUEMU_THRUST_ALGORITHM(generate)
CUEMU_THRUST_ALGORITHM(gather)
CUEMU_THRUST_ALGORITHM(scatter)
CUEMU_THRUST_ALGORITHM(scatter_if)
CUEMU_THRUST_ALGORITHM(replace)
CUEMU_THRUST_ALGORITHM(replace_if)
CUEMU_THRUST_ALGORITHM(swap_ranges)
CUEMU_THRUST_ALGORITHM(reverse)
CUEMU_THRUST_ALGORITHM(adjacent_difference)
CUEMU_THRUST_ALGORITHM(copy)
CUEMU_THRUST_ALGORITHM(copy_n)

}  // namespace thrust
