// The basis of the translation of inline PTX. Registers are C++ variables, operands are read in an instruction's type,
// and results are written to registers of any type of the same or a greater size.
//
// A register is a uint16_t, uint32_t, uint64_t, float or double, or a bool for a predicate. As in PTX, an instruction
// uses the register's bits, so the register's type matters little.
#pragma once

#include <type_traits>

#include "cuemu/bits.hpp"

namespace cuemu::ptx {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using s8 = int8_t;
using s16 = int16_t;
using s32 = int32_t;
using s64 = int64_t;
using f32 = float;
using f64 = double;
using pred = bool;

/// Literals: an integer of any type; a number with a decimal point.
struct Integer {
  s64 value;
};
struct Real {
  double value;
};
/// `_`: a result that is discarded.
struct Nowhere {};

inline f32 float_bits(const u32 bits) {
  return bit_cast<f32>(bits);
}
inline f64 double_bits(const u64 bits) {
  return bit_cast<f64>(bits);
}

/// Reads an operand as a T.
template <class T, class From>
inline T get(const From& x) {
  if constexpr (std::is_same_v<From, Integer> || std::is_same_v<From, Real>)
    return static_cast<T>(x.value);
  else if constexpr (std::is_same_v<T, From>)
    return x;
  else if constexpr (std::is_same_v<T, bool>)
    return x != 0;
  else if constexpr (sizeof(T) == sizeof(From))
    return bit_cast<T>(x);
  else if constexpr (std::is_integral_v<T> && std::is_integral_v<From>)
    return static_cast<T>(x);
  else if constexpr (std::is_integral_v<T>)  // a part of a floating-point register, or a wider type
    return static_cast<T>(bit_cast<std::conditional_t<sizeof(From) == 4, u32, u64>>(x));
  else
    return get<T>(static_cast<std::conditional_t<sizeof(T) == 4, u32, u64>>(x));
}

/// Writes a result. If the register is wider, the result is extended according to its type.
template <class To, class T>
inline void set(To& to, const T value) {
  if constexpr (std::is_same_v<To, T>)
    to = value;
  else if constexpr (sizeof(To) == sizeof(T) && !std::is_same_v<To, bool>)
    to = bit_cast<To>(value);
  else if constexpr (std::is_integral_v<To> && std::is_integral_v<T>)
    to = static_cast<To>(value);
  else if constexpr (std::is_integral_v<To>)
    to = static_cast<To>(bit_cast<std::conditional_t<sizeof(T) == 4, u32, u64>>(value));
  else
    static_assert(sizeof(To) == sizeof(T), "this PTX register has another size than the instruction's type");
}
template <class T>
inline void set(Nowhere, const T) {}

/// \name The C++ operands of the asm statement
/// @{
/// The initial value of a register of type T.
template <class T, class From>
inline T input(const From& x) {
  if constexpr (std::is_pointer_v<From> || std::is_null_pointer_v<From>) {
    return static_cast<T>(reinterpret_cast<u64>(x));
  } else if constexpr (std::is_array_v<From>) {
    return static_cast<T>(reinterpret_cast<u64>(&x[0]));
  } else if constexpr (std::is_arithmetic_v<From> && std::is_integral_v<From> == std::is_integral_v<T>) {
    return static_cast<T>(x);
  } else if constexpr (std::is_enum_v<From>) {
    return static_cast<T>(x);
  } else {
    static_assert(sizeof(From) <= sizeof(T), "the operand of the asm statement is larger than its register");
    T result{};
    __builtin_memcpy(&result, &x, sizeof x);
    return result;
  }
}
/// Copies a register to the program's variable.
template <class To, class T>
inline void output(To& to, const T value) {
  using Plain = std::remove_cv_t<To>;
  if constexpr (std::is_pointer_v<Plain>) {
    to = reinterpret_cast<Plain>(static_cast<u64>(value));
  } else if constexpr (std::is_arithmetic_v<Plain> && std::is_integral_v<Plain> == std::is_integral_v<T>) {
    to = static_cast<Plain>(value);
  } else if constexpr (std::is_enum_v<Plain>) {
    to = static_cast<Plain>(value);
  } else {
    static_assert(sizeof(To) <= sizeof(T), "the result of the asm statement is larger than its register");
    __builtin_memcpy(const_cast<Plain*>(&to), &value, sizeof to);
  }
}
/// @}

/// The register of 16, 32 or 64 bits for a type, and the type of two joined registers.
template <class T>
inline constexpr int bits_of_type = 8 * static_cast<int>(sizeof(T));
template <class T>
using Unsigned =
    std::conditional_t<sizeof(T) == 1, u8,
                       std::conditional_t<sizeof(T) == 2, u16, std::conditional_t<sizeof(T) == 4, u32, u64>>>;

}  // namespace cuemu::ptx
