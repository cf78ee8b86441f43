// Arithmetic on the bytes (4) or halfwords (2) packed in a 32-bit word: __vadd4, __vsub2, …, and the
// dynamic-programming operations (__viaddmax_s32 …). In names, s means signed, u unsigned, and ss and us with
// saturation.
#pragma once

#include "cuemu/bits.hpp"

namespace cuemu::detail {

/// The smallest and the largest value of an 8- or 16-bit type.
template <typename Part>
constexpr int kLowest = static_cast<Part>(-1) < 0 ? -(1 << (8 * sizeof(Part) - 1)) : 0;
template <typename Part>
constexpr int kHighest = static_cast<Part>(-1) < 0 ? (1 << (8 * sizeof(Part) - 1)) - 1
                                                   : (1 << 8 * sizeof(Part)) - 1;

template <typename Part>
constexpr int saturated(const int x) {
  return x < kLowest<Part> ? kLowest<Part> : x > kHighest<Part> ? kHighest<Part> : x;
}

constexpr int magnitude(const int x) {
  return x < 0 ? -x : x;
}

/// Applies operation(part of a, part of b) to each part, and keeps the low bits of each result.
template <typename Part, typename Operation>
constexpr auto each_part(const unsigned int a, const unsigned int b, const Operation operation) {
  constexpr unsigned int bits = 8 * sizeof(Part), ones = (1u << bits) - 1u;
  unsigned int result = 0;
  for (unsigned int at = 0; at < 32; at += bits) {
    const int pa = static_cast<Part>(a >> at & ones), pb = static_cast<Part>(b >> at & ones);
    result |= (static_cast<unsigned int>(operation(pa, pb)) & ones) << at;
  }
  return result;
}

/// Returns the sum of operation(part of a, part of b).
template <typename Part, typename Operation>
constexpr unsigned int sum_of_parts(const unsigned int a, const unsigned int b, const Operation operation) {
  constexpr unsigned int bits = 8 * sizeof(Part), ones = (1u << bits) - 1u;
  unsigned int sum = 0;
  for (unsigned int at = 0; at < 32; at += bits) {
    sum += static_cast<unsigned int>(
        operation(static_cast<Part>(a >> at & ones), static_cast<Part>(b >> at & ones)));
  }
  return sum;
}

}  // namespace cuemu::detail

/// Defines a function of one or two packed words, for bytes and for halfwords. In EXPRESSION, a and b are two
/// corresponding parts, converted to int.
#define CUEMU_PACKED_1(NAME, COUNT, PART, EXPRESSION)                                             \
  CUEMU_ON_CALL constexpr unsigned int NAME##COUNT(const unsigned int words) {                    \
    return cuemu::detail::each_part<PART>(words, 0, [](const int a, int) { return EXPRESSION; }); \
  }
#define CUEMU_PACKED_2(NAME, COUNT, PART, EXPRESSION)                                                 \
  CUEMU_ON_CALL constexpr unsigned int NAME##COUNT(const unsigned int x, const unsigned int y) {      \
    return cuemu::detail::each_part<PART>(x, y, [](const int a, const int b) { return EXPRESSION; }); \
  }
#define CUEMU_SIGNED_1(NAME, EXPRESSION)           \
  CUEMU_PACKED_1(NAME, 4, signed char, EXPRESSION) \
  CUEMU_PACKED_1(NAME, 2, short, EXPRESSION)
#define CUEMU_SIGNED_2(NAME, EXPRESSION)           \
  CUEMU_PACKED_2(NAME, 4, signed char, EXPRESSION) \
  CUEMU_PACKED_2(NAME, 2, short, EXPRESSION)
#define CUEMU_UNSIGNED_2(NAME, EXPRESSION)           \
  CUEMU_PACKED_2(NAME, 4, unsigned char, EXPRESSION) \
  CUEMU_PACKED_2(NAME, 2, unsigned short, EXPRESSION)
/// Defines functions that need the limits of the part's type.
#define CUEMU_SATURATED(NAME, BYTE, HALFWORD, EXPRESSION)                   \
  CUEMU_PACKED_2(NAME, 4, BYTE, cuemu::detail::saturated<BYTE>(EXPRESSION)) \
  CUEMU_PACKED_2(NAME, 2, HALFWORD, cuemu::detail::saturated<HALFWORD>(EXPRESSION))

