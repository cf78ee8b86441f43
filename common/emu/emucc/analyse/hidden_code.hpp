/// @file
/// Finds code that is hidden from the checker and the counters, or that replaces parts that they depend on:
/// `--no-hidden-code`, with which the grader compiles submitted code. It reads the text after the preprocessor, so no
/// macro can hide a word.
///
/// Only files with a relative name are examined: the submitted files. The kit's own headers may use all of this.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "lex/diagnostic.hpp"
#include "lex/lexer.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// True if the file was submitted: compilers get relative names of submitted files, and absolute names of all others.
inline bool is_submitted(std::string_view file) {
  return !file.empty() && file.front() != '/' && file.front() != '<';
}

/// Returns an error for each forbidden attribute, pragma, builtin and name.
std::vector<Diagnostic> check_hidden_code(const TokenStream& stream);

/// Returns an error for each device function that the file calls and does not define: another file could define it as
/// a host function, which isn't checked. nvcc requires the definition too, except with -rdc=true.
std::vector<Diagnostic> check_device_functions(const Syntax& syntax);

/// The `asm` of each statement, declaration and label with a non-empty text. An empty text only keeps the compiler
/// from moving code.
std::vector<std::size_t> assembly_in(const TokenStream& stream);

/// The error for such an `asm` if it isn't PTX that the translator has read.
Diagnostic host_assembly(const TokenStream& stream, std::size_t at);

}  // namespace emucc
