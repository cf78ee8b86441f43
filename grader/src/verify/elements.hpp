/// @file
/// When an element of an array is wrong: the one rule of everything that compares arrays.
///
/// NaN is always wrong, and so is infinity for a finite value; -0 equals 0. Integers are compared exactly, whatever the
/// tolerance.
#pragma once
#include "verify/array.hpp"

namespace grader {

/// The tolerance of an array whose largest element is known: of_max becomes a part of abs.
Tolerance resolved(Tolerance tolerance, const Array& expected);

/// Bit i is set when element i of `got` is wrong. Both arrays have the same type and size.
std::vector<bool> wrong_elements(const Array& got, const Array& expected, const Tolerance& tolerance);

/// The same for one element of an array whose value is known as a text: Array::text().
bool is_wrong(const std::string& text, std::size_t element, const Array& expected,
              const Tolerance& tolerance);

}  // namespace grader