CUEMU_UNSIGNED_2(__vadd, a + b)
CUEMU_UNSIGNED_2(__vsub, a - b)
CUEMU_SATURATED(__vaddss, signed char, short, a + b)
CUEMU_SATURATED(__vaddus, unsigned char, unsigned short, a + b)
CUEMU_SATURATED(__vsubss, signed char, short, a - b)
CUEMU_SATURATED(__vsubus, unsigned char, unsigned short, a - b)
CUEMU_SIGNED_1(__vneg, -a)
CUEMU_SIGNED_1(__vabs, cuemu::detail::magnitude(a))
CUEMU_PACKED_1(__vnegss, 4, signed char, cuemu::detail::saturated<signed char>(-a))
CUEMU_PACKED_1(__vnegss, 2, short, cuemu::detail::saturated<short>(-a))
CUEMU_PACKED_1(__vabsss, 4, signed char, cuemu::detail::saturated<signed char>(cuemu::detail::magnitude(a)))
CUEMU_PACKED_1(__vabsss, 2, short, cuemu::detail::saturated<short>(cuemu::detail::magnitude(a)))
CUEMU_SIGNED_2(__vabsdiffs, cuemu::detail::magnitude(a - b))
CUEMU_UNSIGNED_2(__vabsdiffu, cuemu::detail::magnitude(a - b))
CUEMU_SIGNED_2(__vmaxs, a > b ? a : b)
CUEMU_SIGNED_2(__vmins, a < b ? a : b)
CUEMU_UNSIGNED_2(__vmaxu, a > b ? a : b)
CUEMU_UNSIGNED_2(__vminu, a < b ? a : b)
// Averages. The signed average rounds halves away from zero; the unsigned averages round up (avg) or down (hadd).
CUEMU_SIGNED_2(__vavgs, (a + b + (a + b >= 0 ? 1 : 0)) >> 1)
CUEMU_UNSIGNED_2(__vavgu, (a + b + 1) >> 1)
CUEMU_UNSIGNED_2(__vhaddu, (a + b) >> 1)

/// Defines one comparison. If it is true, cmp sets all bits of a part, and set makes the part 1.
#define CUEMU_COMPARE_PARTS(KIND, NAME, CONDITION) \
  CUEMU_##KIND##_2(__vcmp##NAME, (CONDITION) ? -1 : 0) CUEMU_##KIND##_2(__vset##NAME, (CONDITION) ? 1 : 0)
CUEMU_COMPARE_PARTS(UNSIGNED, eq, a == b)
CUEMU_COMPARE_PARTS(UNSIGNED, ne, a != b)
CUEMU_COMPARE_PARTS(SIGNED, ges, a >= b)
CUEMU_COMPARE_PARTS(SIGNED, gts, a > b)
CUEMU_COMPARE_PARTS(SIGNED, les, a <= b)
CUEMU_COMPARE_PARTS(SIGNED, lts, a < b)
CUEMU_COMPARE_PARTS(UNSIGNED, geu, a >= b)
CUEMU_COMPARE_PARTS(UNSIGNED, gtu, a > b)
CUEMU_COMPARE_PARTS(UNSIGNED, leu, a <= b)
CUEMU_COMPARE_PARTS(UNSIGNED, ltu, a < b)
#undef CUEMU_COMPARE_PARTS

/// Sums of absolute differences.
#define CUEMU_SUM_OF_DIFFERENCES(NAME, PART)                                              \
  CUEMU_ON_CALL constexpr unsigned int NAME(const unsigned int x, const unsigned int y) { \
    return cuemu::detail::sum_of_parts<PART>(                                             \
        x, y, [](const int a, const int b) { return cuemu::detail::magnitude(a - b); });  \
  }
CUEMU_SUM_OF_DIFFERENCES(__vsads4, signed char)
CUEMU_SUM_OF_DIFFERENCES(__vsads2, short)
CUEMU_SUM_OF_DIFFERENCES(__vsadu4, unsigned char)
CUEMU_SUM_OF_DIFFERENCES(__vsadu2, unsigned short)
#undef CUEMU_SUM_OF_DIFFERENCES
#undef CUEMU_SATURATED
#undef CUEMU_UNSIGNED_2
#undef CUEMU_SIGNED_2
#undef CUEMU_SIGNED_1
#undef CUEMU_PACKED_1

// Maximum and minimum of three values (i…3), of a sum and a value (iadd…), and of two values with a flag that shows
// which value was chosen (ib…). Each also exists with 0 as a lower limit (relu). All are for 32-bit integers and for
// pairs of 16-bit integers.
namespace cuemu::detail {
template <typename Integer>
constexpr Integer greater_of(const Integer a, const Integer b) {
  return a > b ? a : b;
}
template <typename Integer>
constexpr Integer smaller_of(const Integer a, const Integer b) {
  return a < b ? a : b;
}
constexpr int wrapped_sum(const int a, const int b) {
  return static_cast<int>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b));
}
constexpr unsigned int wrapped_sum(const unsigned int a, const unsigned int b) {
  return a + b;
}
}  // namespace cuemu::detail

