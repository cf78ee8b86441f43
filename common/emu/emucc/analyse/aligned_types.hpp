/// @file
/// Finds types that need more alignment than their members: float4, a structure with `__align__`. Only for these must
/// the checker test pointers; for others the address of each access is enough.
#pragma once
#include "lex/lexer.hpp"

namespace emucc {

/// Whether the user's code names such a type, also as `half2` or `cuComplex`, or a class template that may be one.
bool names_aligned_type(const TokenStream& stream);

}  // namespace emucc
