// Math functions of device code: the functions of math.h and the functions that CUDA adds. They exist in double, in
// float (suffix f), and as overloads for float. As in CUDA, host code may call them, too.
#pragma once

#include <math.h>
#include <stdlib.h>

#include "cuemu/minmax.hpp"
#include "cuemu/special.hpp"

/// Defines the overload for float of a function with the name NAMEf.
#define CUEMU_FOR_FLOAT(NAME)        \
  inline float NAME(const float x) { \
    return NAME##f(x);               \
  }

// C libraries adopt some of these names (C23). If the library has a function, that function is used.
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 41)
#define CUEMU_LIBC_HAS_SINPI 1
#endif
#if __GLIBC_PREREQ(2, 42)
#define CUEMU_LIBC_HAS_RSQRT 1
#endif
#endif

#ifndef CUEMU_LIBC_HAS_RSQRT
inline double rsqrt(const double x) {
  return 1.0 / sqrt(x);
}
inline float rsqrtf(const float x) {
  return 1.0f / sqrtf(x);
}
#endif
CUEMU_FOR_FLOAT(rsqrt)

inline double rcbrt(const double x) {
  return cuemu::special::rcbrt(x);
}
inline float rcbrtf(const float x) {
  return static_cast<float>(1.0 / cbrt(static_cast<double>(x)));
}
CUEMU_FOR_FLOAT(rcbrt)

#ifndef CUEMU_LIBC_HAS_SINPI
inline double sinpi(const double x) {
  return cuemu::special::sinpi(x);
}
inline double cospi(const double x) {
  return cuemu::special::cospi(x);
}
inline float sinpif(const float x) {
  return static_cast<float>(cuemu::special::sinpi(static_cast<double>(x)));
}
inline float cospif(const float x) {
  return static_cast<float>(cuemu::special::cospi(static_cast<double>(x)));
}
#endif
CUEMU_FOR_FLOAT(sinpi)
CUEMU_FOR_FLOAT(cospi)
inline void sincospi(const double x, double* sine, double* cosine) {
  cuemu::special::sincospi(x, sine, cosine);
}
inline void sincospif(const float x, float* sine, float* cosine) {
  double s, c;
  cuemu::special::sincospi(static_cast<double>(x), &s, &c);
  *sine = static_cast<float>(s);
  *cosine = static_cast<float>(c);
}
inline void sincospi(const float x, float* sine, float* cosine) {
  sincospif(x, sine, cosine);
}

#ifndef __USE_GNU  // otherwise the GNU C library declares these functions
inline void sincos(const double x, double* sine, double* cosine) {
  *sine = sin(x), *cosine = cos(x);
}
inline void sincosf(const float x, float* sine, float* cosine) {
  *sine = sinf(x), *cosine = cosf(x);
}
inline double exp10(const double x) {
  return pow(10.0, x);
}
inline float exp10f(const float x) {
  return powf(10.0f, x);
}
#endif
inline void sincos(const float x, float* sine, float* cosine) {
  sincosf(x, sine, cosine);
}
CUEMU_FOR_FLOAT(exp10)

/// Returns 1/√(x² + y²), 1/‖(a, b, c)‖ …; the squares neither overflow nor underflow.
inline double rhypot(const double x, const double y) {
  return 1.0 / hypot(x, y);
}
inline float rhypotf(const float x, const float y) {
  return static_cast<float>(1.0 / hypot(static_cast<double>(x), static_cast<double>(y)));
}

inline double norm3d(const double a, const double b, const double c) {
  const double p[] = {a, b, c};
  return cuemu::special::norm(p, 3);
}
inline double norm4d(const double a, const double b, const double c, const double d) {
  const double p[] = {a, b, c, d};
  return cuemu::special::norm(p, 4);
}
inline double norm(const int dim, const double* p) {
  return cuemu::special::norm(p, dim);
}
inline double rnorm3d(const double a, const double b, const double c) {
  return 1.0 / norm3d(a, b, c);
}
inline double rnorm4d(const double a, const double b, const double c, const double d) {
  return 1.0 / norm4d(a, b, c, d);
}
inline double rnorm(const int dim, const double* p) {
  return 1.0 / norm(dim, p);
}

