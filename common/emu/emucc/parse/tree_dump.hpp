/// @file
/// Writes the output of `emucc --dump=tree` for a function: its statements and expressions as they were read.
#pragma once
#include <string>

#include "parse/syntax_tree.hpp"

namespace emucc {

/// @param begin, end the inside of the function's body
/// @return indented lines with kind, line and column, spelling, and the type if it is known
std::string dump_tree(const Syntax& syntax, std::size_t begin, std::size_t end);

}  // namespace emucc
