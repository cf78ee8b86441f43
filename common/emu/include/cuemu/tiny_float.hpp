// The 16-bit floating-point formats: encoding, decoding and arithmetic on their bit patterns.
//
// Arithmetic uses a wider type, in which results are exact or so accurate that a second rounding gives the number
// nearest to the exact result (for fma, see odd_fma).
#pragma once

#include <math.h>

#include "cuemu/bits.hpp"
#include "cuemu/convert.hpp"

namespace cuemu {

/// IEEE 754 binary16. A float is wide enough for its arithmetic: 24 ≥ 2·11 + 2 bits, and results are never denormal in
/// float.
struct Binary16 {
  using Intermediate = float;
  static constexpr int kMantissaBits = 10;
  static constexpr int kBias = 15;
};

/// bfloat16: the upper half of a float. A product of two bfloat16 values may be denormal in float, so its arithmetic
/// needs double.
struct Bfloat16 {
  using Intermediate = double;
  static constexpr int kMantissaBits = 7;
  static constexpr int kBias = 127;
};

namespace detail {

constexpr uint16_t kTinyNan = 0x7fff;  ///< the only NaN that CUDA's conversions return, in both formats

template <typename Format>
constexpr uint16_t kTinyInfinity = static_cast<uint16_t>(0x7fffu >> Format::kMantissaBits
                                                                        << Format::kMantissaBits);

/// Rounds a double, once and in the given direction, to a 16-bit format.
template <typename Format, Rounding Mode = Rounding::nearest>
inline uint16_t encode(const double x) {
  const uint64_t bits = bit_cast<uint64_t>(x);
  const auto sign = static_cast<uint16_t>(bits >> 48 & 0x8000u);
  const uint64_t magnitude = bits & 0x7fffffffffffffffull;
  constexpr uint64_t infinity = 0x7ff0000000000000ull;
  if (magnitude > infinity) return kTinyNan;
  if (magnitude == infinity) return static_cast<uint16_t>(sign | kTinyInfinity<Format>);
  if (magnitude == 0) return sign;

  // The significand's 53 bits are reduced to the bits that the format has at this exponent; denormals have fewer bits.
  constexpr int lowest_exponent = 1 - Format::kBias;
  int exponent = static_cast<int>(magnitude >> 52) - 1023;
  const uint64_t significand = (magnitude & 0xfffffffffffffull) | (exponent == -1023 ? 0 : 1ull << 52);
  int shift = 52 - Format::kMantissaBits;
  if (exponent < lowest_exponent) {
    shift += lowest_exponent - exponent;
    exponent = lowest_exponent;
    if (shift > 60) shift = 60;  // the whole value is below half of the smallest number
  }
  const uint64_t kept = significand >> shift;
  const uint64_t cut = significand & ((1ull << shift) - 1), half = 1ull << (shift - 1);
  bool away = false;  // from zero
  if constexpr (Mode == Rounding::nearest) away = cut > half || (cut == half && (kept & 1) != 0);
  if constexpr (Mode == Rounding::up) away = cut != 0 && sign == 0;
  if constexpr (Mode == Rounding::down) away = cut != 0 && sign != 0;
  // The hidden bit adds one to the exponent field; so does a carry out of the mantissa.
  const uint64_t result =
      (static_cast<uint64_t>(exponent - lowest_exponent) << Format::kMantissaBits) + kept + (away ? 1 : 0);
  if (result < kTinyInfinity<Format>) return static_cast<uint16_t>(sign | result);
  const bool to_infinity = Mode == Rounding::nearest || (Mode == Rounding::up && sign == 0) ||
                           (Mode == Rounding::down && sign != 0);
  return static_cast<uint16_t>(sign | (kTinyInfinity<Format> - (to_infinity ? 0 : 1)));
}

/// Converts a float to the nearest binary16. The result equals that of encode(); 32-bit words make it faster.
inline uint16_t encode_nearest(Binary16, const float x) {
  const uint32_t bits = bit_cast<uint32_t>(x);
  const uint32_t sign = bits >> 16 & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return kTinyNan;
  if (magnitude >= 0x47800000u) return static_cast<uint16_t>(sign | 0x7c00u);  // 2¹⁶ and above
  if (magnitude < 0x38800000u) {  // below 2⁻¹⁴: when ½ is added, the processor rounds to a multiple of 2⁻²⁴
    return static_cast<uint16_t>(sign |
                                 (bit_cast<uint32_t>(bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u));
  }
  return static_cast<uint16_t>(sign | ((magnitude + 0xfffu + (magnitude >> 13 & 1u) - (112u << 23)) >> 13));
}

/// Converts a float to the nearest bfloat16.
inline uint16_t encode_nearest(Bfloat16, const float x) {
  const uint32_t bits = bit_cast<uint32_t>(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return kTinyNan;
  return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

template <typename Format>
inline uint16_t encode_nearest(Format, const double x) {
  return encode<Format>(x);
}

inline float decode(Binary16, const uint16_t x) {
  const uint32_t sign = (x & 0x8000u) << 16, magnitude = x & 0x7fffu;
  if (magnitude > 0x7c00u) return bit_cast<float>(0x7fffffffu);
  if (magnitude < 0x0400u)
    return bit_cast<float>(bit_cast<uint32_t>(static_cast<float>(magnitude) * 0x1p-24f) | sign);
  const uint32_t rebias = magnitude == 0x7c00u ? 224u : 112u;
  return bit_cast<float>(sign | ((magnitude << 13) + (rebias << 23)));
}

inline float decode(Bfloat16, const uint16_t x) {
  return bit_cast<float>(static_cast<uint32_t>(x) << 16);
}

/// Returns a·b + c for values of a 16-bit format, as a double. If the double is inexact, its last bit is set ("rounded
/// to odd"). So it still shows on which side of a midpoint the exact value lies, and a second rounding is correct.
inline double odd_fma(const double a, const double b, const double c) {
  const double product = a * b;  // exact
  const double sum = product + c;
  const double c_part = sum - product;
  const double error = (product - (sum - c_part)) + (c - c_part);
  uint64_t bits = bit_cast<uint64_t>(sum);
  if (error == 0 || !(fabs(sum) < __builtin_huge_val()) || (bits & 1) != 0) return sum;
  bits += (error > 0) == (sum > 0) ? 1ull : ~0ull;  // one step towards the exact value: an odd pattern
  return bit_cast<double>(bits);
}

}  // namespace detail
}  // namespace cuemu
