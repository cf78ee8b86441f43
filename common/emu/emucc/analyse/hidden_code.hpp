/// @file
/// Finds code that is hidden from the checker and the counters, or that replaces parts that they depend on. This is
/// the work of `--no-hidden-code`, with which the grader compiles submitted code. The functions read the text after
/// the preprocessor, so no macro can hide a word.
///
/// Only the submitted files are examined, which have relative names. The kit's own headers may use all of this.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "lex/diagnostic.hpp"
#include "lex/lexer.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// True if the file was submitted: compilers get submitted files by relative names, and all other files by absolute
/// names.
inline bool is_submitted(std::string_view file) {
  return !file.empty() && file.front() != '/' && file.front() != '<';
}

/// Returns an error for each forbidden attribute, pragma, builtin and name.
std::vector<Diagnostic> check_hidden_code(const TokenStream& stream);

/// Returns an error for each device function that the file calls and does not define. Another file could define such
/// a function as a host function, which isn't checked. nvcc requires the definition too, except with -rdc=true.
std::vector<Diagnostic> check_device_functions(const Syntax& syntax);

/// The `asm` tokens of all statements, declarations and labels with a non-empty text. An `asm` with an empty text
/// only keeps the compiler from moving code.
std::vector<std::size_t> assembly_in(const TokenStream& stream);

/// The error for an `asm` that isn't PTX that the translator has read.
Diagnostic host_assembly(const TokenStream& stream, std::size_t at);

}  // namespace emucc
