/// @file
/// Arithmetic that rounds in the same places on every machine, so that programs agree bit for bit. Host and device
/// code.
///
/// A compiler may fuse a product and a sum, which are then rounded once instead of twice. Compilers for GPUs do this; a
/// CPU without such an instruction can't. Options may allow a compiler to approximate quotients and roots. No option
/// changes these functions.
#pragma once
#include <cmath>

#ifndef __CUEMU__
#include "device_side.hpp"
#endif

#ifdef __CUDACC__
#define LAB_ON_BOTH __host__ __device__
#else
#define LAB_ON_BOTH
#endif

namespace lab {

/// Returns a · b, rounded to float before anything is added to it.
LAB_ON_BOTH inline float rounded_product(float a, float b) {
#ifdef LAB_ON_DEVICE
  return __fmul_rn(a, b);
#elif defined(__FP_FAST_FMAF) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
  return __builtin_assoc_barrier(a * b);
#else
  return a * b;
#endif
}

/// Returns a / b, rounded to the nearest float.
LAB_ON_BOTH inline float rounded_quotient(float a, float b) {
#ifdef LAB_ON_DEVICE
  return __fdiv_rn(a, b);
#else
  return a / b;
#endif
}

/// Returns the root of a, rounded to the nearest float. @pre a >= 0
LAB_ON_BOTH inline float rounded_root(float a) {
#ifdef LAB_ON_DEVICE
  return __fsqrt_rn(a);
#else
  return std::sqrt(a);
#endif
}

/// Returns the whole number nearest to `value`; if two are equally near, the even one. @pre |value| < 2^63
LAB_ON_BOTH inline long long nearest(double value) {
#ifdef LAB_ON_DEVICE
  return __double2ll_rn(value);
#else
  return std::llrint(value);
#endif
}

}  // namespace lab
