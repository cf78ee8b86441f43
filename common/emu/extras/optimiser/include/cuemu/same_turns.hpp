// Checks whether all threads of a block run the same number of iterations of a loop. emucc's same_turns.hpp
// finds the loops. The check runs before the kernel's body.
#pragma once

#include <type_traits>

namespace cuemu {

/// A loop's counter in one thread.
template <class T, class GoesOn, class Step>
struct Turns {
  T at;
  GoesOn goes_on;
  Step step;
};
template <class T, class GoesOn, class Step>
Turns<T, GoesOn, Step> turns_of(const T begin, GoesOn goes_on, Step step) {
  static_assert(std::is_integral_v<T>, "counters are whole numbers");
  return {begin, goes_on, step};
}

/// Returns whether the first and the last thread's values are in the allowed range, far from the limits of
/// their types.
template <class T, class U>
inline bool in_order(const T first, const U last) {
  static_assert(std::is_integral_v<T> && std::is_integral_v<U>, "counters are whole numbers");
  const auto low = static_cast<long long>(first), high = static_cast<long long>(last);
  return low >= 0 && low <= high && high <= 1 << 29;
}

/// Returns whether the loop ends in the same iteration for all threads, if each thread's counter is between
/// these two counters. A wrong false costs only speed: the function also returns false if the answer needs
/// type's limit.
template <class First, class Last>
inline bool same_turns(First first, Last last) {
  const auto apart = last.at - first.at;
  for (int turn = 0; turn < 1 << 14; ++turn) {
    if (!in_order(first.at, last.at) || last.at - first.at != apart) return false;
    const bool goes_on = first.goes_on(first.at);
    if (goes_on != static_cast<bool>(last.goes_on(last.at))) return false;
    if (!goes_on) return true;
    const auto before = first.at;
    first.step(first.at);
    last.step(last.at);
    if (first.at == before) return false;
  }
  return false;
}

}  // namespace cuemu
