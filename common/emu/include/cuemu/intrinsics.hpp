// Integer intrinsics of device code: bit counts, permutes, wide products, sums of differences, dot products.
#pragma once

#include "cuemu/bits.hpp"
#include "vector_types.h"

namespace cuemu::detail {
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
}  // namespace cuemu::detail

/// Returns the number of bits of x that are 1.
constexpr int __popc(const unsigned int x) {
  return __builtin_popcount(x);
}
constexpr int __popcll(const unsigned long long x) {
  return __builtin_popcountll(x);
}

/// Returns the number of leading zero bits; 32 (64) for 0.
constexpr int __clz(const int x) {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x));
}
constexpr int __clzll(const long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}

/// Returns the position of the lowest bit that is 1, counted from 1; 0 for 0.
constexpr int __ffs(const int x) {
  return __builtin_ffs(x);
}
constexpr int __ffsll(const long long x) {
  return __builtin_ffsll(x);
}

/// Returns x with its bytes in reversed order.
constexpr unsigned int __nv_bswap32(const unsigned int x) {
  return __builtin_bswap32(x);
}
constexpr unsigned long long __nv_bswap64(const unsigned long long x) {
  return __builtin_bswap64(x);
}
constexpr unsigned short __nv_bswap16(const unsigned short x) {
  return __builtin_bswap16(x);
}

/// Returns x with its bits in reversed order.
constexpr unsigned int __brev(unsigned int x) {
  x = __builtin_bswap32(x);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  return ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
}
constexpr unsigned long long __brevll(const unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32 |
         __brev(static_cast<unsigned int>(x >> 32));
}

/// Returns the position (0 … 31) of the `offset`th set bit of mask, counted upwards from bit `base` (offset > 0) or
/// downwards (offset < 0). For offset 0 this is `base`, if its bit is set. Returns 0xffffffff if there is no such bit.
constexpr unsigned int __fns(const unsigned int mask, const unsigned int base, const int offset) {
  if (base > 31) return 0xffffffffu;
  if (offset == 0) return (mask >> base & 1u) != 0 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step) {
    if ((mask >> position & 1u) != 0 && --left == 0) return static_cast<unsigned int>(position);
  }
  return 0xffffffffu;
}

/// Selects four bytes from the eight bytes of y:x (x contains bytes 0 … 3). Each hexadecimal digit of s selects one
/// byte. The digit's low three bits are the byte's number. If its top bit is set, all eight bits of the result become
/// the byte's sign bit.
constexpr unsigned int __byte_perm(const unsigned int x, const unsigned int y, const unsigned int s) {
  const uint64_t bytes = static_cast<uint64_t>(y) << 32 | x;
  unsigned int result = 0;
  for (unsigned int i = 0; i < 4; ++i) {
    const unsigned int digit = s >> (4 * i) & 7u;  // unlike PRMT, ignores the selector's sign bit
    result |= (static_cast<unsigned int>(bytes >> (8 * digit)) & 0xffu) << (8 * i);
  }
  return result;
}

/// Returns the upper word of hi:lo shifted left (l), or the lower word of hi:lo shifted right (r). The distance is
/// `shift` modulo 32, or `shift` clamped to 32 (c).
constexpr unsigned int __funnelshift_l(const unsigned int lo, const unsigned int hi,
                                       const unsigned int shift) {
  return static_cast<unsigned int>((static_cast<uint64_t>(hi) << 32 | lo) << (shift & 31u) >> 32);
}
constexpr unsigned int __funnelshift_lc(const unsigned int lo, const unsigned int hi,
                                        const unsigned int shift) {
  return static_cast<unsigned int>((static_cast<uint64_t>(hi) << 32 | lo) << (shift < 32u ? shift : 32u) >>
                                   32);
}
constexpr unsigned int __funnelshift_r(const unsigned int lo, const unsigned int hi,
                                       const unsigned int shift) {
  return static_cast<unsigned int>((static_cast<uint64_t>(hi) << 32 | lo) >> (shift & 31u));
}
constexpr unsigned int __funnelshift_rc(const unsigned int lo, const unsigned int hi,
                                        const unsigned int shift) {
  return static_cast<unsigned int>((static_cast<uint64_t>(hi) << 32 | lo) >> (shift < 32u ? shift : 32u));
}

/// Returns the low 32 bits of the product of the operands' low 24 bits.
constexpr unsigned int __umul24(const unsigned int x, const unsigned int y) {
  return (x & 0xffffffu) * (y & 0xffffffu);
}
constexpr int __mul24(const int x, const int y) {
  const auto low24 = [](const int v) { return static_cast<int>(static_cast<unsigned int>(v) << 8) >> 8; };
  return static_cast<int>(static_cast<unsigned int>(low24(x)) * static_cast<unsigned int>(low24(y)));
}

