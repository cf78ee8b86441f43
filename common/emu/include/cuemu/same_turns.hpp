// Do all threads of a block take as many turns in a loop? Asked before its kernel runs, of loops that same_turns.hpp of emucc finds.
#pragma once

#include <type_traits>

namespace cuemu {

/// A loop's counter as one thread has it.
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

/// Where values of the first and the last thread may lie: far from where their types end.
template <class T, class U>
inline bool in_order(const T first, const U last) {
  static_assert(std::is_integral_v<T> && std::is_integral_v<U>, "counters are whole numbers");
  const auto low = static_cast<long long>(first), high = static_cast<long long>(last);
  return low >= 0 && low <= high && high <= 1 << 29;
}

/// The counters of a block's threads lie between these two. Does the loop end for all in the same turn? Where that takes long to
/// find out, or a value would come near to where its type ends, the answer is no, which is never wrong.
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
