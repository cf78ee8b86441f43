// PTX arithmetic of half and bfloat16. A register holds one number or two numbers. Each result is the exact result,
// rounded once.
#pragma once

#include "cuemu/ptx/logic.hpp"
#include "cuemu/ptx/memory.hpp"

namespace cuemu::ptx {

enum class HalfOperation { add, sub, mul, fma, min, max, neg, abs };

/// Computes one result; `Format` is f16 or bf16.
template <HalfOperation How, class Format>
inline u16 half_result(const u16 a, const u16 b, const u16 c) {
  using Bits = std::conditional_t<std::is_same_v<Format, f16>, Binary16, Bfloat16>;
  const auto value = [](const u16 bits) { return static_cast<double>(cuemu::detail::decode(Bits(), bits)); };
  const double x = value(a), y = value(b);
  switch (How) {
    case HalfOperation::add:
      return cuemu::detail::encode<Bits>(x + y);
    case HalfOperation::sub:
      return cuemu::detail::encode<Bits>(x - y);
    case HalfOperation::mul:
      return cuemu::detail::encode<Bits>(x * y);
    case HalfOperation::fma:
      return cuemu::detail::encode<Bits>(cuemu::detail::odd_fma(x, y, value(c)));
    case HalfOperation::min:
      return x != x ? (y != y ? cuemu::detail::kTinyNan : b)
                    : (y != y || x < y || (x == y && (a & 0x8000u) != 0) ? a : b);
    case HalfOperation::max:
      return x != x ? (y != y ? cuemu::detail::kTinyNan : b)
                    : (y != y || y < x || (x == y && (a & 0x8000u) == 0) ? a : b);
    case HalfOperation::neg:
      return a ^ 0x8000u;
    default:
      return a & 0x7fffu;
  }
}
/// Computes `Count` results: 1 in 16 bits, or 2 in 32 bits.
template <HalfOperation How, class Format, int Count, class D, class A, class B, class C>
inline void half(D& d, const A& a, const B& b, const C& c) {
  using Word = std::conditional_t<Count == 2, u32, u16>;
  const Word x = get<Word>(a), y = get<Word>(b), z = get<Word>(c);
  u32 result = 0;
  for (int i = 0; i < 16 * Count; i += 16)
    result |= static_cast<u32>(half_result<How, Format>(static_cast<u16>(x >> i), static_cast<u16>(y >> i),
                                                        static_cast<u16>(z >> i)))
              << i;
  set(d, static_cast<Word>(result));
}
/// atom.add of one number or two numbers. Two numbers are added in one atomic step.
template <class Format, int Count, class D, class A>
inline void atom_half(D&& d, const u64 at, const A& a) {
  using Word = std::conditional_t<Count == 2, u32, u16>;
  set(d, cuemu::detail::atomic_update<Word>(reinterpret_cast<Word*>(at), [&a](const Word old) {
        Word sum;
        half<HalfOperation::add, Format, Count>(sum, old, a, Integer{0});
        return sum;
      }));
}

}  // namespace cuemu::ptx
