// Names memory that the program allocates or copies. The name is the pointer in the source's call of
// cudaMalloc, cudaMemcpy or a similar function.
#pragma once

#include <string>
#include <vector>

#include "source.hpp"

namespace cuemu::check {

/// Records an allocation. The order of the calls on a line identifies them, since their columns in code from
/// macros differ from the columns in the source.
/// @param stack the call stack, innermost call first
void note_allocation(const std::vector<void*>& stack);

/// Returns the name of the pointer that an allocation sets: "d_a" for `CHECK(cudaMalloc((void**)&d_a, n))`.
/// If the call is in a constructor, or in a function that returns the pointer, returns the name of the
/// caller's variable. Empty if the name is unknown.
/// @param stack the call stack as recorded
std::string pointer_filled_by(const std::vector<void*>& stack);

/// Returns the name of the destination or the source in a line's call of cudaMemcpy or a similar function:
/// "v" for `v.data() + 4`. Empty if the line does not show it.
std::string pointer_copied(const Line& line, bool destination);

/// Returns the hint about a cudaMalloc whose argument is a pointer instead of the pointer's address; empty
/// for other lines.
std::string hint_without_address(const Line& line);

/// Returns the variable in a line's copy whose own address is the destination or the source: "v" for `&v`.
/// Empty if there is none.
std::string variable_copied(const Line& line, bool destination);

/// Returns the operand of the call's first `sizeof(…)`, usually the element type: "float" for
/// `cudaMalloc(&d_a, n * sizeof(float))`. Empty if there is none.
std::string type_filled_by(const std::vector<void*>& stack);

}  // namespace cuemu::check
