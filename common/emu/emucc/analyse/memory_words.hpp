/// @file
/// Finds variables whose declaration can't be `__device__`, `__constant__`, `__shared__` or `__managed__`: members of
/// classes, variables of functions, variables of other files without -rdc=true, dynamic shared memory of two types.
#pragma once
#include "analyse/findings.hpp"

namespace emucc {

Findings check_memory_words(const Syntax& syntax, const LanguageOptions& options);

}  // namespace emucc
