// CUDA's built-in vector types, char1 … ulonglong4, float1 … double4, and dim3, with CUDA's sizes and alignments.
//
// They are plain structs with members x, y, z, w: no constructors and no operators, as in CUDA, so that
// programs may define their own. A vector of two or four elements is aligned to its size (at most 16 bytes),
// so that a GPU can move it with one access; a vector of one or three elements is aligned like its element.
// The checks below verify the layout.
#pragma once
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define CUEMU_ALIGNED(N) __attribute__((aligned(N)))

/// Declares NAME1 … NAME3 for ELEMENT. ALIGN2 is the alignment in bytes of the vector of two.
#define CUEMU_VECTORS_1_TO_3(NAME, ELEMENT, ALIGN2) \
  typedef struct NAME##1 {                          \
    ELEMENT x;                                      \
  }                                                 \
  NAME##1;                                          \
  typedef struct CUEMU_ALIGNED(ALIGN2) NAME##2 {    \
    ELEMENT x, y;                                   \
  }                                                 \
  NAME##2;                                          \
  typedef struct NAME##3 {                          \
    ELEMENT x, y, z;                                \
  }                                                 \
  NAME##3;

/// Declares one vector of four ELEMENTs named NAME, aligned to ALIGN bytes.
#define CUEMU_VECTOR_4(NAME, ELEMENT, ALIGN) \
  typedef struct CUEMU_ALIGNED(ALIGN) NAME { \
    ELEMENT x, y, z, w;                      \
  } NAME;

CUEMU_VECTORS_1_TO_3(char, signed char, 2)
CUEMU_VECTORS_1_TO_3(uchar, unsigned char, 2)
CUEMU_VECTORS_1_TO_3(short, short, 4)
CUEMU_VECTORS_1_TO_3(ushort, unsigned short, 4)
CUEMU_VECTORS_1_TO_3(int, int, 8)
CUEMU_VECTORS_1_TO_3(uint, unsigned int, 8)
CUEMU_VECTORS_1_TO_3(long, long, 16)
CUEMU_VECTORS_1_TO_3(ulong, unsigned long, 16)
CUEMU_VECTORS_1_TO_3(longlong, long long, 16)
CUEMU_VECTORS_1_TO_3(ulonglong, unsigned long long, 16)
CUEMU_VECTORS_1_TO_3(float, float, 8)
CUEMU_VECTORS_1_TO_3(double, double, 16)

CUEMU_VECTOR_4(char4, signed char, 4)
CUEMU_VECTOR_4(uchar4, unsigned char, 4)
CUEMU_VECTOR_4(short4, short, 8)
CUEMU_VECTOR_4(ushort4, unsigned short, 8)
CUEMU_VECTOR_4(int4, int, 16)
CUEMU_VECTOR_4(uint4, unsigned int, 16)
CUEMU_VECTOR_4(long4, long, 16)
CUEMU_VECTOR_4(ulong4, unsigned long, 16)
CUEMU_VECTOR_4(longlong4, long long, 16)
CUEMU_VECTOR_4(ulonglong4, unsigned long long, 16)
CUEMU_VECTOR_4(float4, float, 16)
CUEMU_VECTOR_4(double4, double, 16)

// In CUDA 13, the names of the 32-byte vectors contain their alignment.
CUEMU_VECTOR_4(long4_16a, long, 16)
CUEMU_VECTOR_4(long4_32a, long, 32)
CUEMU_VECTOR_4(ulong4_16a, unsigned long, 16)
CUEMU_VECTOR_4(ulong4_32a, unsigned long, 32)
CUEMU_VECTOR_4(longlong4_16a, long long, 16)
CUEMU_VECTOR_4(longlong4_32a, long long, 32)
CUEMU_VECTOR_4(ulonglong4_16a, unsigned long long, 16)
CUEMU_VECTOR_4(ulonglong4_32a, unsigned long long, 32)
CUEMU_VECTOR_4(double4_16a, double, 16)
CUEMU_VECTOR_4(double4_32a, double, 32)

#undef CUEMU_ALIGNED
#undef CUEMU_VECTORS_1_TO_3
#undef CUEMU_VECTOR_4

/// Sizes of grids and blocks: omitted elements are 1.
typedef struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const {
    return uint3{x, y, z};
  }
#endif
} dim3;

#ifdef __cplusplus

#define CUEMU_CHECK_LAYOUT(TYPE, SIZE, ALIGN) \
  static_assert(sizeof(TYPE) == (SIZE) && alignof(TYPE) == (ALIGN), "not CUDA's layout: " #TYPE)
#define CUEMU_CHECK_LAYOUTS(NAME, SIZE, ALIGN2, ALIGN4) \
  CUEMU_CHECK_LAYOUT(NAME##1, SIZE, SIZE);              \
  CUEMU_CHECK_LAYOUT(NAME##2, 2 * (SIZE), ALIGN2);      \
  CUEMU_CHECK_LAYOUT(NAME##3, 3 * (SIZE), SIZE);        \
  CUEMU_CHECK_LAYOUT(NAME##4, 4 * (SIZE), ALIGN4)

CUEMU_CHECK_LAYOUTS(char, 1, 2, 4);
CUEMU_CHECK_LAYOUTS(uchar, 1, 2, 4);
CUEMU_CHECK_LAYOUTS(short, 2, 4, 8);
CUEMU_CHECK_LAYOUTS(ushort, 2, 4, 8);
CUEMU_CHECK_LAYOUTS(int, 4, 8, 16);
CUEMU_CHECK_LAYOUTS(uint, 4, 8, 16);
CUEMU_CHECK_LAYOUTS(long, 8, 16, 16);
CUEMU_CHECK_LAYOUTS(ulong, 8, 16, 16);
CUEMU_CHECK_LAYOUTS(longlong, 8, 16, 16);
CUEMU_CHECK_LAYOUTS(ulonglong, 8, 16, 16);
CUEMU_CHECK_LAYOUTS(float, 4, 8, 16);
CUEMU_CHECK_LAYOUTS(double, 8, 16, 16);
CUEMU_CHECK_LAYOUT(double4_32a, 32, 32);
CUEMU_CHECK_LAYOUT(dim3, 12, 4);

#undef CUEMU_CHECK_LAYOUT
#undef CUEMU_CHECK_LAYOUTS
#endif
