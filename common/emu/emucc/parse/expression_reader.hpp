/// @file
/// Reads one expression. Operators are read by precedence, from the comma downwards.
#pragma once
#include <deque>

#include "parse/expression.hpp"
#include "parse/scopes.hpp"

namespace emucc {

/// @param nodes storage for the expression's parts, which refer to one another
/// @return the expression [begin, end); its kind is `unknown` if the tokens are no expression or are not
/// understood
const Expression& read_expression(const Syntax& syntax, Scopes& scopes, std::deque<Expression>& nodes,
                                  std::size_t begin, std::size_t end);

}  // namespace emucc
