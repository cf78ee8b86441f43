/// @file
/// Finds the effects of a kernel's statements on its variables: writes, and addresses taken.
#pragma once
#include <vector>

#include "facts/uniformity.hpp"

namespace emucc {

/// Records in `variables` (`writes`, `address_taken`, `escapes`) how the statements use them.
/// @param facts maps names to variables
void note_uses(const Syntax& syntax, const KnownNames& names, const Uniformity& facts,
               const std::vector<Statement>& statements, std::vector<KernelVariable>& variables);

}  // namespace emucc
