// PTX's scalar video instructions: an operation on two numbers, which may be bytes or halves of their registers. The
// result may be limited to its type, inserted into a part of a register, or combined with a third number.
// arithmetic.hpp contains the instructions on all parts of a register.
#pragma once

#include "cuemu/intrinsics.hpp"
#include "cuemu/ptx/values.hpp"

namespace cuemu::ptx {

/// An integer type that can hold all intermediate results.
using Video = cuemu::detail::int128;

/// A range of a register's bits, counted from the lowest bit: `.h1` is {16, 16}.
struct Part {
  int at, bits;
};
/// The operation with the third number.
enum class VideoThen { nothing, add, min, max };

template <class T>
inline Video part_of(u32 word, Part part) {
  const u32 left = word << (32 - part.bits - part.at);
  return std::is_signed_v<T> ? Video{static_cast<s32>(left) >> (32 - part.bits)}
                             : Video{left >> (32 - part.bits)};
}

template <class T>
inline Video limited(Video value, int bits) {
  const Video least = std::is_signed_v<T> ? -(Video{1} << (bits - 1)) : 0;
  const Video largest = (Video{1} << (std::is_signed_v<T> ? bits - 1 : bits)) - 1;
  return value < least ? least : value > largest ? largest : value;
}

/// The last steps of an instruction whose result has type T.
template <class T, VideoThen Then, bool Saturates, class D, class C>
inline void finish_video(D& d, Part to, Video value, const C& c) {
  if (Saturates) value = limited<T>(value, to.bits);
  const Video third = get<T>(c);
  if (Then == VideoThen::add) value += third;
  if (Then == VideoThen::min && third < value) value = third;
  if (Then == VideoThen::max && third > value) value = third;
  const u32 mask = ~u32{0} >> (32 - to.bits) << to.at;
  set(d, static_cast<u32>((static_cast<u32>(value) << to.at & mask) | (get<u32>(c) & ~mask)));
}

#define CUEMU_SCALAR_VIDEO(NAME, EXPRESSION)                                                            \
  template <class TD, class TA, class TB, VideoThen Then, bool Saturates, class D, class A, class B,    \
            class C>                                                                                    \
  inline void NAME(D& d, Part to, const A& a, Part part_of_a, const B& b, Part part_of_b, const C& c) { \
    const Video p = part_of<TA>(get<u32>(a), part_of_a), q = part_of<TB>(get<u32>(b), part_of_b);       \
    finish_video<TD, Then, Saturates>(d, to, EXPRESSION, c);                                            \
  }
CUEMU_SCALAR_VIDEO(scalar_vadd, p + q)
CUEMU_SCALAR_VIDEO(scalar_vsub, p - q)
CUEMU_SCALAR_VIDEO(scalar_vabsdiff, p < q ? q - p : p - q)
CUEMU_SCALAR_VIDEO(scalar_vmin, p < q ? p : q)
CUEMU_SCALAR_VIDEO(scalar_vmax, p > q ? p : q)
CUEMU_SCALAR_VIDEO(scalar_vshl_clamp, p*(Video{1} << static_cast<int>(q > 32 ? 32 : q)))
CUEMU_SCALAR_VIDEO(scalar_vshl_wrap, p*(Video{1} << static_cast<int>(q & 31)))
CUEMU_SCALAR_VIDEO(scalar_vshr_clamp, p >> static_cast<int>(q > 32 ? 32 : q))
CUEMU_SCALAR_VIDEO(scalar_vshr_wrap, p >> static_cast<int>(q & 31))
CUEMU_SCALAR_VIDEO(scalar_vset_eq, p == q ? 1 : 0)
CUEMU_SCALAR_VIDEO(scalar_vset_ne, p != q ? 1 : 0)
CUEMU_SCALAR_VIDEO(scalar_vset_lt, p < q ? 1 : 0)
CUEMU_SCALAR_VIDEO(scalar_vset_le, p <= q ? 1 : 0)
CUEMU_SCALAR_VIDEO(scalar_vset_gt, p > q ? 1 : 0)
CUEMU_SCALAR_VIDEO(scalar_vset_ge, p >= q ? 1 : 0)
#undef CUEMU_SCALAR_VIDEO

/// ±a·b ± c, or a·b + c + 1 with `PlusOne`, shifted to the right. A negated operand makes the result signed.
template <class TA, class TB, bool NegatesProduct, bool NegatesSum, bool PlusOne, int Shift, bool Saturates,
          class D, class A, class B, class C>
inline void vmad(D& d, const A& a, Part part_of_a, const B& b, Part part_of_b, const C& c) {
  constexpr bool is_signed = std::is_signed_v<TA> || std::is_signed_v<TB> || NegatesProduct || NegatesSum;
  const Video product = part_of<TA>(get<u32>(a), part_of_a) * part_of<TB>(get<u32>(b), part_of_b);
  const u32 third = NegatesSum ? ~get<u32>(c) : get<u32>(c);  // inverted before it is widened, as GPUs do
  const Video sum = (NegatesProduct ? ~product : product) +
                    (is_signed ? Video{static_cast<s32>(third)} : Video{third}) +
                    (NegatesProduct || NegatesSum || PlusOne ? 1 : 0);
  const u64 low = static_cast<u64>(sum >> Shift);
  const Video value = is_signed ? Video{static_cast<s64>(low)} : Video{low};
  using T = std::conditional_t<is_signed, s32, u32>;
  set(d, static_cast<u32>(Saturates ? limited<T>(value, 32) : value));
}

}  // namespace cuemu::ptx
