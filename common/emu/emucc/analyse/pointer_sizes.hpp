/// @file
/// Finds sizes that are those of a pointer where what it points to was meant: `cudaMemcpy(d, h, sizeof(d), …)` copies 8 bytes
/// of whatever `d` points to. Compilers say so of `memcpy`; of CUDA's functions nobody does, and the program runs.
///
/// Only pointers with one `*` that are variables of their own count: of `float** d` the pointer has the size of the elements.
#pragma once
#include <vector>

#include "lex/diagnostic.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// A warning for each.
std::vector<Diagnostic> check_pointer_sizes(const Syntax& syntax);

}  // namespace emucc
