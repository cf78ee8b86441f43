// __half and __half2: 16-bit floating-point numbers (IEEE 754 binary16), in host and device code.
//
// Every conversion and operation returns the number nearest to the exact result, ties to even.
#pragma once
#define __CUDA_FP16_H__
#define __CUDA_FP16_HPP__
#define __CUDA_FP16_TYPES_EXIST__

#include "cuemu/push_macros.hpp"

#include "cuemu/atomics.hpp"
#include "cuemu/math.hpp"
#include "cuemu/tiny_float.hpp"
#include "cuemu/warp.hpp"
#include "vector_types.h"

struct __nv_bfloat16;

#define CUEMU_FORMAT cuemu::Binary16
#define CUEMU_WORD half
#define CUEMU_TYPE __half
#define CUEMU_TYPE2 __half2
#define CUEMU_RAW __half_raw
#define CUEMU_RAW2 __half2_raw
#define CUEMU_OTHER __nv_bfloat16
#ifdef __CUDA_NO_HALF_OPERATORS__
#define CUEMU_NO_OPERATORS
#endif

#include "cuemu/tiny_float_all.inc"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#define CUDART_INF_FP16 __ushort_as_half(0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bffu)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00u)

#include "cuemu/pop_macros.hpp"
