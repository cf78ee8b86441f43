#include "verify/elements.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace grader {
namespace {

/// @param tolerance the tolerance after resolved()
template <class T>
bool differs(T value, T right, const Tolerance& tolerance) {
  if constexpr (std::is_integral_v<T>)
    return value != right;
  else if constexpr (std::is_floating_point_v<T>)
    return value != right && outside(value, right, tolerance);
  else
    return outside(half_to_float(value.bits), half_to_float(right.bits), tolerance);
}

/// Reads a whole number in its own type, since a double can't represent all 64-bit integers. @return no value
/// for other text
template <class T>
std::optional<T> whole_number(const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

/// @return NaN for a text that is not a number
double real_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' ? std::nan("") : value;
}

}  // namespace

Tolerance resolved(Tolerance tolerance, const Array& expected) {
  if (tolerance.of_max == 0) return tolerance;
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isfinite(expected[i])) largest = std::max(largest, std::fabs(expected[i]));
  }
  tolerance.abs += tolerance.of_max * largest;
  tolerance.of_max = 0;
  return tolerance;
}

std::vector<bool> wrong_elements(const Array& got, const Array& expected, const Tolerance& tolerance) {
  const Tolerance its = resolved(tolerance, expected);
  std::vector<bool> wrong(got.size());
  got.visit([&](const auto& data) {
    const auto& right = expected.elements<typename std::decay_t<decltype(data)>::value_type>();
    for (std::size_t i = 0; i < data.size(); ++i) wrong[i] = differs(data[i], right[i], its);
  });
  return wrong;
}

bool is_wrong(const std::string& text, std::size_t element, const Array& expected,
              const Tolerance& tolerance) {
  const Tolerance its = resolved(tolerance, expected);
  return expected.visit([&](const auto& data) {
    using T = typename std::decay_t<decltype(data)>::value_type;
    if constexpr (std::is_integral_v<T>) {
      const auto value = whole_number<T>(text);
      return !value || differs(*value, data[element], its);
    } else if constexpr (std::is_floating_point_v<T>) {
      return differs(static_cast<T>(real_number(text)), data[element], its);
    } else {
      return outside(real_number(text), half_to_float(data[element].bits), its);
    }
  });
}

}  // namespace grader
