/// @file
/// Finds variables that can't be `__device__`, `__constant__`, `__shared__` or `__managed__` as they are
/// declared: members of classes, variables of functions, variables of other files without -rdc=true, and
/// dynamic shared memory with two types.
#pragma once
#include "analyse/findings.hpp"

namespace emucc {

Findings check_memory_words(const Syntax& syntax, const LanguageOptions& options);

}  // namespace emucc
