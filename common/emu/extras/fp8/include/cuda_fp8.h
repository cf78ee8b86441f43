// The 8-bit floating-point formats E4M3 and E5M2, alone and in vectors of two and four,
// in host and device code.
//
// Conversions round to nearest even. E4M3 has no infinity: 448 is its greatest number, and 0x7f is its NaN.
#pragma once
#define __CUDA_FP8_H__
#define __CUDA_FP8_HPP__
#define __CUDA_FP8_TYPES_EXIST__

#include "cuemu/push_macros.hpp"

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

/// Whether a number above the format's greatest number becomes NaN or infinity, or the greatest number
/// itself.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace cuemu::detail {

struct Float8Format {
  int mantissa_bits, bias;
  double greatest;
  unsigned char greatest_bits, overflow_bits;
};
constexpr Float8Format float8_format(const __nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? Float8Format{3, 7, 448.0, 0x7e, 0x7f} : Float8Format{2, 15, 57344.0, 0x7b, 0x7c};
}

inline __nv_fp8_storage_t encode_float8(const double x, const __nv_saturation_t saturate,
                                        const __nv_fp8_interpretation_t kind) {
  const Float8Format format = float8_format(kind);
  if (x != x) return 0x7f;
  const unsigned sign = __builtin_signbit(x) ? 0x80u : 0u;
  const double size = fabs(x);
  // Rounds to a multiple of the last place. Below the normal range, the last place is that of the smallest
  // normal number.
  int exponent = 0;
  frexp(size, &exponent);  // size < 2^exponent
  const int lowest = 2 - format.bias;
  const int scale = (exponent < lowest ? lowest : exponent) - 1 - format.mantissa_bits;
  const double rounded = size < 1e9 ? ldexp(rint(ldexp(size, -scale)), scale) : size;
  if (rounded > format.greatest)
    return static_cast<__nv_fp8_storage_t>(
        sign | (saturate == __NV_SATFINITE ? format.greatest_bits : format.overflow_bits));
  if (rounded == 0) return static_cast<__nv_fp8_storage_t>(sign);
  frexp(rounded, &exponent);
  const int field = exponent - 1 + format.bias;
  if (field < 1)  // below the normal range
    return static_cast<__nv_fp8_storage_t>(
        sign | static_cast<unsigned>(ldexp(rounded, format.bias - 1 + format.mantissa_bits)));
  const unsigned mantissa = static_cast<unsigned>(ldexp(rounded, format.mantissa_bits + 1 - exponent)) -
                            (1u << format.mantissa_bits);
  return static_cast<__nv_fp8_storage_t>(sign | static_cast<unsigned>(field) << format.mantissa_bits |
                                         mantissa);
}

inline float decode_float8(const __nv_fp8_storage_t bits, const __nv_fp8_interpretation_t kind) {
  const Float8Format format = float8_format(kind);
  const unsigned size = bits & 0x7fu;
  const float sign = (bits & 0x80u) != 0 ? -1.0f : 1.0f;
  if (size > format.greatest_bits)
    return kind == __NV_E5M2 && size == 0x7c ? sign * __builtin_huge_valf() : __builtin_nanf("");
  const int field = static_cast<int>(size >> format.mantissa_bits);
  const int mantissa = static_cast<int>(size & ((1u << format.mantissa_bits) - 1));
  const int whole = field == 0 ? mantissa : mantissa + (1 << format.mantissa_bits);
  return sign *
         static_cast<float>(ldexp(whole, (field == 0 ? 1 : field) - format.bias - format.mantissa_bits));
}

}  // namespace cuemu::detail

/// \name Conversions of bit patterns
/// @{
inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                 const __nv_fp8_interpretation_t kind) {
  if (x != x && kind == __NV_E5M2) return 0x7e;  // only this conversion has another NaN
  return cuemu::detail::encode_float8(x, saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                const __nv_fp8_interpretation_t kind) {
  return cuemu::detail::encode_float8(static_cast<double>(x), saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                                                  const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(static_cast<float>(__half(x)), saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x,
                                                      const __nv_saturation_t saturate,
                                                      const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(static_cast<float>(__nv_bfloat16(x)), saturate, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t saturate,
                                                     const __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(x.y, saturate, kind) << 8 |
                                           __nv_cvt_float_to_fp8(x.x, saturate, kind));
}
inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x, const __nv_saturation_t saturate,
                                                      const __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_fp8(x.y, saturate, kind) << 8 |
                                           __nv_cvt_double_to_fp8(x.x, saturate, kind));
}
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw x, const __nv_saturation_t saturate,
                                                       const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(
      float2{static_cast<float>(__half(__half_raw{x.x})), static_cast<float>(__half(__half_raw{x.y}))},
      saturate, kind);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind) {
  return __half_raw(__half(cuemu::detail::decode_float8(x, kind)));
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                              const __nv_fp8_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), kind).x,
                     __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), kind).x};
}
/// @}

