/// @file
/// Decides whether an element of an array is wrong. All code that compares arrays uses this one rule.
///
/// NaN is always wrong, and so is infinity for a finite value; -0 equals 0. Integers are compared exactly,
/// whatever the tolerance is.
#pragma once
#include "verify/array.hpp"

namespace grader {

/// The tolerance of an array whose largest element is known: of_max becomes a part of abs.
Tolerance resolved(Tolerance tolerance, const Array& expected);

/// A bit for each element of `got`, which is set if the element is wrong. Both arrays must have the same type and
/// size.
std::vector<bool> wrong_elements(const Array& got, const Array& expected, const Tolerance& tolerance);

/// Does the same for one element of an array whose value is known as a text, as made by Array::text().
bool is_wrong(const std::string& text, std::size_t element, const Array& expected,
              const Tolerance& tolerance);

}  // namespace grader
