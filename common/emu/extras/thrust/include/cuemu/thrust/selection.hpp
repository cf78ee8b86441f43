// Thrust's selections, searches and set operations.
#pragma once

#include "cuemu/thrust/ordered.hpp"

namespace thrust {
namespace detail {

// ---- selections: `keep(i)` is true for the positions that are kept
template <class I, class O, class F>
inline O select(const Context& where, const char* const name, const I first, const std::ptrdiff_t n,
                const O result, const F keep) {
  return result + result_of<std::ptrdiff_t>(where, name,
                                            [from = unwrap(first), to = unwrap(result), n, keep]() mutable {
                                              std::ptrdiff_t kept = 0;
                                              for (std::ptrdiff_t i = 0; i < n; ++i)
                                                if (keep(from, i))
                                                  to[kept++] = static_cast<ValueOf<I>>(from[i]);
                                              return kept;
                                            });
}
template <class I, class O, class P>
inline O copy_if(const Context& where, const I first, const I last, const O result, const P predicate) {
  return select(
      where, "thrust::copy_if", first, last - first, result,
      [predicate](auto& from, const std::ptrdiff_t i) { return static_cast<bool>(predicate(from[i])); });
}
template <class I, class S, class O, class P>
inline O copy_if(const Context& where, const I first, const I last, const S stencil, const O result,
                 const P predicate) {
  return select(where, "thrust::copy_if", first, last - first, result,
                [flags = unwrap(stencil), predicate](auto&, const std::ptrdiff_t i) {
                  return static_cast<bool>(predicate(flags[i]));
                });
}
template <class I, class O, class P>
inline O remove_copy_if(const Context& where, const I first, const I last, const O result,
                        const P predicate) {
  return select(where, "thrust::remove_copy_if", first, last - first, result,
                [predicate](auto& from, const std::ptrdiff_t i) { return !predicate(from[i]); });
}
template <class I, class P>
inline I remove_if(const Context& where, const I first, const I last, const P predicate) {
  return remove_copy_if(where, first, last, first, predicate);
}
template <class I, class S, class P>
inline I remove_if(const Context& where, const I first, const I last, const S stencil, const P predicate) {
  return select(
      where, "thrust::remove_if", first, last - first, first,
      [flags = unwrap(stencil), predicate](auto&, const std::ptrdiff_t i) { return !predicate(flags[i]); });
}
template <class I, class T>
inline I remove(const Context& where, const I first, const I last, const T value) {
  return remove_if(where, first, last, [value](const auto& x) { return x == value; });
}
template <class I, class O>
inline O unique_copy(const Context& where, const I first, const I last, const O result) {
  return result +
         result_of<std::ptrdiff_t>(where, "thrust::unique",
                                   [from = unwrap(first), to = unwrap(result), n = last - first]() mutable {
                                     std::ptrdiff_t kept = 0;
                                     ValueOf<I> before{};
                                     for (std::ptrdiff_t i = 0; i < n; ++i) {
                                       const ValueOf<I> here = from[i];
                                       if (i == 0 || !(before == here)) to[kept++] = here;
                                       before = here;
                                     }
                                     return kept;
                                   });
}
template <class I>
inline I unique(const Context& where, const I first, const I last) {
  return unique_copy(where, first, last, first);
}
template <class K, class V>
inline std::pair<K, V> unique_by_key(const Context& where, const K first, const K last, const V values) {
  return reduce_by_key(where, first, last, values, first, values, equal_to<ValueOf<K>>(),
                       [](const auto& a, const auto&) { return a; });
}
template <class I, class P>
inline I stable_partition(const Context& where, const I first, const I last, const P predicate) {
  return first + result_of<std::ptrdiff_t>(where, "thrust::partition",
                                           [from = unwrap(first), n = last - first, predicate]() mutable {
                                             std::vector<ValueOf<I>> chosen, others;
                                             for (std::ptrdiff_t i = 0; i < n; ++i)
                                               (predicate(from[i]) ? chosen : others).push_back(from[i]);
                                             std::ptrdiff_t at = 0;
                                             for (const auto& value : chosen) from[at++] = value;
                                             for (const auto& value : others) from[at++] = value;
                                             return static_cast<std::ptrdiff_t>(chosen.size());
                                           });
}
template <class I, class P>
inline I partition(const Context& where, const I first, const I last, const P predicate) {
  return stable_partition(where, first, last, predicate);
}

// ---- searches
template <class I, class P>
inline I find_if(const Context& where, const I first, const I last, const P predicate) {
  return first + result_of<std::ptrdiff_t>(where, "thrust::find",
                                           [from = unwrap(first), n = last - first, predicate]() mutable {
                                             std::ptrdiff_t i = 0;
                                             while (i < n && !predicate(from[i])) ++i;
                                             return i;
                                           });
}
template <class I, class P>
inline I find_if_not(const Context& where, const I first, const I last, const P predicate) {
  return find_if(where, first, last, [predicate](const auto& x) { return !predicate(x); });
}
template <class I, class T>
inline I find(const Context& where, const I first, const I last, const T value) {
  return find_if(where, first, last, [value](const auto& x) { return x == value; });
}
template <class I, class P>
inline bool any_of(const Context& where, const I first, const I last, const P predicate) {
  return find_if(where, first, last, predicate) != last;
}
template <class I, class P>
inline bool none_of(const Context& where, const I first, const I last, const P predicate) {
  return find_if(where, first, last, predicate) == last;
}
template <class I, class P>
inline bool all_of(const Context& where, const I first, const I last, const P predicate) {
  return find_if_not(where, first, last, predicate) == last;
}
template <class I, class J, class E>
inline bool equal(const Context& where, const I first, const I last, const J second, const E same) {
  return result_of<bool>(where, "thrust::equal",
                         [a = unwrap(first), b = unwrap(second), n = last - first, same]() mutable {
                           for (std::ptrdiff_t i = 0; i < n; ++i)
                             if (!same(a[i], b[i])) return false;
                           return true;
                         });
}
template <class I, class J>
inline bool equal(const Context& where, const I first, const I last, const J second) {
  return equal(where, first, last, second, equal_to<>());
}
template <class I, class J>
inline std::pair<I, J> mismatch(const Context& where, const I first, const I last, const J second) {
  const auto at = result_of<std::ptrdiff_t>(
      where, "thrust::mismatch", [a = unwrap(first), b = unwrap(second), n = last - first]() mutable {
        std::ptrdiff_t i = 0;
        while (i < n && a[i] == b[i]) ++i;
        return i;
      });
  return {first + at, second + at};
}

/// Defines a search in a sorted range for the position of one value, or of each value of a second range.
#define CUEMU_THRUST_BOUND(NAME)                                                                          \
  template <class I, class T, class F>                                                                    \
  inline std::enable_if_t<SystemOf<T>::value == System::any, I> NAME(                                     \
      const Context& where, const I first, const I last, const T value, const F before) {                 \
    return first + result_of<std::ptrdiff_t>(where, "thrust::" #NAME,                                     \
                                             [from = unwrap(first), n = last - first, value, before] {    \
                                               return std::NAME(from, from + n, value, before) - from;    \
                                             });                                                          \
  }                                                                                                       \
  template <class I, class T>                                                                             \
  inline std::enable_if_t<SystemOf<T>::value == System::any, I> NAME(const Context& where, const I first, \
                                                                     const I last, const T value) {       \
    return NAME(where, first, last, static_cast<ValueOf<I>>(value), less<ValueOf<I>>());                  \
  }                                                                                                       \
  template <class I, class V, class O>                                                                    \
  inline O NAME(const Context& where, const I first, const I last, const V values, const V values_end,    \
                const O result) {                                                                         \
    run_over(where, "thrust::" #NAME, values_end - values,                                                \
             [from = unwrap(first), n = last - first, wanted = unwrap(values),                            \
              to = unwrap(result)](const std::ptrdiff_t i) mutable {                                      \
               to[i] = static_cast<ValueOf<O>>(std::NAME(from, from + n, wanted[i]) - from);              \
             });                                                                                          \
    return result + (values_end - values);                                                                \
  }
CUEMU_THRUST_BOUND(lower_bound)
CUEMU_THRUST_BOUND(upper_bound)
#undef CUEMU_THRUST_BOUND
template <class I, class T>
inline bool binary_search(const Context& where, const I first, const I last, const T value) {
  return result_of<bool>(where, "thrust::binary_search", [from = unwrap(first), n = last - first, value] {
    return std::binary_search(from, from + n, value);
  });
}
template <class I, class V, class O>
inline O binary_search(const Context& where, const I first, const I last, const V values, const V values_end,
                       const O result) {
  run_over(where, "thrust::binary_search", values_end - values,
           [from = unwrap(first), n = last - first, wanted = unwrap(values), to = unwrap(result)](
               const std::ptrdiff_t i) mutable { to[i] = std::binary_search(from, from + n, wanted[i]); });
  return result + (values_end - values);
}

// ---- two sorted ranges
#define CUEMU_THRUST_MERGE(NAME)                                                                        \
  template <class I, class J, class O, class F>                                                         \
  inline O NAME(const Context& where, const I first, const I last, const J second, const J second_end,  \
                const O result, const F before) {                                                       \
    return result + result_of<std::ptrdiff_t>(where, "thrust::" #NAME,                                  \
                                              [a = unwrap(first), n = last - first, b = unwrap(second), \
                                               m = second_end - second, to = unwrap(result), before] {  \
                                                return std::NAME(a, a + n, b, b + m, to, before) - to;  \
                                              });                                                       \
  }                                                                                                     \
  template <class I, class J, class O>                                                                  \
  inline O NAME(const Context& where, const I first, const I last, const J second, const J second_end,  \
                const O result) {                                                                       \
    return NAME(where, first, last, second, second_end, result, less<ValueOf<I>>());                    \
  }
CUEMU_THRUST_MERGE(merge)
CUEMU_THRUST_MERGE(set_union)
CUEMU_THRUST_MERGE(set_intersection)
CUEMU_THRUST_MERGE(set_difference)
CUEMU_THRUST_MERGE(set_symmetric_difference)
#undef CUEMU_THRUST_MERGE

}  // namespace detail

CUEMU_THRUST_ALGORITHM(copy_if)
CUEMU_THRUST_ALGORITHM(remove_copy_if)
CUEMU_THRUST_ALGORITHM(remove_if)
CUEMU_THRUST_ALGORITHM(remove)
CUEMU_THRUST_ALGORITHM(unique)
CUEMU_THRUST_ALGORITHM(unique_copy)
CUEMU_THRUST_ALGORITHM(unique_by_key)
CUEMU_THRUST_ALGORITHM(partition)
CUEMU_THRUST_ALGORITHM(stable_partition)
CUEMU_THRUST_ALGORITHM(find)
CUEMU_THRUST_ALGORITHM(find_if)
CUEMU_THRUST_ALGORITHM(find_if_not)
CUEMU_THRUST_ALGORITHM(any_of)
CUEMU_THRUST_ALGORITHM(none_of)
CUEMU_THRUST_ALGORITHM(all_of)
CUEMU_THRUST_ALGORITHM(equal)
CUEMU_THRUST_ALGORITHM(mismatch)
CUEMU_THRUST_ALGORITHM(lower_bound)
CUEMU_THRUST_ALGORITHM(upper_bound)
CUEMU_THRUST_ALGORITHM(binary_search)
CUEMU_THRUST_ALGORITHM(merge)
CUEMU_THRUST_ALGORITHM(set_union)
CUEMU_THRUST_ALGORITHM(set_intersection)
CUEMU_THRUST_ALGORITHM(set_difference)
CUEMU_THRUST_ALGORITHM(set_symmetric_difference)

}  // namespace thrust
