// Arithmetic of device code with the rounding mode in the name: __fadd_rz(a, b), ….
//
// The functions with directed rounding set the processor's rounding mode for one operation. Operands and result pass
// through volatile variables, so that the compiler neither folds the operation nor moves it out of the lines where
// the mode is set.
#pragma once

#include <math.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <fenv.h>
#endif

#include "cuemu/convert.hpp"

namespace cuemu::detail {

/// Sets the processor's rounding mode for its lifetime.
class RoundingScope {
 public:
#if defined(__x86_64__)
  explicit RoundingScope(const Rounding mode) : saved_(__builtin_ia32_stmxcsr()) {
    constexpr unsigned int codes[] = {0, 3, 2, 1};  // in the order of Rounding; bits 13 and 14 of MXCSR
    load((saved_ & ~0x6000u) | codes[static_cast<int>(mode)] << 13);
  }
  ~RoundingScope() {
    load(saved_);
  }

 private:
  static void load(const unsigned int control) {
    asm volatile("ldmxcsr %0" : : "m"(control) : "memory");
  }
  unsigned int saved_;
#elif defined(__aarch64__)
  explicit RoundingScope(const Rounding mode) {
    asm volatile("mrs %0, fpcr" : "=r"(saved_));
    constexpr unsigned long codes[] = {0, 3, 1, 2};  // in the order of Rounding; bits 22 and 23 of FPCR
    load((saved_ & ~0xc00000ul) | codes[static_cast<int>(mode)] << 22);
  }
  ~RoundingScope() {
    load(saved_);
  }

 private:
  static void load(const unsigned long control) {
    asm volatile("msr fpcr, %0" : : "r"(control) : "memory");
  }
  unsigned long saved_;
#else
  explicit RoundingScope(const Rounding mode) : saved_(fegetround()) {
    constexpr int codes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    fesetround(codes[static_cast<int>(mode)]);
  }
  ~RoundingScope() {
    fesetround(saved_);
  }

 private:
  int saved_;
#endif
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;
};

struct Add {
  template <typename Real>
  static Real apply(const Real a, const Real b) {
    return a + b;
  }
};
struct Subtract {
  template <typename Real>
  static Real apply(const Real a, const Real b) {
    return a - b;
  }
};
struct Multiply {
  template <typename Real>
  static Real apply(const Real a, const Real b) {
    return a * b;
  }
};
struct Divide {
  template <typename Real>
  static Real apply(const Real a, const Real b) {
    return a / b;
  }
};
struct Reciprocal {
  template <typename Real>
  static Real apply(const Real a) {
    return Real(1) / a;
  }
};
struct SquareRoot {
  static float apply(const float a) { return sqrtf(a); }
  static double apply(const double a) { return sqrt(a); }
};
struct MultiplyAdd {
  static float apply(const float a, const float b, const float c) { return fmaf(a, b, c); }
  static double apply(const double a, const double b, const double c) { return fma(a, b, c); }
};

/// Returns a result that the compiler must not merge with the operation that uses it, as it may merge a product and a
/// sum into one fma.
template <typename Real>
inline Real kept_apart(const Real x) {
#if defined(__GNUC__) && !defined(__clang__)
  return __builtin_assoc_barrier(x);
#else
  return x;
#endif
}

template <typename Operation, Rounding Mode, typename Real>
inline Real rounded(const Real a) {
  if constexpr (Mode == Rounding::nearest) return kept_apart(Operation::apply(a));
  const volatile Real va = a;
  const RoundingScope scope(Mode);
  const volatile Real result = Operation::apply(static_cast<Real>(va));
  return result;
}
template <typename Operation, Rounding Mode, typename Real>
inline Real rounded(const Real a, const Real b) {
  if constexpr (Mode == Rounding::nearest) return kept_apart(Operation::apply(a, b));
  const volatile Real va = a, vb = b;
  const RoundingScope scope(Mode);
  const volatile Real result = Operation::apply(static_cast<Real>(va), static_cast<Real>(vb));
  return result;
}
template <typename Operation, Rounding Mode, typename Real>
inline Real rounded(const Real a, const Real b, const Real c) {
  if constexpr (Mode == Rounding::nearest) return Operation::apply(a, b, c);
  const volatile Real va = a, vb = b, vc = c;
  const RoundingScope scope(Mode);
  const volatile Real result =
      Operation::apply(static_cast<Real>(va), static_cast<Real>(vb), static_cast<Real>(vc));
  return result;
}

}  // namespace cuemu::detail

