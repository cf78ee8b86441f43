// make_float4(x, y, z, w), …: one constructor function for each of CUDA's vector types.
#pragma once
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_HPP__

#include "vector_types.h"

#ifdef __cplusplus
#define CUEMU_MADE(NAME, ...) \
  NAME {                      \
    __VA_ARGS__               \
  }
#define CUEMU_MAKER constexpr
#else
#define CUEMU_MADE(NAME, ...) ((NAME){__VA_ARGS__})
#define CUEMU_MAKER static inline
#endif
#define CUEMU_MAKE_1_TO_3(NAME, ELEMENT)                                \
  CUEMU_MAKER NAME##1 make_##NAME##1(ELEMENT x) {                       \
    return CUEMU_MADE(NAME##1, x);                                      \
  }                                                                     \
  CUEMU_MAKER NAME##2 make_##NAME##2(ELEMENT x, ELEMENT y) {            \
    return CUEMU_MADE(NAME##2, x, y);                                   \
  }                                                                     \
  CUEMU_MAKER NAME##3 make_##NAME##3(ELEMENT x, ELEMENT y, ELEMENT z) { \
    return CUEMU_MADE(NAME##3, x, y, z);                                \
  }
#define CUEMU_MAKE_4(NAME, ELEMENT)                                          \
  CUEMU_MAKER NAME make_##NAME(ELEMENT x, ELEMENT y, ELEMENT z, ELEMENT w) { \
    return CUEMU_MADE(NAME, x, y, z, w);                                     \
  }
#define CUEMU_MAKE_1_TO_4(NAME, ELEMENT) \
  CUEMU_MAKE_1_TO_3(NAME, ELEMENT)       \
  CUEMU_MAKE_4(NAME##4, ELEMENT)

CUEMU_MAKE_1_TO_4(char, signed char)
CUEMU_MAKE_1_TO_4(uchar, unsigned char)
CUEMU_MAKE_1_TO_4(short, short)
CUEMU_MAKE_1_TO_4(ushort, unsigned short)
CUEMU_MAKE_1_TO_4(int, int)
CUEMU_MAKE_1_TO_4(uint, unsigned int)
CUEMU_MAKE_1_TO_4(long, long)
CUEMU_MAKE_1_TO_4(ulong, unsigned long)
CUEMU_MAKE_1_TO_4(longlong, long long)
CUEMU_MAKE_1_TO_4(ulonglong, unsigned long long)
CUEMU_MAKE_1_TO_4(float, float)
CUEMU_MAKE_1_TO_4(double, double)

CUEMU_MAKE_4(long4_16a, long)
CUEMU_MAKE_4(long4_32a, long)
CUEMU_MAKE_4(ulong4_16a, unsigned long)
CUEMU_MAKE_4(ulong4_32a, unsigned long)
CUEMU_MAKE_4(longlong4_16a, long long)
CUEMU_MAKE_4(longlong4_32a, long long)
CUEMU_MAKE_4(ulonglong4_16a, unsigned long long)
CUEMU_MAKE_4(ulonglong4_32a, unsigned long long)
CUEMU_MAKE_4(double4_16a, double)
CUEMU_MAKE_4(double4_32a, double)

#undef CUEMU_MADE
#undef CUEMU_MAKER
#undef CUEMU_MAKE_1_TO_3
#undef CUEMU_MAKE_4
#undef CUEMU_MAKE_1_TO_4
