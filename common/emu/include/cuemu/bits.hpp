// The bit pattern of a value as another type of the same size,
// and the inverse. What C++20 calls bit_cast, for C++17.
#pragma once

#include <stdint.h>

/// In front of a device function: a template whose parameters are all known, so overloads and conversions are as without it.
/// What the function uses is instantiated where it is called, not again in each source that includes it: a fifth of the
/// time that a small program took to compile.
#define CUEMU_ON_CALL template <int = 0>

namespace cuemu {

/// `from` with the same bits, as a To.
template <typename To, typename From>
inline auto bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From), "bit_cast needs types of one size");
  To to;
  __builtin_memcpy(static_cast<void*>(&to), &from, sizeof(To));
  return to;
}

}  // namespace cuemu
