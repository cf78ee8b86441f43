// Special functions that CUDA has and math.h lacks: inverse error functions, normal distribution, scaled erfc, modified
// Bessel functions. They are accurate to a few units in the last place, as tests check, but not fast.
#pragma once

#include <math.h>

namespace cuemu::special {

constexpr double kInfinity = __builtin_huge_val();
constexpr double kPi = 3.14159265358979323846;
constexpr double kSqrtPi = 1.77245385090551602730;
constexpr double kSqrtTwo = 1.41421356237309504880;
constexpr double kSqrtHalfHigh = 0.70710678118654752440;  // 1/√2 as a sum of two doubles
constexpr double kSqrtHalfLow = -4.8336466567264567e-17;

/// Approximates erf⁻¹ or erfc⁻¹ to about three digits, from the tail probability's logarithm (Winitzki's formula).
inline double inverse_erf_guess(const double one_minus_square) {
  const double l = log(one_minus_square);
  const double t = 2 / (kPi * 0.147) + l / 2;
  return sqrt(sqrt(t * t - l / 0.147) - t);
}

/// Returns erf⁻¹(y), the x with erf(x) = y, for −1 < y < 1; ±∞ at ±1, NaN beyond.
double erfcinv(double y);
inline double erfinv(const double y) {
  const double size = fabs(y);
  if (!(size < 1)) return size == 1 ? copysign(kInfinity, y) : __builtin_nan("");
  if (size < 1e-8) return y * (kSqrtPi / 2);  // the next term, y³/12, is below the rounding error
  if (size > 0.5) return copysign(erfcinv(1 - size), y);
  double x = inverse_erf_guess(1 - size * size);
  for (int step = 0; step < 3; ++step) {  // Newton's method with the second-order term converges cubically
    const double correction = (erf(x) - size) * (kSqrtPi / 2) * exp(x * x);
    x -= correction / (1 + x * correction);
  }
  return copysign(x, y);
}

/// Returns erfc⁻¹(y), the x with erfc(x) = y, for 0 < y < 2; ∞ at 0, −∞ at 2, NaN beyond.
inline double erfcinv(const double y) {
  if (!(y > 0 && y < 2)) return y == 0 ? kInfinity : y == 2 ? -kInfinity : __builtin_nan("");
  if (y > 1.5) return -erfcinv(2 - y);
  if (y > 0.5) return erfinv(1 - y);
  double x = inverse_erf_guess(y * (2 - y));
  for (int step = 0; step < 4; ++step) {
    const double correction = (erfc(x) / y - 1) * y * (kSqrtPi / 2) * exp(x * x);
    x += correction / (1 - x * correction);
  }
  return x;
}

/// exp(x²)·erfc(x).
inline double erfcx(const double x) {
  if (x < 8) {
    const double square = x * x;
    const double rest = fma(x, x, -square);
    const double scale = exp(square);
    return scale == kInfinity ? kInfinity : (scale + scale * rest) * erfc(x);
  }
  // The asymptotic series is Σ (−1)ⁿ (2n−1)!! / (2x²)ⁿ over x√π. Beyond 10⁸ its first term alone is exact.
  const double step = x > 1e8 ? 0 : 0.5 / (x * x);
  double term = 1, sum = 1;
  for (int n = 1; n < 24; ++n) {
    const double next = -term * (2 * n - 1) * step;
    if (!(fabs(next) < fabs(term)) || fabs(next) < 1e-18) break;
    term = next;
    sum += term;
  }
  return sum / (x * kSqrtPi);
}

/// Cumulative standard normal distribution, erfc(−x/√2)/2.
inline double normcdf(const double x) {
  if (fabs(x) > 40) return x > 0 ? 1 : 0;
  // erfc is steep in the tail, so the argument's rounding error is compensated with the derivative.
  const double t = -x * kSqrtHalfHigh;
  const double lost = fma(-x, kSqrtHalfHigh, -t) - x * kSqrtHalfLow;
  return 0.5 * (erfc(t) - 2 / kSqrtPi * exp(-t * t) * lost);
}

/// Returns the inverse of normcdf, for 0 < p < 1; ∓∞ at 0 and 1.
inline double normcdfinv(const double p) {
  return p > 0.75 ? kSqrtTwo * erfcinv(2 * (1 - p)) : -kSqrtTwo * erfcinv(2 * p);
}

/// Returns the modified Bessel function of the first kind, of order 0 or 1.
template <int Order>
inline auto bessel_i(const double x) {
  const double size = fabs(x);
  double term = 1, sum = 1;
  if (size < 18) {  // power series: all terms are positive, but their rounding errors add up
    const double quarter = size * size / 4;
    for (int k = 1; term > 1e-18 * sum; ++k) {
      term *= quarter / (static_cast<double>(k) * (k + Order));
      sum += term;
    }
    return Order == 0 ? sum : x / 2 * sum;
  }
  for (int k = 1; k < 40 && fabs(term) > 1e-18; ++k) {  // asymptotic series in 1/8x
    const double odd = 2 * k - 1;
    term *= (odd * odd - 4.0 * Order * Order) / (8 * size * k);
    sum += term;
  }
  const double root = exp(size / 2);  // in two factors, since e^x alone overflows earlier than the result
  const double value = root / sqrt(2 * kPi * size) * sum * root;
  return Order == 1 && x < 0 ? -value : value;
}

/// Returns 1/∛x: the quotient, with one step of Newton's method for its last bits.
inline double rcbrt(const double x) {
  const double y = 1 / cbrt(x);
  if (y == 0 || !(fabs(y) < kInfinity)) return y;
  return y + y * fma(-y * y, x * y, 1.0) / 3;
}

/// Computes sin(πr) and cos(πr). They are exact at multiples of a half, because the argument is reduced before it is
/// multiplied by π.
inline void sincospi(const double x, double* sine, double* cosine) {
  const double r = x - 2 * rint(x / 2);  // [−1, 1], exact
  const double half_turns = rint(2 * r);
  const double t = kPi * (r - half_turns / 2);  // [−π/4, π/4]
  const double s = sin(t), c = cos(t);
  switch (isfinite(x) ? static_cast<int>(half_turns) & 3 : 4) {
    case 0:
      *sine = s, *cosine = c;
      break;
    case 1:
      *sine = c, *cosine = -s;
      break;
    case 2:
      *sine = -s, *cosine = -c;
      break;
    case 3:
      *sine = -c, *cosine = s;
      break;
    default:
      *sine = *cosine = __builtin_nan("");
  }
  if (*sine == 0) *sine = copysign(0.0, x);  // sinpi(n) has the sign of n, cospi(n + ½) is +0
  if (*cosine == 0) *cosine = 0.0;
}
inline double sinpi(const double x) {
  double sine, cosine;
  sincospi(x, &sine, &cosine);
  return sine;
}
inline double cospi(const double x) {
  double sine, cosine;
  sincospi(x, &sine, &cosine);
  return cosine;
}

/// Returns √(Σ pᵢ²); the squares neither overflow nor underflow.
inline double norm(const double* p, const int count) {
  double largest = 0;
  bool infinite = false;
  for (int i = 0; i < count; ++i) {
    infinite = infinite || isinf(p[i]);
    if (!(fabs(p[i]) <= largest)) largest = fabs(p[i]);  // keeps a NaN
  }
  if (infinite) return kInfinity;
  if (!(largest > 0)) return largest;
  int exponent;
  frexp(largest, &exponent);
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const double scaled = ldexp(p[i], -exponent);
    sum = fma(scaled, scaled, sum);
  }
  return ldexp(sqrt(sum), exponent);
}

}  // namespace cuemu::special
