/// @file
/// Finds expressions whose value is known only at run time.
#pragma once
#include "parse/expression.hpp"

namespace emucc {

/// Returns true if the expression uses a parameter, a built-in variable, or a local variable that isn't
/// constant. Returns false if this is uncertain.
bool is_known_at_run_time(const Syntax& syntax, const Expression& expression);

}  // namespace emucc
