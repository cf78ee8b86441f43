/// @file
/// Finds `sizeof` of a pointer where the size of its target was meant: `cudaMemcpy(d, h, sizeof(d), …)`
/// copies 8 bytes. Compilers warn about this in `memcpy`, but not in CUDA's functions, and the program runs.
///
/// Only pointers with one `*` count. In `float** d` an element is a pointer, so the sizes of a pointer and of
/// an element are equal.
#pragma once
#include <vector>

#include "lex/diagnostic.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// Returns a warning for each such `sizeof`.
std::vector<Diagnostic> check_pointer_sizes(const Syntax& syntax);

}  // namespace emucc
