// Complex numbers as float2 and double2, with functions for their arithmetic.
#pragma once
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/// Defines the functions for one precision. The parameters are the suffix of the names, the complex type, the type of
/// its parts, and the host's functions for this type. Quotients and absolute values scale their operands, so that
/// squares neither overflow nor underflow.
#define CUEMU_COMPLEX(SUFFIX, TYPE, REAL, MAKE, FABS, HYPOT)                       \
  static inline REAL cuCreal##SUFFIX(TYPE x) {                                     \
    return x.x;                                                                    \
  }                                                                                \
  static inline REAL cuCimag##SUFFIX(TYPE x) {                                     \
    return x.y;                                                                    \
  }                                                                                \
  static inline TYPE MAKE(REAL r, REAL i) {                                        \
    TYPE result;                                                                   \
    result.x = r;                                                                  \
    result.y = i;                                                                  \
    return result;                                                                 \
  }                                                                                \
  static inline TYPE cuConj##SUFFIX(TYPE x) {                                      \
    return MAKE(x.x, -x.y);                                                        \
  }                                                                                \
  static inline TYPE cuCadd##SUFFIX(TYPE x, TYPE y) {                              \
    return MAKE(x.x + y.x, x.y + y.y);                                             \
  }                                                                                \
  static inline TYPE cuCsub##SUFFIX(TYPE x, TYPE y) {                              \
    return MAKE(x.x - y.x, x.y - y.y);                                             \
  }                                                                                \
  static inline TYPE cuCmul##SUFFIX(TYPE x, TYPE y) {                              \
    return MAKE(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                     \
  }                                                                                \
  static inline TYPE cuCdiv##SUFFIX(TYPE x, TYPE y) {                              \
    const REAL scale = 1 / (FABS(y.x) + FABS(y.y));                                \
    const REAL a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale; \
    const REAL norm = 1 / (c * c + d * d);                                         \
    return MAKE((a * c + b * d) * norm, (b * c - a * d) * norm);                   \
  }                                                                                \
  static inline REAL cuCabs##SUFFIX(TYPE x) {                                      \
    return HYPOT(x.x, x.y);                                                        \
  }                                                                                \
  static inline TYPE cuCfma##SUFFIX(TYPE x, TYPE y, TYPE d) {                      \
    return cuCadd##SUFFIX(cuCmul##SUFFIX(x, y), d);                                \
  }
CUEMU_COMPLEX(f, cuFloatComplex, float, make_cuFloatComplex, fabsf, hypotf)
CUEMU_COMPLEX(, cuDoubleComplex, double, make_cuDoubleComplex, fabs, hypot)
#undef CUEMU_COMPLEX

static inline cuComplex make_cuComplex(float x, float y) {
  return make_cuFloatComplex(x, y);
}
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
  return make_cuDoubleComplex((double)x.x, (double)x.y);
}
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return make_cuFloatComplex((float)x.x, (float)x.y);
}
