// Conversions between number types of device code, and views of a number's bits. The name contains the rounding mode:
// rn to nearest even, rz towards zero, ru upwards, rd downwards.
//
// A value outside the integer type's range becomes the nearest limit of the range. NaN becomes 0; if the source is a
// double or the result has 64 bits, it becomes 0x80000000….
#pragma once

#include <math.h>

#include "cuemu/bits.hpp"

namespace cuemu::detail {

enum class Rounding { nearest, zero, up, down };

/// Rounds x to an integral value.
template <Rounding Mode, typename Real>
inline Real round_integral(const Real x) {
  if constexpr (sizeof(Real) == 4) {
    if constexpr (Mode == Rounding::nearest) return rintf(x);
    if constexpr (Mode == Rounding::zero) return truncf(x);
    if constexpr (Mode == Rounding::up) return ceilf(x);
    return floorf(x);
  } else {
    if constexpr (Mode == Rounding::nearest) return rint(x);
    if constexpr (Mode == Rounding::zero) return trunc(x);
    if constexpr (Mode == Rounding::up) return ceil(x);
    return floor(x);
  }
}

template <typename Integer, Rounding Mode, typename Real>
inline Integer to_integer(const Real x) {
  constexpr int bits = 8 * static_cast<int>(sizeof(Integer));
  constexpr bool is_signed = static_cast<Integer>(-1) < static_cast<Integer>(0);
  constexpr Integer highest = static_cast<Integer>(~0ULL >> (64 - bits + (is_signed ? 1 : 0)));
  constexpr Integer lowest = is_signed ? static_cast<Integer>(-highest - 1) : static_cast<Integer>(0);
  // 2^bits, the first power of two that does not fit, is exact in float.
  constexpr Real end = static_cast<Real>(is_signed ? 2.0 * (1ULL << (bits - 2)) : 2.0 * (1ULL << (bits - 1)));
  const Real rounded = round_integral<Mode>(x);
  if (rounded != rounded) {
    return sizeof(Real) == 8 || bits == 64 ? static_cast<Integer>(1ULL << (bits - 1))
                                           : static_cast<Integer>(0);
  }
  if (rounded >= end) return highest;
  if (rounded < static_cast<Real>(lowest)) return lowest;
  return static_cast<Integer>(rounded);
}

/// Returns the neighbour of x: the next greater (`up`) or the next smaller value.
template <typename Real>
inline auto neighbour(const Real x, const bool up) {
  if constexpr (sizeof(Real) == 4) {
    return nextafterf(x, up ? __builtin_huge_valf() : -__builtin_huge_valf());
  } else {
    return nextafter(x, up ? __builtin_huge_val() : -__builtin_huge_val());
  }
}

/// Changes `nearest`, a value rounded to nearest, to the value rounded by Mode. `error` has the sign of the exact value
/// minus `nearest`.
template <Rounding Mode, typename Real>
inline auto directed(const Real nearest, const int error) {
  if constexpr (Mode == Rounding::up) return error > 0 ? neighbour(nearest, true) : nearest;
  if constexpr (Mode == Rounding::down) return error < 0 ? neighbour(nearest, false) : nearest;
  if constexpr (Mode == Rounding::zero) {
    if (nearest > 0 && error < 0) return neighbour(nearest, false);
    if (nearest < 0 && error > 0) return neighbour(nearest, true);
  }
  return nearest;
}

/// Converts an integer to Real. The integer and its rounded value are compared in 128 bits, where both are exact.
template <typename Real, Rounding Mode, typename Integer>
inline Real from_integer(const Integer x) {
  const Real nearest = static_cast<Real>(x);
  if constexpr (Mode == Rounding::nearest) return nearest;
  __extension__ typedef __int128 Wide;
  const Wide exact = x, got = static_cast<Wide>(nearest);
  return directed<Mode>(nearest, exact > got ? 1 : exact < got ? -1 : 0);
}

template <Rounding Mode>
inline auto narrow(const double x) {
  const float nearest = static_cast<float>(x);
  const double back = static_cast<double>(nearest);
  if (nearest == 0 &&
      x != 0) {  // underflow: zero keeps its sign, and the next value is the smallest denormal
    if (Mode == Rounding::up && x > 0) return 0x1p-149f;
    if (Mode == Rounding::down && x < 0) return -0x1p-149f;
    return nearest;
  }
  const float result = directed<Mode>(nearest, x > back ? 1 : x < back ? -1 : 0);
  return result == 0 ? copysignf(result, nearest) : result;
}

}  // namespace cuemu::detail

