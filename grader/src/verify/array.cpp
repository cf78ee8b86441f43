#include "verify/array.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace grader {
namespace {

constexpr std::uint32_t poison_word = 0x7fffdead;          // marks fresh device memory
constexpr std::uint32_t shared_poison_word = 0x7fffbead;   // marks fresh shared memory in emulation
constexpr std::uint32_t unset_variable_word = 0xfefefefe;  // g++: -ftrivial-auto-var-init=pattern

/// Whether the value's bytes are this word, repeated.
template <class T>
bool consists_of(const T& value, std::uint32_t mark) {
  if constexpr (sizeof(T) < sizeof mark) {
    return false;  // half a mark may also be an ordinary number
  } else {
    std::uint32_t words[sizeof(T) / sizeof mark];
    std::memcpy(words, &value, sizeof words);
    for (const std::uint32_t word : words)
      if (word != mark) return false;
    return true;
  }
}

/// A value that arithmetic accepts: halves become floats, other values are unchanged.
template <class T>
auto number(T value) {
  if constexpr (std::is_same_v<T, lab::NpyHalf>)
    return half_to_float(value.bits);
  else
    return value;
}

/// The text of a value, which is never "-nan": the sign bit of a NaN has no meaning.
template <class T>
std::string shortest_text(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value) ? "nan" : fmt::format("{}", value);
  return fmt::format("{}", value);
}

template <class T>
Array read_as(const fs::path& file, lab::NpyLinks links) {
  lab::NpyArray<T> array = lab::read_npy<T>(file.string(), -1, links);
  return {std::move(array.shape), std::move(array.data)};
}

}  // namespace

bool outside(double value, double right_value, const Tolerance& tolerance) {
  if (value == right_value) return false;
  if (!std::isfinite(value) || !std::isfinite(right_value)) return true;
  return std::fabs(value - right_value) > tolerance.abs + tolerance.rel * std::fabs(right_value);
}

float half_to_float(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const float sign = bits & 0x8000 ? -1.f : 1.f;
  if (exponent == 31) return sign * (fraction == 0 ? INFINITY : NAN);
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
}

std::string number_text(double value) {
  return fmt::format("{}", value);
}
std::string number_text(float value) {
  return fmt::format("{}", value);
}

Array Array::read(const fs::path& file, lab::NpyLinks links) {
  const std::string dtype = lab::read_npy_header(file.string(), links).dtype;
  if (dtype == "<f8") return read_as<double>(file, links);
  if (dtype == "<f2") return read_as<lab::NpyHalf>(file, links);
  if (dtype == "<i4") return read_as<std::int32_t>(file, links);
  if (dtype == "<u4") return read_as<std::uint32_t>(file, links);
  if (dtype == "<i8") return read_as<std::int64_t>(file, links);
  if (dtype == "<u8") return read_as<std::uint64_t>(file, links);
  if (dtype == "<i2") return read_as<std::int16_t>(file, links);
  if (dtype == "<u2") return read_as<std::uint16_t>(file, links);
  if (dtype == "|i1") return read_as<std::int8_t>(file, links);
  if (dtype == "|u1") return read_as<std::uint8_t>(file, links);
  return read_as<float>(file, links);
}

std::size_t Array::size() const {
  return visit([](const auto& data) { return data.size(); });
}

std::string Array::dtype() const {
  return visit(
      [](const auto& data) { return lab::npy_dtype<typename std::decay_t<decltype(data)>::value_type>(); });
}

bool Array::is_integer() const {
  return visit(
      [](const auto& data) { return std::is_integral_v<typename std::decay_t<decltype(data)>::value_type>; });
}

double Array::operator[](std::size_t i) const {
  if (const auto* floats = std::get_if<std::vector<float>>(&data_)) return (*floats)[i];
  return visit([i](const auto& data) { return static_cast<double>(number(data[i])); });
}

std::string Array::text(std::size_t i) const {
  return visit([i](const auto& data) { return shortest_text(number(data[i])); });
}

std::string Array::text_of(double value) const {
  const double narrow = rounded(value);
  return dtype() == "<f8" ? shortest_text(narrow) : shortest_text(static_cast<float>(narrow));
}

double Array::rounded(double value) const {
  const bool narrow = std::holds_alternative<std::vector<float>>(data_) ||
                      std::holds_alternative<std::vector<lab::NpyHalf>>(data_);
  return narrow ? static_cast<double>(static_cast<float>(value)) : value;
}

void Array::copy_row(std::size_t row, double* to) const {
  const std::size_t count = columns();
  visit([=](const auto& data) {
    const auto* from = data.data() + row * count;
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<double>(number(from[i]));
  });
}

bool Array::unwritten(std::size_t i) const {
  return visit([i](const auto& data) { return consists_of(data[i], poison_word); });
}

bool Array::from_unset_variable(std::size_t i) const {
  return visit([i](const auto& data) { return consists_of(data[i], unset_variable_word); });
}

bool Array::from_unfilled_shared(std::size_t i) const {
  return visit([i](const auto& data) {
    using T = typename std::decay_t<decltype(data)>::value_type;
    if constexpr (std::is_same_v<T, float>) return consists_of(std::fabs(data[i]), shared_poison_word);
    return consists_of(data[i], shared_poison_word);
  });
}

std::vector<std::size_t> Array::coordinates(std::size_t i) const {
  std::vector<std::size_t> index(shape_.size());
  for (std::size_t d = shape_.size(); d-- > 0; i /= shape_[d]) index[d] = i % shape_[d];
  return index;
}

}  // namespace grader
