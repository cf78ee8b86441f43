/// @file
/// What a kernel's statements do to its variables: which they write, and whose address they take.
#pragma once
#include <vector>

#include "analyse/uniformity.hpp"

namespace emucc {

/// Notes in `variables` (`writes`, `address_taken`, `escapes`) what the statements do to them.
/// @param facts tells which name is which of them
void note_uses(const Syntax& syntax, const KnownNames& names, const Uniformity& facts,
               const std::vector<Statement>& statements, std::vector<KernelVariable>& variables);

}  // namespace emucc
