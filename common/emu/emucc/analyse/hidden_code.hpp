/// @file
/// Finds code that hides from the checker and the counters, or that replaces parts that they need.
/// `--no-hidden-code` requests this; the grader compiles submitted code with that option. The functions here
/// examine the preprocessor's output, so no macro can hide a word.
///
/// Only submitted files are examined. They have relative names. The kit's own headers may contain all of
/// this.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "lex/diagnostic.hpp"
#include "lex/lexer.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// Returns true if the file was submitted. Compilers receive submitted files by relative names, and all other
/// files by absolute names.
inline bool is_submitted(std::string_view file) {
  return !file.empty() && file.front() != '/' && file.front() != '<';
}

/// Returns an error for each forbidden attribute, pragma, builtin and name.
std::vector<Diagnostic> check_hidden_code(const TokenStream& stream);

/// Returns an error for each device function that the file calls and does not define. Another file could
/// define it as a host function, which isn't checked. nvcc requires the definition too, except with
/// -rdc=true.
std::vector<Diagnostic> check_device_functions(const Syntax& syntax);

/// Returns the `asm` tokens of all statements, declarations and labels whose text is not empty. An `asm` with
/// an empty text only keeps the compiler from moving code.
std::vector<std::size_t> assembly_in(const TokenStream& stream);

/// Returns the error for an `asm` that is not PTX that the translator has read.
Diagnostic host_assembly(const TokenStream& stream, std::size_t at);

}  // namespace emucc
