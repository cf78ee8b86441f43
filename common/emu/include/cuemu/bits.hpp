// The bit pattern of a value as another type of the same size, and the inverse: C++20's bit_cast, for C++17.
#pragma once

#include <stdint.h>

/// Precedes a device function: a template without undetermined parameters, so overloads and conversions work as
/// without it. The functions that it uses are instantiated where it is called, not again in each source that includes
/// it: that took a fifth of a small program's compile time.
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
