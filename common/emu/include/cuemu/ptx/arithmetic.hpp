// PTX arithmetic. Each instruction has a function of the same name, whose first parameter is the result's register.
#pragma once

#include "cuemu/ptx/values.hpp"
#include "cuemu/thread.hpp"
#include "math_functions.h"

namespace cuemu::ptx {

using Rounding = cuemu::detail::Rounding;

/// An integer type that can hold all products of two T.
template <class T>
using Wide =
    std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, s32, u32>,
                       std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, s64, u64>,
                                          std::conditional_t<std::is_signed_v<T>, cuemu::detail::int128,
                                                             cuemu::detail::uint128>>>;

/// Returns the carry flag, which passes from one instruction, or asm statement, to the next addc, subc or madc.
inline bool& carry_flag() {
  return current_fiber->carry;
}

template <class Operation, Rounding Mode, class T, class... Operands>
inline T rounded(const Operands&... x) {
  return cuemu::detail::rounded<Operation, Mode>(get<T>(x)...);
}

/// \name Sums, differences, products; `Mode` is the rounding of floating-point results
/// @{
template <class T, Rounding Mode = Rounding::nearest, class D, class A, class B>
inline void add(D& d, const A& a, const B& b) {
  if constexpr (std::is_floating_point_v<T>)
    set(d, rounded<cuemu::detail::Add, Mode, T>(a, b));
  else
    set(d, static_cast<T>(static_cast<u64>(get<T>(a)) + static_cast<u64>(get<T>(b))));
}
template <class T, Rounding Mode = Rounding::nearest, class D, class A, class B>
inline void sub(D& d, const A& a, const B& b) {
  if constexpr (std::is_floating_point_v<T>)
    set(d, rounded<cuemu::detail::Subtract, Mode, T>(a, b));
  else
    set(d, static_cast<T>(static_cast<u64>(get<T>(a)) - static_cast<u64>(get<T>(b))));
}
template <class T, Rounding Mode = Rounding::nearest, class D, class A, class B>
inline void mul(D& d, const A& a, const B& b) {
  set(d, rounded<cuemu::detail::Multiply, Mode, T>(a, b));
}
template <class T, Rounding Mode = Rounding::nearest, class D, class A, class B, class C>
inline void fma(D& d, const A& a, const B& b, const C& c) {
  set(d, rounded<cuemu::detail::MultiplyAdd, Mode, T>(a, b, c));
}
template <class T, Rounding Mode = Rounding::nearest, class D, class A, class B>
inline void div(D& d, const A& a, const B& b) {
  if constexpr (std::is_floating_point_v<T>) {
    set(d, rounded<cuemu::detail::Divide, Mode, T>(a, b));
  } else {
    const T x = get<T>(a), y = get<T>(b);
    // On a GPU, a division by zero gives all ones, and the lowest number divided by −1 gives the lowest number.
    set(d, y == 0                                           ? static_cast<T>(~T{0})
           : std::is_signed_v<T> && y == static_cast<T>(-1) ? static_cast<T>(0 - static_cast<Unsigned<T>>(x))
                                                            : static_cast<T>(x / y));
  }
}
template <class T, class D, class A, class B>
inline void rem(D& d, const A& a, const B& b) {
  const T x = get<T>(a), y = get<T>(b);
  set(d, y == 0 ? x : std::is_signed_v<T> && y == static_cast<T>(-1) ? T{0} : static_cast<T>(x % y));
}

template <class T, class A, class B>
inline Wide<T> product(const A& a, const B& b) {
  return static_cast<Wide<T>>(static_cast<Wide<T>>(get<T>(a)) * static_cast<Wide<T>>(get<T>(b)));
}
template <class T, class D, class A, class B>
inline void mul_lo(D& d, const A& a, const B& b) {
  set(d, static_cast<T>(static_cast<Unsigned<T>>(product<T>(a, b))));
}
template <class T, class D, class A, class B>
inline void mul_hi(D& d, const A& a, const B& b) {
  set(d, static_cast<T>(product<T>(a, b) >> bits_of_type<T>));
}
template <class T, class D, class A, class B>
inline void mul_wide(D& d, const A& a, const B& b) {
  set(d, product<T>(a, b));
}
template <class T, class D, class A, class B, class C>
inline void mad_lo(D& d, const A& a, const B& b, const C& c) {
  set(d, static_cast<T>(static_cast<u64>(static_cast<Unsigned<T>>(product<T>(a, b))) +
                        static_cast<u64>(get<T>(c))));
}
template <class T, class D, class A, class B, class C>
inline void mad_hi(D& d, const A& a, const B& b, const C& c) {
  set(d, static_cast<T>(static_cast<u64>(product<T>(a, b) >> bits_of_type<T>) + static_cast<u64>(get<T>(c))));
}
template <class T, class D, class A, class B, class C>
inline void mad_wide(D& d, const A& a, const B& b, const C& c) {
  using W = Wide<T>;
  set(d, static_cast<W>(static_cast<u64>(product<T>(a, b)) + static_cast<u64>(get<W>(c))));
}
template <class T, class D, class A, class B>
inline void mul24_lo(D& d, const A& a, const B& b) {
  if constexpr (std::is_signed_v<T>)
    set(d, static_cast<T>(__mul24(get<T>(a), get<T>(b))));
  else
    set(d, __umul24(get<T>(a), get<T>(b)));
}
template <class T, class D, class A, class B, class C>
inline void mad24_lo(D& d, const A& a, const B& b, const C& c) {
  T low;
  mul24_lo<T>(low, a, b);
  add<T>(d, low, c);
}
template <class T, class D, class A, class B, class C>
inline void sad(D& d, const A& a, const B& b, const C& c) {
  const T x = get<T>(a), y = get<T>(b);
  const Unsigned<T> difference = x < y ? static_cast<Unsigned<T>>(y) - static_cast<Unsigned<T>>(x)
                                       : static_cast<Unsigned<T>>(x) - static_cast<Unsigned<T>>(y);
  set(d, static_cast<T>(static_cast<Unsigned<T>>(get<T>(c)) + difference));
}
template <class TA, class TB, class D, class A, class B, class C>
inline void dp4a(D& d, const A& a, const B& b, const C& c) {
  u32 sum = get<u32>(c);
  const u32 x = get<u32>(a), y = get<u32>(b);
  for (int i = 0; i < 32; i += 8) {
    using NA = std::conditional_t<std::is_signed_v<TA>, s8, u8>;
    using NB = std::conditional_t<std::is_signed_v<TB>, s8, u8>;
    sum += static_cast<u32>(static_cast<NA>(x >> i) * static_cast<NB>(y >> i));
  }
  set(d, sum);
}
/// The video instructions on parts of a word: `Lane` is applied to each pair of parts. The results become parts of d
/// or, with `Adds`, are added to c.
template <class TD, class TA, class TB, int Parts, bool Saturates, bool Adds, class D, class A, class B,
          class C, class Lane>
inline void video(D& d, const A& a, const B& b, const C& c, const Lane& lane) {
  constexpr int bits = 32 / Parts;
  constexpr s64 least = std::is_signed_v<TD> ? -(s64{1} << (bits - 1)) : 0;
  constexpr s64 largest = (s64{1} << (std::is_signed_v<TD> ? bits - 1 : bits)) - 1;
  const auto part = [](u32 word, int at, bool is_signed) {
    const u32 left = word << (32 - bits - at);
    return is_signed ? static_cast<s64>(static_cast<s32>(left) >> (32 - bits))
                     : static_cast<s64>(left >> (32 - bits));
  };
  const u32 x = get<u32>(a), y = get<u32>(b);
  u32 result = Adds ? get<u32>(c) : 0;
  for (int at = 0; at < 32; at += bits) {
    s64 value = lane(part(x, at, std::is_signed_v<TA>), part(y, at, std::is_signed_v<TB>));
    if (Saturates) value = value < least ? least : value > largest ? largest : value;
    if (Adds)
      result += static_cast<u32>(value);
    else
      result |= (static_cast<u32>(value) << (32 - bits)) >> (32 - bits - at);
  }
  set(d, result);
}
#define CUEMU_VIDEO(NAME, EXPRESSION)                                                                      \
  template <class TD, class TA, class TB, int Parts, bool Saturates, bool Adds, class D, class A, class B, \
            class C>                                                                                       \
  inline void NAME(D& d, const A& a, const B& b, const C& c) {                                             \
    video<TD, TA, TB, Parts, Saturates, Adds>(d, a, b, c, [](s64 p, s64 q) { return EXPRESSION; });        \
  }
CUEMU_VIDEO(vadd, p + q)
CUEMU_VIDEO(vsub, p - q)
CUEMU_VIDEO(vabsdiff, p < q ? q - p : p - q)
CUEMU_VIDEO(vmin, p < q ? p : q)
CUEMU_VIDEO(vmax, p > q ? p : q)
#undef CUEMU_VIDEO
/// @}

/// \name Operations with the carry flag: `Out` sets the flag, `In` adds it
/// @{
template <class T, bool In, bool Out, class D, class A, class B>
inline void carry_add(D& d, const A& a, const B& b) {
  using U = Unsigned<T>;
  const U x = get<U>(a), y = get<U>(b);
  const U partial = static_cast<U>(x + y);
  const U sum = static_cast<U>(partial + (In && carry_flag() ? 1 : 0));
  if (Out) carry_flag() = partial < x || sum < partial;
  set(d, sum);
}
/// Subtracts; the carry flag is the borrow.
template <class T, bool In, bool Out, class D, class A, class B>
inline void carry_sub(D& d, const A& a, const B& b) {
  using U = Unsigned<T>;
  const U x = get<U>(a), y = get<U>(b);
  const U partial = static_cast<U>(x - y);
  const U difference = static_cast<U>(partial - (In && carry_flag() ? 1 : 0));
  if (Out) carry_flag() = x < y || difference > partial;
  set(d, difference);
}
template <class T, bool High, bool In, bool Out, class D, class A, class B, class C>
inline void carry_mad(D& d, const A& a, const B& b, const C& c) {
  const auto both = product<T>(a, b);
  carry_add<T, In, Out>(d, static_cast<Unsigned<T>>(High ? both >> bits_of_type<T> : both), c);
}
/// @}

/// \name One operand, and choices
/// @{
template <class T, class D, class A>
inline void neg(D& d, const A& a) {
  if constexpr (std::is_floating_point_v<T>)
    set(d, -get<T>(a));
  else
    set(d, static_cast<T>(0 - static_cast<Unsigned<T>>(get<T>(a))));
}
template <class T, class D, class A>
inline void abs(D& d, const A& a) {
  const T x = get<T>(a);
  if constexpr (std::is_floating_point_v<T>)
    set(d, static_cast<T>(sizeof(T) == 4 ? __builtin_fabsf(static_cast<float>(x)) : __builtin_fabs(x)));
  else
    set(d, x < 0 ? static_cast<T>(0 - static_cast<Unsigned<T>>(x)) : x);
}
/// If one operand is a NaN, the result is the other operand, or with `Nan` the NaN. −0 is below +0.
template <class T, bool Nan = false, class D, class A, class B>
inline void min(D& d, const A& a, const B& b) {
  const T x = get<T>(a), y = get<T>(b);
  if constexpr (std::is_floating_point_v<T>) {
    if (x != x || y != y)
      set(d, x != x && y != y ? static_cast<T>(__builtin_nan("")) : (x != x) != Nan ? y : x);
    else
      set(d, x < y || (x == y && __builtin_signbit(x)) ? x : y);
  } else {
    set(d, x < y ? x : y);
  }
}
template <class T, bool Nan = false, class D, class A, class B>
inline void max(D& d, const A& a, const B& b) {
  const T x = get<T>(a), y = get<T>(b);
  if constexpr (std::is_floating_point_v<T>) {
    if (x != x || y != y)
      set(d, x != x && y != y ? static_cast<T>(__builtin_nan("")) : (x != x) != Nan ? y : x);
    else
      set(d, y < x || (x == y && !__builtin_signbit(x)) ? x : y);
  } else {
    set(d, x > y ? x : y);
  }
}
template <class T, class D, class A, class B>
inline void copysign(D& d, const A& a, const B& b) {  // the sign of a, the magnitude of b
  set(d, static_cast<T>(__builtin_copysign(get<T>(b), get<T>(a))));
}
template <class T, Rounding Mode = Rounding::nearest, class D, class A>
inline void sqrt(D& d, const A& a) {
  set(d, rounded<cuemu::detail::SquareRoot, Mode, T>(a));
}
template <class T, Rounding Mode = Rounding::nearest, class D, class A>
inline void rcp(D& d, const A& a) {
  set(d, rounded<cuemu::detail::Divide, Mode, T>(T{1}, a));
}
template <class T, class D, class A>
inline void rsqrt(D& d, const A& a) {
  set(d, static_cast<T>(::rsqrt(static_cast<double>(get<T>(a)))));
}
template <class T, class D, class A>
inline void sin(D& d, const A& a) {
  set(d, __sinf(get<T>(a)));
}
template <class T, class D, class A>
inline void cos(D& d, const A& a) {
  set(d, __cosf(get<T>(a)));
}
template <class T, class D, class A>
inline void ex2(D& d, const A& a) {
  set(d, exp2f(get<T>(a)));
}
template <class T, class D, class A>
inline void lg2(D& d, const A& a) {
  set(d, log2f(get<T>(a)));
}
template <class T, class D, class A>
inline void tanh(D& d, const A& a) {
  set(d, tanhf(get<T>(a)));
}
/// .sat: limits a floating-point result to [0, 1], and changes NaN to 0. add_sat and sub_sat handle integers
/// (add.sat.s32).
template <class D>
inline void saturate(D& d) {
  d = d > D{0} ? (d < D{1} ? d : D{1}) : D{0};
}
template <class T, class D, class A, class B>
inline void add_sat(D& d, const A& a, const B& b) {
  const s64 sum = s64{get<s32>(a)} + get<s32>(b);
  set(d, static_cast<s32>(sum > 0x7fffffffll ? 0x7fffffffll : sum < -0x80000000ll ? -0x80000000ll : sum));
}
template <class T, class D, class A, class B>
inline void sub_sat(D& d, const A& a, const B& b) {
  const s64 sum = s64{get<s32>(a)} - get<s32>(b);
  set(d, static_cast<s32>(sum > 0x7fffffffll ? 0x7fffffffll : sum < -0x80000000ll ? -0x80000000ll : sum));
}
/// .ftz: a result below the normal range becomes zero.
template <class D>
inline void flush(D& d) {
  if constexpr (std::is_same_v<D, float>)
    if (__builtin_fabsf(d) < 1.17549435e-38f) d = __builtin_copysignf(0.0f, d);
}
/// @}

}  // namespace cuemu::ptx