/// Returns the upper half of the product.
constexpr int __mulhi(const int x, const int y) {
  return static_cast<int>(static_cast<long long>(x) * y >> 32);
}
constexpr unsigned int __umulhi(const unsigned int x, const unsigned int y) {
  return static_cast<unsigned int>(static_cast<unsigned long long>(x) * y >> 32);
}
constexpr long long __mul64hi(const long long x, const long long y) {
  return static_cast<long long>(static_cast<cuemu::detail::int128>(x) * y >> 64);
}
constexpr unsigned long long __umul64hi(const unsigned long long x, const unsigned long long y) {
  return static_cast<unsigned long long>(static_cast<cuemu::detail::uint128>(x) * y >> 64);
}

/// |x − y| + z, modulo 2³².
constexpr unsigned int __usad(const unsigned int x, const unsigned int y, const unsigned int z) {
  return (x > y ? x - y : y - x) + z;
}
constexpr unsigned int __sad(const int x, const int y, const unsigned int z) {
  const long long difference = static_cast<long long>(x) - y;
  return static_cast<unsigned int>(difference < 0 ? -difference : difference) + z;
}

/// Returns the average, rounded down (hadd) or up (rhadd), without overflow.
constexpr int __hadd(const int x, const int y) {
  return static_cast<int>((static_cast<long long>(x) + y) >> 1);
}
constexpr int __rhadd(const int x, const int y) {
  return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
constexpr unsigned int __uhadd(const unsigned int x, const unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
constexpr unsigned int __urhadd(const unsigned int x, const unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

namespace cuemu::detail {

/// Returns byte number `index` of a packed word as a Byte (signed or unsigned), widened to int.
template <typename Byte>
constexpr auto byte_of(const unsigned int word, const int index) {
  return static_cast<Byte>(word >> (8 * index) & 0xffu);
}

/// Returns the sum of the four products of bytes, plus c, modulo 2³².
template <typename Byte>
constexpr auto dot4(const unsigned int a, const unsigned int b, unsigned int c) {
  for (int i = 0; i < 4; ++i) c += static_cast<unsigned int>(byte_of<Byte>(a, i) * byte_of<Byte>(b, i));
  return c;
}

/// Returns the sum of two products, plus c, modulo 2³²: of a's halves and b's bytes `first` and `first + 1`.
template <typename Half, typename Byte>
constexpr unsigned int dot2(const unsigned int a, const unsigned int b, unsigned int c, const int first) {
  for (int i = 0; i < 2; ++i) {
    const int half = static_cast<Half>(a >> (16 * i) & 0xffffu);
    c += static_cast<unsigned int>(half) * static_cast<unsigned int>(byte_of<Byte>(b, first + i));
  }
  return c;
}

}  // namespace cuemu::detail

/// Dot product of four bytes with four bytes, added to c.
inline int __dp4a(const int a, const int b, const int c) {
  return static_cast<int>(cuemu::detail::dot4<signed char>(
      static_cast<unsigned int>(a), static_cast<unsigned int>(b), static_cast<unsigned int>(c)));
}
inline unsigned int __dp4a(const unsigned int a, const unsigned int b, const unsigned int c) {
  return cuemu::detail::dot4<unsigned char>(a, b, c);
}
inline int __dp4a(const char4 a, const char4 b, const int c) {
  return __dp4a(cuemu::bit_cast<int>(a), cuemu::bit_cast<int>(b), c);
}
inline unsigned int __dp4a(const uchar4 a, const uchar4 b, const unsigned int c) {
  return __dp4a(cuemu::bit_cast<unsigned int>(a), cuemu::bit_cast<unsigned int>(b), c);
}

/// Dot product of two 16-bit values with the two lower (lo) or upper (hi) bytes of b, added to c.
#define CUEMU_DOT2(NAME, FIRST)                                                                              \
  CUEMU_ON_CALL inline int NAME(const int a, const int b, const int c) {                                     \
    return static_cast<int>(cuemu::detail::dot2<short, signed char>(                                         \
        static_cast<unsigned int>(a), static_cast<unsigned int>(b), static_cast<unsigned int>(c), FIRST));   \
  }                                                                                                          \
  CUEMU_ON_CALL inline unsigned int NAME(const unsigned int a, const unsigned int b, const unsigned int c) { \
    return cuemu::detail::dot2<unsigned short, unsigned char>(a, b, c, FIRST);                               \
  }                                                                                                          \
  CUEMU_ON_CALL inline int NAME(const short2 a, const char4 b, const int c) {                                \
    return NAME(cuemu::bit_cast<int>(a), cuemu::bit_cast<int>(b), c);                                        \
  }                                                                                                          \
  CUEMU_ON_CALL inline unsigned int NAME(const ushort2 a, const uchar4 b, const unsigned int c) {            \
    return NAME(cuemu::bit_cast<unsigned int>(a), cuemu::bit_cast<unsigned int>(b), c);                      \
  }
CUEMU_DOT2(__dp2a_lo, 0)
CUEMU_DOT2(__dp2a_hi, 2)
#undef CUEMU_DOT2
