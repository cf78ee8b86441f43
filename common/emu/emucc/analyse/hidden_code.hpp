/// @file
/// Finds what hides code from the checker and the counters, or takes the place of what they stand on: `--no-hidden-code`, with which
/// the grader compiles what others have handed in. It looks at the text after the preprocessor, so no macro hides a word from it.
///
/// Only files with a relative name are looked at, which are those that were handed in: the kit's own headers may do all of it.
#pragma once
#include <cstddef>
#include <vector>

#include "lex/diagnostic.hpp"
#include "lex/lexer.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// An error for each attribute, pragma, builtin and name that is not allowed.
std::vector<Diagnostic> check_hidden_code(const TokenStream& stream);

/// An error for each function of the device that the file calls and does not define: another file may do that as one of the host,
/// which nobody watches. nvcc asks for the definition too, but with -rdc=true.
std::vector<Diagnostic> check_device_functions(const Syntax& syntax);

/// The `asm` of each statement, declaration and label whose text is not empty. An empty one only keeps the compiler from moving code.
std::vector<std::size_t> assembly_in(const TokenStream& stream);

/// The error for such an `asm`, where it is no PTX that the translator has read.
Diagnostic host_assembly(const TokenStream& stream, std::size_t at);

}  // namespace emucc