#define CUEMU_ROUNDED_1(NAME, REAL, OPERATION, MODE)                                           \
  CUEMU_ON_CALL inline REAL NAME(const REAL a) {                                               \
    return cuemu::detail::rounded<cuemu::detail::OPERATION, cuemu::detail::Rounding::MODE>(a); \
  }
#define CUEMU_ROUNDED_2(NAME, REAL, OPERATION, MODE)                                              \
  CUEMU_ON_CALL inline REAL NAME(const REAL a, const REAL b) {                                    \
    return cuemu::detail::rounded<cuemu::detail::OPERATION, cuemu::detail::Rounding::MODE>(a, b); \
  }
#define CUEMU_ROUNDED_3(NAME, REAL, OPERATION, MODE)                                                 \
  CUEMU_ON_CALL inline REAL NAME(const REAL a, const REAL b, const REAL c) {                         \
    return cuemu::detail::rounded<cuemu::detail::OPERATION, cuemu::detail::Rounding::MODE>(a, b, c); \
  }
/// Defines a function for each of the four rounding modes.
#define CUEMU_ROUNDED(DEFINE, NAME, REAL, OPERATION) \
  DEFINE(NAME##_rn, REAL, OPERATION, nearest)        \
  DEFINE(NAME##_rz, REAL, OPERATION, zero)           \
  DEFINE(NAME##_ru, REAL, OPERATION, up)             \
  DEFINE(NAME##_rd, REAL, OPERATION, down)

CUEMU_ROUNDED(CUEMU_ROUNDED_2, __fadd, float, Add)
CUEMU_ROUNDED(CUEMU_ROUNDED_2, __fsub, float, Subtract)
CUEMU_ROUNDED(CUEMU_ROUNDED_2, __fmul, float, Multiply)
CUEMU_ROUNDED(CUEMU_ROUNDED_2, __fdiv, float, Divide)
CUEMU_ROUNDED(CUEMU_ROUNDED_1, __frcp, float, Reciprocal)
CUEMU_ROUNDED(CUEMU_ROUNDED_1, __fsqrt, float, SquareRoot)
CUEMU_ROUNDED(CUEMU_ROUNDED_3, __fmaf, float, MultiplyAdd)
CUEMU_ROUNDED(CUEMU_ROUNDED_3, __fmaf_ieee, float, MultiplyAdd)
CUEMU_ROUNDED(CUEMU_ROUNDED_2, __dadd, double, Add)
CUEMU_ROUNDED(CUEMU_ROUNDED_2, __dsub, double, Subtract)
CUEMU_ROUNDED(CUEMU_ROUNDED_2, __dmul, double, Multiply)
CUEMU_ROUNDED(CUEMU_ROUNDED_2, __ddiv, double, Divide)
CUEMU_ROUNDED(CUEMU_ROUNDED_1, __drcp, double, Reciprocal)
CUEMU_ROUNDED(CUEMU_ROUNDED_1, __dsqrt, double, SquareRoot)
CUEMU_ROUNDED(CUEMU_ROUNDED_3, __fma, double, MultiplyAdd)

#undef CUEMU_ROUNDED
#undef CUEMU_ROUNDED_1
#undef CUEMU_ROUNDED_2
#undef CUEMU_ROUNDED_3

/// 1/√x, rounded once. The error of the quotient in double is far smaller than half a unit in a float's last place.
inline float __frsqrt_rn(const float x) {
  return static_cast<float>(1.0 / sqrt(static_cast<double>(x)));
}