namespace cuemu::detail {

/// One number. Conversions from wider types saturate, as CUDA's constructors do.
template <__nv_fp8_interpretation_t Kind>
struct Float8 {
  __nv_fp8_storage_t __x;

  Float8() = default;
  explicit Float8(const float x) : __x(encode_float8(static_cast<double>(x), __NV_SATFINITE, Kind)) {}
  explicit Float8(const double x) : __x(encode_float8(x, __NV_SATFINITE, Kind)) {}
  explicit Float8(const __half x) : Float8(static_cast<float>(x)) {}
  explicit Float8(const __nv_bfloat16 x) : Float8(static_cast<float>(x)) {}
  explicit Float8(const short x) : Float8(static_cast<double>(x)) {}
  explicit Float8(const unsigned short x) : Float8(static_cast<double>(x)) {}
  explicit Float8(const int x) : Float8(static_cast<double>(x)) {}
  explicit Float8(const unsigned int x) : Float8(static_cast<double>(x)) {}
  explicit Float8(const long x) : Float8(static_cast<double>(x)) {}
  explicit Float8(const unsigned long x) : Float8(static_cast<double>(x)) {}
  explicit Float8(const long long x) : Float8(static_cast<double>(x)) {}
  explicit Float8(const unsigned long long x) : Float8(static_cast<double>(x)) {}

  explicit operator float() const { return decode_float8(__x, Kind); }
  explicit operator double() const { return static_cast<double>(decode_float8(__x, Kind)); }
  explicit operator __half() const { return __half(decode_float8(__x, Kind)); }
  explicit operator __nv_bfloat16() const { return __nv_bfloat16(decode_float8(__x, Kind)); }
  explicit operator int() const { return static_cast<int>(decode_float8(__x, Kind)); }
  explicit operator bool() const { return (__x & 0x7fu) != 0; }
};

template <__nv_fp8_interpretation_t Kind>
struct Float8x2 {
  __nv_fp8x2_storage_t __x;

  Float8x2() = default;
  explicit Float8x2(const float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, Kind)) {}
  explicit Float8x2(const double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, Kind)) {}
  explicit Float8x2(const __half2 x) : __x(__nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, Kind)) {}

  explicit operator float2() const {
    return float2{decode_float8(static_cast<__nv_fp8_storage_t>(__x), Kind),
                  decode_float8(static_cast<__nv_fp8_storage_t>(__x >> 8), Kind)};
  }
  explicit operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, Kind)); }
};

template <__nv_fp8_interpretation_t Kind>
struct Float8x4 {
  __nv_fp8x4_storage_t __x;

  Float8x4() = default;
  explicit Float8x4(const float4 x)
      : __x(static_cast<unsigned>(Float8x2<Kind>(float2{x.z, x.w}).__x) << 16 |
            Float8x2<Kind>(float2{x.x, x.y}).__x) {}

  explicit operator float4() const {
    Float8x2<Kind> low, high;
    low.__x = static_cast<__nv_fp8x2_storage_t>(__x);
    high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);
    const float2 a = static_cast<float2>(low), b = static_cast<float2>(high);
    return float4{a.x, a.y, b.x, b.y};
  }
};

}  // namespace cuemu::detail

typedef cuemu::detail::Float8<__NV_E4M3> __nv_fp8_e4m3;
typedef cuemu::detail::Float8<__NV_E5M2> __nv_fp8_e5m2;
typedef cuemu::detail::Float8x2<__NV_E4M3> __nv_fp8x2_e4m3;
typedef cuemu::detail::Float8x2<__NV_E5M2> __nv_fp8x2_e5m2;
typedef cuemu::detail::Float8x4<__NV_E4M3> __nv_fp8x4_e4m3;
typedef cuemu::detail::Float8x4<__NV_E5M2> __nv_fp8x4_e5m2;

#include "cuemu/pop_macros.hpp"
