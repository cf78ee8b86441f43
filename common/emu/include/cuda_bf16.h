// __nv_bfloat16 and __nv_bfloat162:
// 16-bit floating-point numbers with the range of float, in host and device code.
//
// Every conversion and operation returns the number nearest to the exact result, ties to even.
#pragma once
#define __CUDA_BF16_H__
#define __CUDA_BF16_HPP__
#define __CUDA_BF16_TYPES_EXIST__

#include "cuemu/push_macros.hpp"

#include "cuda_fp16.h"

#define CUEMU_FORMAT cuemu::Bfloat16
#define CUEMU_WORD bfloat16
#define CUEMU_TYPE __nv_bfloat16
#define CUEMU_TYPE2 __nv_bfloat162
#define CUEMU_RAW __nv_bfloat16_raw
#define CUEMU_RAW2 __nv_bfloat162_raw
#define CUEMU_OTHER __half
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define CUEMU_NO_OPERATORS
#endif

#include "cuemu/tiny_float_all.inc"

inline __half::__half(const __nv_bfloat16 other) : __half(static_cast<float>(other)) {}
inline __nv_bfloat16::__nv_bfloat16(const __half other) : __nv_bfloat16(static_cast<float>(other)) {}

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fffu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001u)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7fu)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80u)

#include "cuemu/pop_macros.hpp"