namespace cuemu::detail {
/// Returns ‖p‖ of floats, computed in double, where the squares neither overflow nor underflow.
inline double float_norm(const float* p, const int count) {
  double sum = 0;
  bool infinite = false;
  for (int i = 0; i < count; ++i) {
    infinite = infinite || isinf(p[i]);
    sum += static_cast<double>(p[i]) * static_cast<double>(p[i]);
  }
  return infinite ? __builtin_huge_val() : sqrt(sum);
}
}  // namespace cuemu::detail

inline float normf(const int dim, const float* p) {
  return static_cast<float>(cuemu::detail::float_norm(p, dim));
}
inline float rnormf(const int dim, const float* p) {
  return static_cast<float>(1.0 / cuemu::detail::float_norm(p, dim));
}
inline float norm3df(const float a, const float b, const float c) {
  const float p[] = {a, b, c};
  return normf(3, p);
}
inline float norm4df(const float a, const float b, const float c, const float d) {
  const float p[] = {a, b, c, d};
  return normf(4, p);
}
inline float rnorm3df(const float a, const float b, const float c) {
  const float p[] = {a, b, c};
  return rnormf(3, p);
}
inline float rnorm4df(const float a, const float b, const float c, const float d) {
  const float p[] = {a, b, c, d};
  return rnormf(4, p);
}

/// Defines CUDA's three forms of a function of cuemu::special: double, float with suffix f, and the overload for float.
#define CUEMU_SPECIAL(NAME)                                                  \
  inline double NAME(const double x) {                                       \
    return cuemu::special::NAME(x);                                          \
  }                                                                          \
  inline float NAME##f(const float x) {                                      \
    return static_cast<float>(cuemu::special::NAME(static_cast<double>(x))); \
  }                                                                          \
  CUEMU_FOR_FLOAT(NAME)
CUEMU_SPECIAL(erfinv)
CUEMU_SPECIAL(erfcinv)
CUEMU_SPECIAL(erfcx)
CUEMU_SPECIAL(normcdf)
CUEMU_SPECIAL(normcdfinv)
#undef CUEMU_SPECIAL

#define CUEMU_BESSEL_I(NAME, ORDER)                                                     \
  inline double NAME(const double x) {                                                  \
    return cuemu::special::bessel_i<ORDER>(x);                                          \
  }                                                                                     \
  inline float NAME##f(const float x) {                                                 \
    return static_cast<float>(cuemu::special::bessel_i<ORDER>(static_cast<double>(x))); \
  }                                                                                     \
  CUEMU_FOR_FLOAT(NAME)
CUEMU_BESSEL_I(cyl_bessel_i0, 0)
CUEMU_BESSEL_I(cyl_bessel_i1, 1)
#undef CUEMU_BESSEL_I

inline float fdividef(const float x, const float y) {
  return x / y;
}

// Overloads for float of names that C++ has only for double.
CUEMU_FOR_FLOAT(j0)
CUEMU_FOR_FLOAT(j1)
inline float jn(const int n, const float x) {
  return jnf(n, x);
}
CUEMU_FOR_FLOAT(y0)
CUEMU_FOR_FLOAT(y1)
inline float yn(const int n, const float x) {
  return ynf(n, x);
}

// Fast versions of functions. A GPU trades accuracy for speed in them; here they are exact.
#define CUEMU_FAST(NAME)                    \
  inline float __##NAME##f(const float x) { \
    return NAME##f(x);                      \
  }
CUEMU_FAST(sin)
CUEMU_FAST(cos)
CUEMU_FAST(tan)
CUEMU_FAST(tanh)
inline void __sincosf(const float x, float* sine, float* cosine) {
  sincosf(x, sine, cosine);
}
CUEMU_FAST(exp)
CUEMU_FAST(exp10)
CUEMU_FAST(log)
CUEMU_FAST(log2)
CUEMU_FAST(log10)
inline float __powf(const float x, const float y) {
  return powf(x, y);
}
#undef CUEMU_FAST
#undef CUEMU_FOR_FLOAT

/// Returns x/y; 0 for 2¹²⁶ < |y| < 2¹²⁸, as on a GPU (NaN if x is infinite).
inline float __fdividef(const float x, const float y) {
  const float size = fabsf(y);
  return size > 0x1p126f && size < __builtin_huge_valf() ? x * 0.0f : x / y;
}
/// Returns x clamped to [0, 1]; 0 for NaN.
inline float __saturatef(const float x) {
  return fminf(fmaxf(x, 0.0f), 1.0f);
}
