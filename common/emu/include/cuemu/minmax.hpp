// min, max and abs of device code. CUDA declares them in the global namespace, for every pair of arithmetic types.
//
// The rules are CUDA's. If one operand is signed and the other unsigned, and both have the same size, the signed
// operand is converted. A float and a double give a double. If one operand is NaN, the result is the other operand.
#pragma once

#include <math.h>
#include <stdlib.h>

#define CUEMU_INTEGER_MIN_MAX(RESULT, A, B)                                          \
  constexpr RESULT min(const A a, const B b) {                                       \
    return static_cast<RESULT>(a) < static_cast<RESULT>(b) ? static_cast<RESULT>(a)  \
                                                           : static_cast<RESULT>(b); \
  }                                                                                  \
  constexpr RESULT max(const A a, const B b) {                                       \
    return static_cast<RESULT>(a) > static_cast<RESULT>(b) ? static_cast<RESULT>(a)  \
                                                           : static_cast<RESULT>(b); \
  }

CUEMU_INTEGER_MIN_MAX(int, int, int)
CUEMU_INTEGER_MIN_MAX(unsigned int, unsigned int, unsigned int)
CUEMU_INTEGER_MIN_MAX(unsigned int, int, unsigned int)
CUEMU_INTEGER_MIN_MAX(unsigned int, unsigned int, int)
CUEMU_INTEGER_MIN_MAX(long, long, long)
CUEMU_INTEGER_MIN_MAX(unsigned long, unsigned long, unsigned long)
CUEMU_INTEGER_MIN_MAX(unsigned long, long, unsigned long)
CUEMU_INTEGER_MIN_MAX(unsigned long, unsigned long, long)
CUEMU_INTEGER_MIN_MAX(long long, long long, long long)
CUEMU_INTEGER_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CUEMU_INTEGER_MIN_MAX(unsigned long long, long long, unsigned long long)
CUEMU_INTEGER_MIN_MAX(unsigned long long, unsigned long long, long long)

#undef CUEMU_INTEGER_MIN_MAX

namespace cuemu::detail {
// Compilers turn these functions into a comparison and a blend, whereas fmin and fmax are calls of the C library.
template <typename Real>
constexpr auto real_min(const Real a, const Real b) {
  return a < b || b != b ? a : b;
}
template <typename Real>
constexpr auto real_max(const Real a, const Real b) {
  return a > b || b != b ? a : b;
}
}  // namespace cuemu::detail

constexpr float min(const float a, const float b) {
  return cuemu::detail::real_min(a, b);
}
constexpr float max(const float a, const float b) {
  return cuemu::detail::real_max(a, b);
}
constexpr double min(const double a, const double b) {
  return cuemu::detail::real_min(a, b);
}
constexpr double max(const double a, const double b) {
  return cuemu::detail::real_max(a, b);
}
constexpr double min(const float a, const double b) {
  return min(static_cast<double>(a), b);
}
constexpr double max(const float a, const double b) {
  return max(static_cast<double>(a), b);
}
constexpr double min(const double a, const float b) {
  return min(a, static_cast<double>(b));
}
constexpr double max(const double a, const float b) {
  return max(a, static_cast<double>(b));
}

constexpr unsigned int umin(const unsigned int a, const unsigned int b) {
  return a < b ? a : b;
}
constexpr unsigned int umax(const unsigned int a, const unsigned int b) {
  return a > b ? a : b;
}
constexpr long long llmin(const long long a, const long long b) {
  return a < b ? a : b;
}
constexpr long long llmax(const long long a, const long long b) {
  return a > b ? a : b;
}
constexpr unsigned long long ullmin(const unsigned long long a, const unsigned long long b) {
  return a < b ? a : b;
}
constexpr unsigned long long ullmax(const unsigned long long a, const unsigned long long b) {
  return a > b ? a : b;
}
