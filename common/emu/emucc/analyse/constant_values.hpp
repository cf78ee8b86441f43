/// @file
/// Which expressions have a value that only a run of the program knows.
#pragma once
#include "parse/expression.hpp"

namespace emucc {

/// Does it use a parameter, a built-in variable, or a local variable that is no constant? False where that is in doubt.
bool is_known_at_run_time(const Syntax& syntax, const Expression& expression);

}  // namespace emucc