#define CUEMU_TO_INTEGER(NAME, INTEGER, REAL)                                       \
  CUEMU_ON_CALL inline INTEGER NAME##_rn(const REAL x) {                            \
    return cuemu::detail::to_integer<INTEGER, cuemu::detail::Rounding::nearest>(x); \
  }                                                                                 \
  CUEMU_ON_CALL inline INTEGER NAME##_rz(const REAL x) {                            \
    return cuemu::detail::to_integer<INTEGER, cuemu::detail::Rounding::zero>(x);    \
  }                                                                                 \
  CUEMU_ON_CALL inline INTEGER NAME##_ru(const REAL x) {                            \
    return cuemu::detail::to_integer<INTEGER, cuemu::detail::Rounding::up>(x);      \
  }                                                                                 \
  CUEMU_ON_CALL inline INTEGER NAME##_rd(const REAL x) {                            \
    return cuemu::detail::to_integer<INTEGER, cuemu::detail::Rounding::down>(x);    \
  }
CUEMU_TO_INTEGER(__float2int, int, float)
CUEMU_TO_INTEGER(__float2uint, unsigned int, float)
CUEMU_TO_INTEGER(__float2ll, long long, float)
CUEMU_TO_INTEGER(__float2ull, unsigned long long, float)
CUEMU_TO_INTEGER(__double2int, int, double)
CUEMU_TO_INTEGER(__double2uint, unsigned int, double)
CUEMU_TO_INTEGER(__double2ll, long long, double)
CUEMU_TO_INTEGER(__double2ull, unsigned long long, double)
#undef CUEMU_TO_INTEGER

#define CUEMU_FROM_INTEGER(NAME, REAL, INTEGER)                                    \
  CUEMU_ON_CALL inline REAL NAME##_rn(const INTEGER x) {                           \
    return cuemu::detail::from_integer<REAL, cuemu::detail::Rounding::nearest>(x); \
  }                                                                                \
  CUEMU_ON_CALL inline REAL NAME##_rz(const INTEGER x) {                           \
    return cuemu::detail::from_integer<REAL, cuemu::detail::Rounding::zero>(x);    \
  }                                                                                \
  CUEMU_ON_CALL inline REAL NAME##_ru(const INTEGER x) {                           \
    return cuemu::detail::from_integer<REAL, cuemu::detail::Rounding::up>(x);      \
  }                                                                                \
  CUEMU_ON_CALL inline REAL NAME##_rd(const INTEGER x) {                           \
    return cuemu::detail::from_integer<REAL, cuemu::detail::Rounding::down>(x);    \
  }
CUEMU_FROM_INTEGER(__int2float, float, int)
CUEMU_FROM_INTEGER(__uint2float, float, unsigned int)
CUEMU_FROM_INTEGER(__ll2float, float, long long)
CUEMU_FROM_INTEGER(__ull2float, float, unsigned long long)
CUEMU_FROM_INTEGER(__ll2double, double, long long)
CUEMU_FROM_INTEGER(__ull2double, double, unsigned long long)
#undef CUEMU_FROM_INTEGER
inline double __int2double_rn(const int x) {
  return x;
}
inline double __uint2double_rn(const unsigned int x) {
  return x;
}

inline float __double2float_rn(const double x) {
  return static_cast<float>(x);
}
inline float __double2float_rz(const double x) {
  return cuemu::detail::narrow<cuemu::detail::Rounding::zero>(x);
}
inline float __double2float_ru(const double x) {
  return cuemu::detail::narrow<cuemu::detail::Rounding::up>(x);
}
inline float __double2float_rd(const double x) {
  return cuemu::detail::narrow<cuemu::detail::Rounding::down>(x);
}

inline int __float_as_int(const float x) {
  return cuemu::bit_cast<int>(x);
}
inline unsigned int __float_as_uint(const float x) {
  return cuemu::bit_cast<unsigned int>(x);
}
inline float __int_as_float(const int x) {
  return cuemu::bit_cast<float>(x);
}
inline float __uint_as_float(const unsigned int x) {
  return cuemu::bit_cast<float>(x);
}
inline long long __double_as_longlong(const double x) {
  return cuemu::bit_cast<long long>(x);
}
inline double __longlong_as_double(const long long x) {
  return cuemu::bit_cast<double>(x);
}
inline int __double2hiint(const double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
inline int __double2loint(const double x) {
  return static_cast<int>(__double_as_longlong(x));
}
inline double __hiloint2double(const int hi, const int lo) {
  return __longlong_as_double(static_cast<long long>(
      static_cast<unsigned long long>(static_cast<unsigned int>(hi)) << 32 | static_cast<unsigned int>(lo)));
}