#define CUEMU_EXTREME(WHICH, PICK, SUFFIX, TYPE, PAIR)                                                   \
  CUEMU_ON_CALL constexpr TYPE __vi##WHICH##3_##SUFFIX##32(const TYPE a, const TYPE b, const TYPE c) {   \
    return cuemu::detail::PICK(cuemu::detail::PICK(a, b), c);                                            \
  }                                                                                                      \
  CUEMU_ON_CALL constexpr TYPE __viadd##WHICH##_##SUFFIX##32(const TYPE a, const TYPE b, const TYPE c) { \
    return cuemu::detail::PICK(cuemu::detail::wrapped_sum(a, b), c);                                     \
  }                                                                                                      \
  CUEMU_ON_CALL inline TYPE __vib##WHICH##_##SUFFIX##32(const TYPE a, const TYPE b, bool* const first) { \
    const TYPE result = cuemu::detail::PICK(a, b);                                                       \
    *first = result == a;                                                                                \
    return result;                                                                                       \
  }                                                                                                      \
  CUEMU_ON_CALL constexpr unsigned int __vi##WHICH##3_##SUFFIX##16x2(                                    \
      const unsigned int a, const unsigned int b, const unsigned int c) {                                \
    return PAIR##2(PAIR##2(a, b), c);                                                                    \
  }                                                                                                      \
  CUEMU_ON_CALL constexpr unsigned int __viadd##WHICH##_##SUFFIX##16x2(                                  \
      const unsigned int a, const unsigned int b, const unsigned int c) {                                \
    return PAIR##2(__vadd2(a, b), c);                                                                    \
  }                                                                                                      \
  CUEMU_ON_CALL inline unsigned int __vib##WHICH##_##SUFFIX##16x2(                                       \
      const unsigned int a, const unsigned int b, bool* const first_high, bool* const first_low) {       \
    const unsigned int result = PAIR##2(a, b);                                                           \
    *first_high = result >> 16 == a >> 16;                                                               \
    *first_low = (result & 0xffffu) == (a & 0xffffu);                                                    \
    return result;                                                                                       \
  }
CUEMU_EXTREME(max, greater_of, s, int, __vmaxs)
CUEMU_EXTREME(min, smaller_of, s, int, __vmins)
CUEMU_EXTREME(max, greater_of, u, unsigned int, __vmaxu)
CUEMU_EXTREME(min, smaller_of, u, unsigned int, __vminu)
#undef CUEMU_EXTREME

#define CUEMU_RELU(WHICH, PICK)                                                                              \
  CUEMU_ON_CALL constexpr int __vi##WHICH##_s32_relu(const int a, const int b) {                             \
    return cuemu::detail::greater_of(cuemu::detail::PICK(a, b), 0);                                          \
  }                                                                                                          \
  CUEMU_ON_CALL constexpr int __vi##WHICH##3_s32_relu(const int a, const int b, const int c) {               \
    return cuemu::detail::greater_of(__vi##WHICH##3_s32(a, b, c), 0);                                        \
  }                                                                                                          \
  CUEMU_ON_CALL constexpr int __viadd##WHICH##_s32_relu(const int a, const int b, const int c) {             \
    return cuemu::detail::greater_of(__viadd##WHICH##_s32(a, b, c), 0);                                      \
  }                                                                                                          \
  CUEMU_ON_CALL constexpr unsigned int __vi##WHICH##_s16x2_relu(const unsigned int a,                        \
                                                                const unsigned int b) {                      \
    return __vmaxs2(__v##WHICH##s2(a, b), 0);                                                                \
  }                                                                                                          \
  CUEMU_ON_CALL constexpr unsigned int __vi##WHICH##3_s16x2_relu(const unsigned int a, const unsigned int b, \
                                                                 const unsigned int c) {                     \
    return __vmaxs2(__vi##WHICH##3_s16x2(a, b, c), 0);                                                       \
  }                                                                                                          \
  CUEMU_ON_CALL constexpr unsigned int __viadd##WHICH##_s16x2_relu(                                          \
      const unsigned int a, const unsigned int b, const unsigned int c) {                                    \
    return __vmaxs2(__viadd##WHICH##_s16x2(a, b, c), 0);                                                     \
  }
CUEMU_RELU(max, greater_of)
CUEMU_RELU(min, smaller_of)
#undef CUEMU_RELU
#undef CUEMU_PACKED_2
