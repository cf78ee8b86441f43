// Names of memory that the program allocates or copies: the pointer that the source gives to cudaMalloc, cudaMemcpy or a
// similar function.
#pragma once

#include <string>
#include <vector>

#include "source.hpp"

namespace cuemu::check {

/// Memory was allocated. Several calls may stand in one line, and in code that macros make their columns are
/// not those of the source: which is which follows from their order.
/// @param stack of the call, innermost first
void note_allocation(const std::vector<void*>& stack);

/// The name of the pointer that an allocation call fills: "d_a" for `CHECK(cudaMalloc((void**)&d_a, n))`.
/// Empty where it can't be told.
/// @param stack as it was noted
std::string pointer_filled_by(const std::vector<void*>& stack);

/// The name of the destination or the source in this line's call of cudaMemcpy or a similar function: "v" for `v.data() + 4`.
/// Empty: the line does not show it.
std::string pointer_copied(const Line& line, bool destination);

/// What stands in the call's first `sizeof(…)`, mostly the type of an element: "float" for `cudaMalloc(&d_a, n * sizeof(float))`.
/// Empty where there is none.
std::string type_filled_by(const std::vector<void*>& stack);

}  // namespace cuemu::check
