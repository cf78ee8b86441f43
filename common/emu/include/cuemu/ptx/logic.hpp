// PTX instructions on bits: logic, shifts, fields, comparisons, selections, conversions.
#pragma once

#include "cuemu/ptx/arithmetic.hpp"
#include "cuemu/tiny_float.hpp"

namespace cuemu::ptx {

template <class T, class D, class A>
inline void mov(D& d, const A& a) {
  set(d, get<T>(a));
}
/// mov.b64 {low, high}, x and its inverse; likewise for b32 and halves.
template <class T, class D, class A>
inline void unpack(D& low, D& high, const A& x) {
  using Half = std::conditional_t<sizeof(T) == 8, u32, u16>;
  set(low, static_cast<Half>(get<T>(x)));
  set(high, static_cast<Half>(get<T>(x) >> bits_of_type<Half>));
}
template <class T, class D1, class D2, class A>
inline void unpack(D1& low, D2& high, const A& x) {
  using Half = std::conditional_t<sizeof(T) == 8, u32, u16>;
  set(low, static_cast<Half>(get<T>(x)));
  set(high, static_cast<Half>(get<T>(x) >> bits_of_type<Half>));
}
template <class T, class D, class A, class B>
inline void pack(D& d, const A& low, const B& high) {
  using Half = std::conditional_t<sizeof(T) == 8, u32, u16>;
  set(d, static_cast<T>(static_cast<T>(get<Half>(high)) << bits_of_type<Half> | get<Half>(low)));
}

#define CUEMU_PTX_LOGIC(NAME, EXPRESSION)          \
  template <class T, class D, class A, class B>    \
  inline void NAME(D& d, const A& a, const B& b) { \
    const T x = get<T>(a), y = get<T>(b);          \
    set(d, static_cast<T>(EXPRESSION));            \
  }
CUEMU_PTX_LOGIC(and_, x& y)
CUEMU_PTX_LOGIC(or_, x | y)
CUEMU_PTX_LOGIC(xor_, x ^ y)
#undef CUEMU_PTX_LOGIC
template <class T, class D, class A>
inline void not_(D& d, const A& a) {
  if constexpr (std::is_same_v<T, bool>)
    set(d, !get<bool>(a));
  else
    set(d, static_cast<T>(~get<T>(a)));
}
template <class T, class D, class A>
inline void cnot(D& d, const A& a) {
  set(d, static_cast<T>(get<T>(a) == 0 ? 1 : 0));
}
/// Shifts by more than the width give zeros, or copies of the sign bit.
template <class T, class D, class A, class B>
inline void shl(D& d, const A& a, const B& b) {
  const u32 by = get<u32>(b);
  using U = Unsigned<T>;
  set(d, by >= static_cast<u32>(bits_of_type<T>) ? U{0} : static_cast<U>(get<U>(a) << by));
}
template <class T, class D, class A, class B>
inline void shr(D& d, const A& a, const B& b) {
  const u32 by = get<u32>(b), most = static_cast<u32>(bits_of_type<T>) - 1;
  const T x = get<T>(a);
  set(d, by > most ? static_cast<T>(std::is_signed_v<T> && x < 0 ? -1 : 0) : static_cast<T>(x >> by));
}
template <bool Left, bool Clamp, class D, class A, class B, class C>
inline void shf(D& d, const A& a, const B& b, const C& c) {
  const u32 low = get<u32>(a), high = get<u32>(b), by = get<u32>(c);
  set(d, Left ? (Clamp ? __funnelshift_lc(low, high, by) : __funnelshift_l(low, high, by))
              : (Clamp ? __funnelshift_rc(low, high, by) : __funnelshift_r(low, high, by)));
}
template <class T, class D, class A, class B, class C>
inline void bfe(D& d, const A& a, const B& b, const C& c) {
  constexpr u32 bits = static_cast<u32>(bits_of_type<T>);
  const T x = get<T>(a);
  const u32 position = get<u32>(b) & 0xffu, length = get<u32>(c) & 0xffu;
  using U = Unsigned<T>;
  const bool negative =
      std::is_signed_v<T> && length != 0 &&
      (static_cast<U>(x) >> (position + length - 1 < bits ? position + length - 1 : bits - 1) & 1u) != 0;
  U result = position < bits ? static_cast<U>(static_cast<U>(x) >> position) : U{0};
  const U mask = length >= bits ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << length) - 1);
  const u32 there = position < bits ? bits - position : 0;  // bits of x from the position on
  const U known = there >= bits ? mask : static_cast<U>(mask & ((U{1} << there) - 1));
  result = static_cast<U>(result & known);
  if (negative) result = static_cast<U>(result | static_cast<U>(~known));
  set(d, static_cast<T>(result));
}
template <class T, class D, class A, class B, class C, class E>
inline void bfi(D& d, const A& a, const B& b, const C& c, const E& e) {
  constexpr u32 bits = static_cast<u32>(bits_of_type<T>);
  const u32 position = get<u32>(c) & 0xffu, length = get<u32>(e) & 0xffu;
  const T field = length >= bits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
  const T mask = position >= bits ? T{0} : static_cast<T>(field << position);
  const T value = position >= bits ? T{0} : static_cast<T>(get<T>(a) << position);
  set(d, static_cast<T>((get<T>(b) & ~mask) | (value & mask)));
}
template <class T, bool Shift, class D, class A>
inline void bfind(D& d, const A& a) {
  Unsigned<T> x = get<Unsigned<T>>(a);
  if (std::is_signed_v<T> && get<T>(a) < 0) x = static_cast<Unsigned<T>>(~x);
  const int highest = 63 - __clzll(static_cast<long long>(x));
  set(d, x == 0 ? 0xffffffffu : static_cast<u32>(Shift ? bits_of_type<T> - 1 - highest : highest));
}
template <class T, class D, class A>
inline void popc(D& d, const A& a) {
  set(d, static_cast<u32>(__builtin_popcountll(get<T>(a))));
}
template <class T, class D, class A>
inline void clz(D& d, const A& a) {
  set(d, static_cast<u32>(__clzll(static_cast<long long>(get<T>(a))) - (64 - bits_of_type<T>)));
}
template <class T, class D, class A>
inline void brev(D& d, const A& a) {
  set(d, static_cast<T>(__brevll(get<T>(a)) >> (64 - bits_of_type<T>)));
}
template <class D, class A, class B, class C>
inline void fns(D& d, const A& a, const B& b, const C& c) {
  set(d, __fns(get<u32>(a), get<u32>(b), get<s32>(c)));
}
/// How prmt selects bytes: by the digits of c, or by one of six kinds of patterns, of which c selects one.
enum class Prmt { index, f4e, b4e, rc8, ecl, ecr, rc16 };
template <Prmt Mode = Prmt::index, class D, class A, class B, class C>
inline void prmt(D& d, const A& a, const B& b, const C& c) {
  const u32 control = get<u32>(c), which = control & 3u;
  constexpr u32 patterns[6][4] = {{0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
                                  {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
                                  {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  const u32 digits = Mode == Prmt::index
                         ? control
                         : patterns[static_cast<int>(Mode) - 1 < 0 ? 0 : static_cast<int>(Mode) - 1][which];
  set(d, __byte_perm(get<u32>(a), get<u32>(b), digits));
}
/// Looks up each bit of the result in `table`: the operands' three bits are the number of the table's bit.
template <class D, class A, class B, class C, class E>
inline void lop3(D& d, const A& a, const B& b, const C& c, const E& table) {
  const u32 x = get<u32>(a), y = get<u32>(b), z = get<u32>(c), bits = get<u32>(table);
  u32 result = 0;
  for (u32 i = 0; i < 8; ++i)
    if ((bits >> i & 1u) != 0)
      result |= ((i & 4u) != 0 ? x : ~x) & ((i & 2u) != 0 ? y : ~y) & ((i & 1u) != 0 ? z : ~z);
  set(d, result);
}

/// Comparisons of numbers: equal …. With the suffix `u` they are also true if one number is a NaN.
enum class Compare { eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };
template <class T, Compare How, class A, class B>
inline bool compare(const A& a, const B& b) {
  const T x = get<T>(a), y = get<T>(b);
  const bool unordered = x != x || y != y;
  switch (How) {
    case Compare::eq:
      return x == y;
    case Compare::ne:
      return x != y && !unordered;
    case Compare::lt:
    case Compare::lo:
      return x < y;
    case Compare::le:
    case Compare::ls:
      return x <= y;
    case Compare::gt:
    case Compare::hi:
      return x > y;
    case Compare::ge:
    case Compare::hs:
      return x >= y;
    case Compare::equ:
      return x == y || unordered;
    case Compare::neu:
      return x != y;
    case Compare::ltu:
      return !(x >= y);
    case Compare::leu:
      return !(x > y);
    case Compare::gtu:
      return !(x <= y);
    case Compare::geu:
      return !(x < y);
    case Compare::num:
      return !unordered;
    case Compare::nan:
      return unordered;
  }
  return false;
}
template <class T, class D, class A, class B, class P>
inline void selp(D& d, const A& a, const B& b, const P& p) {
  set(d, get<bool>(p) ? get<T>(a) : get<T>(b));
}
template <class T, class D, class A, class B, class C>
inline void slct(D& d, const A& a, const B& b, const C& c) {
  set(d, get<s32>(c) >= 0 ? get<T>(a) : get<T>(b));
}

/// \name Conversions
/// @{
struct f16 {};
struct bf16 {};

template <class From, class A>
inline auto source(const A& a) {
  if constexpr (std::is_same_v<From, f16>)
    return cuemu::detail::decode(Binary16(), get<u16>(a));
  else if constexpr (std::is_same_v<From, bf16>)
    return cuemu::detail::decode(Bfloat16(), get<u16>(a));
  else
    return get<From>(a);
}
/// cvt. With `Integral`, a floating-point result is rounded to a whole number; for `Sat` see saturate.
template <class To, class From, Rounding Mode, bool Integral, bool Sat, class D, class A>
inline void cvt(D& d, const A& a) {
  const auto x = source<From>(a);
  using X = std::remove_const_t<decltype(x)>;
  if constexpr (std::is_same_v<To, f16> || std::is_same_v<To, bf16>) {
    const double wide = static_cast<double>(x);
    const double kept = Sat ? (wide > 0 ? (wide < 1 ? wide : 1) : 0) : wide;
    using Format = std::conditional_t<std::is_same_v<To, f16>, Binary16, Bfloat16>;
    set(d, cuemu::detail::encode<Format, Mode>(kept));
  } else if constexpr (std::is_floating_point_v<To>) {
    To result;
    if constexpr (std::is_integral_v<X>)
      result = cuemu::detail::from_integer<To, Mode>(x);
    else if constexpr (Integral)
      result = static_cast<To>(cuemu::detail::round_integral<Mode>(x));
    else if constexpr (sizeof(X) > sizeof(To))
      result = cuemu::detail::narrow<Mode>(x);
    else
      result = x;
    if constexpr (Sat) saturate(result);
    set(d, result);
  } else if constexpr (std::is_floating_point_v<X>) {
    set(d, cuemu::detail::to_integer<To, Mode>(x));
  } else if constexpr (Sat) {
    using W = cuemu::detail::int128;
    const W value = x, lowest = std::is_signed_v<To> ? -(W{1} << (bits_of_type<To> - 1)) : W{0};
    const W highest = (W{1} << (bits_of_type<To> - (std::is_signed_v<To> ? 1 : 0))) - 1;
    set(d, static_cast<To>(value < lowest ? lowest : value > highest ? highest : value));
  } else {
    set(d, static_cast<To>(x));
  }
}
/// cvt.rn.f16x2.f32 d, a, b, in which a becomes the upper half.
template <class To, Rounding Mode, class D, class A, class B>
inline void cvt_pair(D& d, const A& a, const B& b) {
  u16 high, low;
  cvt<To, f32, Mode, false, false>(high, a);
  cvt<To, f32, Mode, false, false>(low, b);
  set(d, static_cast<u32>(high) << 16 | low);
}
/// cvt.rna.tf32.f32: ten bits of the fraction, ties away from zero.
template <class D, class A>
inline void cvt_tf32(D& d, const A& a) {
  const u32 bits = get<u32>(a);
  const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  set(d, finite ? (bits + 0x1000u) & 0xffffe000u : bits);
}
/// @}

}  // namespace cuemu::ptx
