/// @file
/// Finds `sizeof` of a pointer where the size of its object was meant: `cudaMemcpy(d, h, sizeof(d), …)` copies 8
/// bytes of the memory at `d`. Compilers warn about `memcpy`, but not about CUDA's functions, and the program runs.
///
/// Only variables that are pointers with one `*` count: in `float** d` a pointer has the size of the elements.
#pragma once
#include <vector>

#include "lex/diagnostic.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// Returns a warning for each.
std::vector<Diagnostic> check_pointer_sizes(const Syntax& syntax);

}  // namespace emucc
