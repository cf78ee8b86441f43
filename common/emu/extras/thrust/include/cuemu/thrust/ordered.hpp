// Thrust's reductions, scans, searches, selections and sorts. Each algorithm runs in order, on one thread, so
// that its result is the same in every run.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>

#include "cuemu/thrust/algorithms.hpp"

namespace thrust {
namespace detail {

// ---- reductions
template <class I, class T, class F>
inline T reduce(const Context& where, const I first, const I last, const T initial, const F operation) {
  return result_of<T>(where, "thrust::reduce",
                      [from = unwrap(first), n = last - first, initial, operation]() mutable {
                        T total = initial;
                        for (std::ptrdiff_t i = 0; i < n; ++i)
                          total = operation(total, static_cast<T>(from[i]));
                        return total;
                      });
}
template <class I, class T>
inline T reduce(const Context& where, const I first, const I last, const T initial) {
  return reduce(where, first, last, initial, plus<T>());
}
template <class I>
inline ValueOf<I> reduce(const Context& where, const I first, const I last) {
  return reduce(where, first, last, ValueOf<I>());
}
template <class I, class U, class T, class F>
inline T transform_reduce(const Context& where, const I first, const I last, const U function,
                          const T initial, const F operation) {
  return result_of<T>(where, "thrust::transform_reduce",
                      [from = unwrap(first), n = last - first, function, initial, operation]() mutable {
                        T total = initial;
                        for (std::ptrdiff_t i = 0; i < n; ++i)
                          total = operation(total, static_cast<T>(function(from[i])));
                        return total;
                      });
}
template <class I, class J, class T, class F, class G>
inline T inner_product(const Context& where, const I first, const I last, const J second, const T initial,
                       const F sum, const G product) {
  return result_of<T>(
      where, "thrust::inner_product",
      [a = unwrap(first), b = unwrap(second), n = last - first, initial, sum, product]() mutable {
        T total = initial;
        for (std::ptrdiff_t i = 0; i < n; ++i) total = sum(total, static_cast<T>(product(a[i], b[i])));
        return total;
      });
}
template <class I, class J, class T>
inline T inner_product(const Context& where, const I first, const I last, const J second, const T initial) {
  return inner_product(where, first, last, second, initial, plus<T>(), multiplies<T>());
}
template <class I, class P>
inline std::ptrdiff_t count_if(const Context& where, const I first, const I last, const P predicate) {
  return result_of<std::ptrdiff_t>(where, "thrust::count",
                                   [from = unwrap(first), n = last - first, predicate]() mutable {
                                     std::ptrdiff_t found = 0;
                                     for (std::ptrdiff_t i = 0; i < n; ++i)
                                       found += predicate(from[i]) ? 1 : 0;
                                     return found;
                                   });
}
template <class I, class T>
inline std::ptrdiff_t count(const Context& where, const I first, const I last, const T value) {
  return count_if(where, first, last, [value](const auto& x) { return x == value; });
}
/// Returns the first position of the best element, according to `better(candidate, best)`.
template <class I, class F>
inline I best_element(const Context& where, const I first, const I last, const F better) {
  return first + result_of<std::ptrdiff_t>(where, "thrust::min_element",
                                           [from = unwrap(first), n = last - first, better]() mutable {
                                             std::ptrdiff_t best = 0;
                                             for (std::ptrdiff_t i = 1; i < n; ++i)
                                               if (better(from[i], from[best])) best = i;
                                             return best;
                                           });
}
template <class I, class F>
inline I min_element(const Context& where, const I first, const I last, const F smaller) {
  return best_element(where, first, last, smaller);
}
template <class I>
inline I min_element(const Context& where, const I first, const I last) {
  return best_element(where, first, last, less<ValueOf<I>>());
}
template <class I, class F>
inline I max_element(const Context& where, const I first, const I last, const F smaller) {
  return best_element(where, first, last, [smaller](const auto& a, const auto& b) { return smaller(b, a); });
}
template <class I>
inline I max_element(const Context& where, const I first, const I last) {
  return best_element(where, first, last, greater<ValueOf<I>>());
}
template <class I>
inline std::pair<I, I> minmax_element(const Context& where, const I first, const I last) {
  return {min_element(where, first, last), max_element(where, first, last)};
}

// ---- scans
template <class I, class O, class U, class F>
inline O transform_inclusive_scan(const Context& where, const I first, const I last, const O result,
                                  const U function, const F operation) {
  using T = Plain<decltype(function(*unwrap(first)))>;
  run(where, "thrust::inclusive_scan",
      [from = unwrap(first), to = unwrap(result), n = last - first, function, operation]() mutable {
        if (n == 0) return;
        T total = function(from[0]);
        to[0] = total;
        for (std::ptrdiff_t i = 1; i < n; ++i)
          to[i] = total = operation(total, static_cast<T>(function(from[i])));
      });
  return result + (last - first);
}
template <class I, class O, class F>
inline O inclusive_scan(const Context& where, const I first, const I last, const O result,
                        const F operation) {
  return transform_inclusive_scan(
      where, first, last, result, [](const auto& x) { return static_cast<ValueOf<I>>(x); }, operation);
}
template <class I, class O>
inline O inclusive_scan(const Context& where, const I first, const I last, const O result) {
  return inclusive_scan(where, first, last, result, plus<ValueOf<I>>());
}
template <class I, class O, class U, class T, class F>
inline O transform_exclusive_scan(const Context& where, const I first, const I last, const O result,
                                  const U function, const T initial, const F operation) {
  run(where, "thrust::exclusive_scan",
      [from = unwrap(first), to = unwrap(result), n = last - first, function, initial, operation]() mutable {
        T total = initial;
        for (std::ptrdiff_t i = 0; i < n; ++i) {
          const T next = static_cast<T>(function(from[i]));
          to[i] = total;
          total = operation(total, next);
        }
      });
  return result + (last - first);
}
template <class I, class O, class T, class F>
inline O exclusive_scan(const Context& where, const I first, const I last, const O result, const T initial,
                        const F operation) {
  return transform_exclusive_scan(
      where, first, last, result, [](const auto& x) { return static_cast<ValueOf<I>>(x); }, initial,
      operation);
}
template <class I, class O, class T>
inline O exclusive_scan(const Context& where, const I first, const I last, const O result, const T initial) {
  return exclusive_scan(where, first, last, result, initial, plus<T>());
}
template <class I, class O>
inline O exclusive_scan(const Context& where, const I first, const I last, const O result) {
  return exclusive_scan(where, first, last, result, ValueOf<I>());
}

// ---- by key
template <class K, class V, class OK, class OV, class E, class F>
inline std::pair<OK, OV> reduce_by_key(const Context& where, const K first, const K last, const V values,
                                       const OK keys_out, const OV values_out, const E equal,
                                       const F operation) {
  const std::ptrdiff_t found =
      result_of<std::ptrdiff_t>(where, "thrust::reduce_by_key",
                                [keys = unwrap(first), in = unwrap(values), to_keys = unwrap(keys_out),
                                 to = unwrap(values_out), n = last - first, equal, operation]() mutable {
                                  std::ptrdiff_t runs = 0;
                                  for (std::ptrdiff_t i = 0, next; i < n; i = next) {
                                    ValueOf<V> total = in[i];
                                    for (next = i + 1; next < n && equal(keys[i], keys[next]); ++next)
                                      total = operation(total, in[next]);
                                    to_keys[runs] = keys[i];
                                    to[runs++] = total;
                                  }
                                  return runs;
                                });
  return {keys_out + found, values_out + found};
}
template <class K, class V, class OK, class OV, class E>
inline std::pair<OK, OV> reduce_by_key(const Context& where, const K first, const K last, const V values,
                                       const OK keys_out, const OV values_out, const E equal) {
  return reduce_by_key(where, first, last, values, keys_out, values_out, equal, plus<ValueOf<V>>());
}
template <class K, class V, class OK, class OV>
inline std::pair<OK, OV> reduce_by_key(const Context& where, const K first, const K last, const V values,
                                       const OK keys_out, const OV values_out) {
  return reduce_by_key(where, first, last, values, keys_out, values_out, equal_to<ValueOf<K>>());
}
template <bool Inclusive, class K, class V, class O, class T>
inline O scan_by_key(const Context& where, const K first, const K last, const V values, const O result,
                     const T initial) {
  run(where, "thrust::scan_by_key",
      [keys = unwrap(first), in = unwrap(values), to = unwrap(result), n = last - first, initial]() mutable {
        T total = initial;
        for (std::ptrdiff_t i = 0; i < n; ++i) {
          if (i > 0 && !(keys[i - 1] == keys[i])) total = initial;
          const T next = static_cast<T>(total + in[i]);
          to[i] = Inclusive ? next : total;
          total = next;
        }
      });
  return result + (last - first);
}
/// Scans by key with the user's equality and operation. In an exclusive scan, `initial` precedes each
/// segment.
template <bool Inclusive, class K, class V, class O, class T, class Equal, class Operation>
inline O scan_by_key(const Context& where, const K first, const K last, const V values, const O result,
                     const T initial, const Equal equal, const Operation operation) {
  run(where, "thrust::scan_by_key",
      [keys = unwrap(first), in = unwrap(values), to = unwrap(result), n = last - first, initial, equal,
       operation]() mutable {
        T total = initial;
        for (std::ptrdiff_t i = 0; i < n; ++i) {
          const bool begins = i == 0 || !equal(keys[i - 1], keys[i]);
          const T next = in[i];  // read before it is overwritten, since the result may be the input
          if constexpr (Inclusive) {
            total = begins ? next : static_cast<T>(operation(total, next));
            to[i] = total;
          } else {
            if (begins) total = initial;
            to[i] = total;
            total = static_cast<T>(operation(total, next));
          }
        }
      });
  return result + (last - first);
}
template <class K, class V, class O>
inline O inclusive_scan_by_key(const Context& where, const K first, const K last, const V values,
                               const O result) {
  return scan_by_key<true>(where, first, last, values, result, ValueOf<V>());
}
template <class K, class V, class O, class Equal>
inline O inclusive_scan_by_key(const Context& where, const K first, const K last, const V values,
                               const O result, const Equal equal) {
  return scan_by_key<true>(where, first, last, values, result, ValueOf<V>(), equal, plus<ValueOf<V>>());
}
template <class K, class V, class O, class Equal, class Operation>
inline O inclusive_scan_by_key(const Context& where, const K first, const K last, const V values,
                               const O result, const Equal equal, const Operation operation) {
  return scan_by_key<true>(where, first, last, values, result, ValueOf<V>(), equal, operation);
}
template <class K, class V, class O, class T, class Equal>
inline O exclusive_scan_by_key(const Context& where, const K first, const K last, const V values,
                               const O result, const T initial, const Equal equal) {
  return scan_by_key<false>(where, first, last, values, result, initial, equal, plus<T>());
}
template <class K, class V, class O, class T, class Equal, class Operation>
inline O exclusive_scan_by_key(const Context& where, const K first, const K last, const V values,
                               const O result, const T initial, const Equal equal,
                               const Operation operation) {
  return scan_by_key<false>(where, first, last, values, result, initial, equal, operation);
}
template <class K, class V, class O, class T>
inline O exclusive_scan_by_key(const Context& where, const K first, const K last, const V values,
                               const O result, const T initial) {
  return scan_by_key<false>(where, first, last, values, result, initial);
}
template <class K, class V, class O>
inline O exclusive_scan_by_key(const Context& where, const K first, const K last, const V values,
                               const O result) {
  return scan_by_key<false>(where, first, last, values, result, ValueOf<V>());
}

// ---- sorts. All are stable. They use a buffer of values, so that zipped ranges can be sorted, too.
template <class I, class F>
inline void sort(const Context& where, const I first, const I last, const F before) {
  run(where, "thrust::sort", [from = unwrap(first), n = last - first, before]() mutable {
    if constexpr (std::is_pointer_v<decltype(from)>) {
      std::stable_sort(from, from + n, before);
    } else {
      std::vector<ValueOf<I>> values;
      for (std::ptrdiff_t i = 0; i < n; ++i) values.push_back(from[i]);
      std::stable_sort(values.begin(), values.end(), before);
      for (std::ptrdiff_t i = 0; i < n; ++i) from[i] = values[static_cast<std::size_t>(i)];
    }
  });
}
template <class I>
inline void sort(const Context& where, const I first, const I last) {
  sort(where, first, last, less<ValueOf<I>>());
}
template <class... Arguments>
inline void stable_sort(const Context& where, const Arguments... arguments) {
  sort(where, arguments...);
}
template <class K, class V, class F>
inline void sort_by_key(const Context& where, const K first, const K last, const V values, const F before) {
  run(where, "thrust::sort_by_key",
      [keys = unwrap(first), items = unwrap(values), n = last - first, before]() mutable {
        std::vector<std::pair<ValueOf<K>, ValueOf<V>>> pairs;
        for (std::ptrdiff_t i = 0; i < n; ++i) pairs.emplace_back(keys[i], items[i]);
        std::stable_sort(pairs.begin(), pairs.end(),
                         [&](const auto& a, const auto& b) { return before(a.first, b.first); });
        for (std::ptrdiff_t i = 0; i < n; ++i) {
          keys[i] = pairs[static_cast<std::size_t>(i)].first;
          items[i] = pairs[static_cast<std::size_t>(i)].second;
        }
      });
}
template <class K, class V>
inline void sort_by_key(const Context& where, const K first, const K last, const V values) {
  sort_by_key(where, first, last, values, less<ValueOf<K>>());
}
template <class... Arguments>
inline void stable_sort_by_key(const Context& where, const Arguments... arguments) {
  sort_by_key(where, arguments...);
}
template <class I, class F>
inline bool is_sorted(const Context& where, const I first, const I last, const F before) {
  return result_of<bool>(where, "thrust::is_sorted",
                         [from = unwrap(first), n = last - first, before]() mutable {
                           for (std::ptrdiff_t i = 1; i < n; ++i)
                             if (before(from[i], from[i - 1])) return false;
                           return true;
                         });
}
template <class I>
inline bool is_sorted(const Context& where, const I first, const I last) {
  return is_sorted(where, first, last, less<ValueOf<I>>());
}

}  // namespace detail

CUEMU_THRUST_ALGORITHM(reduce)
CUEMU_THRUST_ALGORITHM(transform_reduce)
CUEMU_THRUST_ALGORITHM(inner_product)
CUEMU_THRUST_ALGORITHM(count)
CUEMU_THRUST_ALGORITHM(count_if)
CUEMU_THRUST_ALGORITHM(min_element)
CUEMU_THRUST_ALGORITHM(max_element)
CUEMU_THRUST_ALGORITHM(minmax_element)
CUEMU_THRUST_ALGORITHM(inclusive_scan)
CUEMU_THRUST_ALGORITHM(exclusive_scan)
CUEMU_THRUST_ALGORITHM(transform_inclusive_scan)
CUEMU_THRUST_ALGORITHM(transform_exclusive_scan)
CUEMU_THRUST_ALGORITHM(reduce_by_key)
CUEMU_THRUST_ALGORITHM(inclusive_scan_by_key)
CUEMU_THRUST_ALGORITHM(exclusive_scan_by_key)
CUEMU_THRUST_ALGORITHM(sort)
CUEMU_THRUST_ALGORITHM(stable_sort)
CUEMU_THRUST_ALGORITHM(sort_by_key)
CUEMU_THRUST_ALGORITHM(stable_sort_by_key)
CUEMU_THRUST_ALGORITHM(is_sorted)

}  // namespace thrust
