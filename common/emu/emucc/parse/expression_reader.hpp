/// @file
/// Reads one expression: by precedence, down from the comma.
#pragma once
#include <deque>

#include "parse/expression.hpp"
#include "parse/scopes.hpp"

namespace emucc {

/// @param nodes where the expression's parts are kept; they refer to one another
/// @return the expression that [begin, end) is: of the kind `unknown` where it is none, or none that is
/// understood
const Expression& read_expression(const Syntax& syntax, Scopes& scopes, std::deque<Expression>& nodes,
                                  std::size_t begin, std::size_t end);

}  // namespace emucc
